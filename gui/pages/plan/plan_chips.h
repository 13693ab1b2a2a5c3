// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the runs of a plan differ in beside workloads and workers: a chip for every setting with
// values of its own, to edit and to take away, and a button for more.

#include "study/study_spec.h"

#include <QWidget>

class QToolButton;

namespace scalebench {

class FlowLayout;

class PlanChips : public QWidget
{
    Q_OBJECT
public:
    explicit PlanChips(QWidget* parent = nullptr);
    /// The settings of the study, and those that one of several workloads has alone.
    void show(const StudySpec& spec, int entry);

Q_SIGNALS:
    void addRequested();
    void editRequested(const QString& path, bool wholeStudy);
    void closed(const QString& path, bool wholeStudy);

private:
    struct Chip {
        QString path;
        QString text;
        bool wholeStudy = true;
        bool operator==(const Chip&) const = default;
    };
    QWidget* makeChip(const Chip& chip);

    QList<Chip> m_chips;
    QList<QWidget*> m_widgets;
    FlowLayout* m_flow;
    QToolButton* m_add;
};

/// "Overlap: on, off".
QString settingText(const QString& path, const QList<QJsonValue>& values);

} // namespace scalebench
