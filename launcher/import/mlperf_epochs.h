// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where in the training an evaluation of a log lies: some count epochs, from 1, 0 or -1, some
// samples, DLRM's parts of its one pass.

#include "mlperf_log.h"

#include <QString>

#include <optional>

namespace scalebench::imports {

class EpochCount
{
public:
    EpochCount(const MlperfRun& run, const QString& benchmark);

    /// The log counts samples in the place of epochs, as BERT's do.
    bool countsSamples() const { return m_samples; }
    /// The number that the log counts by: of epochs or samples.
    std::optional<double> counted(const MlperfEval& eval) const;
    /// At the end as the source counts; of v0.5 how many epochs there were.
    std::optional<double> atEnd() const;
    /// Passes over the training data, or millions of samples.
    std::optional<double> passesAt(const MlperfEval& eval) const;

private:
    const MlperfRun& m_run;
    QString m_benchmark;
    bool m_samples = false;
    double m_first = 0; ///< smallest number of an epoch
};

} // namespace scalebench::imports
