// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a band of the loss chart is read from, beside the baseline's.

#include "analysis/loss_evidence.h"
#include "figures/chart_data.h"

#include <QDialog>

class QStandardItemModel;

namespace scalebench {

class LossEvidenceDialog : public QDialog
{
    Q_OBJECT
public:
    /// `point` of the band `series` of a lossSplitChart().
    LossEvidenceDialog(const ChartData& chart, int series, qsizetype point,
                       const LossEvidence& evidence, QWidget* parent = nullptr);

Q_SIGNALS:
    void openRuns(const QStringList& runDirs);

private:
    /// The row that the band is of.
    int fill(const LossEvidence& evidence, const QString& band);

    QStandardItemModel* m_figures;
};

} // namespace scalebench
