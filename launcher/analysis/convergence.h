// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether a run reached its target suspiciously early or late: a wrong shuffle, a leak of the
// evaluation data or a lost worker shows in the epochs before it shows anywhere else. Definition:
// resources/docs/analysis.md.

#include "run/run_record.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

/// What others needed for the same target with the same batch.
struct EpochsReference {
    QString name; ///< "the other runs", "resnet_ref_3264"
    QList<double> epochs;
};

/// A sentence where `epochs` lies outside what the reference's runs let one expect; empty: it does
/// not, or there are fewer than four of them. `step`: epochs between two evaluations, within which
/// nothing can be told.
QString convergenceRemark(const QString& run, double epochs, double step,
                          const EpochsReference& reference);

/// Each completed run against the others of its series with the same global batch, on any number of
/// workers.
QStringList convergenceRemarks(const QList<RunRecord>& runs);

/// The epochs between two evaluations; 1 where there are none.
double evaluationStep(const RunRecord& run);

} // namespace scalebench
