// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One workload on the Plan page, with its tick and the choice of its scale.

#include "study/workload_catalog.h"

#include <QFrame>

class QButtonGroup;
class QCheckBox;
class QLabel;

namespace scalebench {

class WorkloadCard : public QFrame
{
    Q_OBJECT
public:
    explicit WorkloadCard(const Workload& workload, QWidget* parent = nullptr);
    QString workloadId() const { return m_workload.id; }
    QString scaleId() const;
    /// `planned`: it is in the plan; `current`: its settings are the ones shown.
    void setPlanned(bool planned, bool current, const QString& scaleId);

Q_SIGNALS:
    void chosen(const QString& workloadId, const QString& scaleId);
    /// Into the plan beside the others, or out of it.
    void ticked(const QString& workloadId, const QString& scaleId, bool on);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void setupScales();
    void updateFacts();
    QString targetText(const WorkloadScale& scale) const;
    Workload m_workload;
    QCheckBox* m_tick;
    QButtonGroup* m_scales;
    QList<QWidget*> m_details; ///< shown where it is current
    QLabel* m_facts;
};

} // namespace scalebench
