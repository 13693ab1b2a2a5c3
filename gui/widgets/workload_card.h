// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One workload on the Plan page, with the choice of its scale.

#include "launcher/workload_catalog.h"

#include <QFrame>

class QButtonGroup;
class QLabel;

namespace scalebench {

class WorkloadCard : public QFrame
{
    Q_OBJECT
public:
    explicit WorkloadCard(const Workload& workload, QWidget* parent = nullptr);
    QString workloadId() const { return m_workload.id; }
    QString scaleId() const;
    void setSelected(bool selected, const QString& scaleId);

Q_SIGNALS:
    void chosen(const QString& workloadId, const QString& scaleId);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void setupScales();
    void updateFacts();
    QString targetText(const WorkloadScale& scale) const;
    Workload m_workload;
    QButtonGroup* m_scales;
    QLabel* m_facts;
};

} // namespace scalebench
