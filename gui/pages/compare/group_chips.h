// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The groups that are compared, as chips: the first is the baseline, a click makes another one it.

#include "figures/compare_charts.h"

#include <QWidget>

class QComboBox;

namespace scalebench {

struct StudySummary;
class FlowLayout;

class GroupChips : public QWidget
{
    Q_OBJECT
public:
    explicit GroupChips(QWidget* parent = nullptr);
    void show(const QList<ComparedGroup>& groups);
    /// What can be added.
    void setStudies(const QList<StudySummary>& studies);

Q_SIGNALS:
    void baselineChosen(int group);
    void closed(int group);
    void studyChosen(const QString& studyDir);

private:
    QWidget* makeChip(const ComparedGroup& shown, int group, const ChartData& legend);

    FlowLayout* m_flow;
    QComboBox* m_add;
    QList<QWidget*> m_widgets;
};

} // namespace scalebench
