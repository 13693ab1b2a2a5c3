// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The time of a step at worker counts that were not measured, from those that were:
// a + b x (batch per worker) + c x log2(workers). Never the total time: the epochs to the target
// are not the machine's doing. Always beside its own error. Definition: resources/docs/analysis.md.

#include <QList>

#include <optional>

namespace scalebench {

/// What was measured on one number of workers.
struct StepSample {
    int workers = 1;
    double globalBatch = 0;
    double epochS = 0; ///< seconds of an epoch, evaluation included
    double epochs = 0; ///< to the target
};

/// A time and how far off it may be.
struct PredictedTime {
    int workers = 1;
    double globalBatch = 0, epochs = 0;
    double timeS = 0;
    double low50 = 0, high50 = 0, low90 = 0, high90 = 0;
    bool far = false; ///< more than twice the largest measured count
};

class StepModel
{
public:
    static constexpr double kFar = 2;       ///< times the largest measured count: little is known
    static constexpr double kFarthest = 4;  ///< beyond it nothing is foretold
    static constexpr int kFewestCounts = 3; ///< so that one can be left out

    /// Least squares on the relative scale, no coefficient below 0; of three counts only the two
    /// terms that fit best. Nothing of fewer. `scatter`: of repeats, standard deviation over mean;
    /// no prediction is surer than that.
    static std::optional<StepModel> fit(QList<StepSample> samples, double scatter = 0);

    /// In seconds; the epoch's times the batch stands for the step's, which is the same but for a
    /// factor.
    double epochS(int workers, double globalBatch) const;
    /// Nothing beyond kFarthest times the largest measured count.
    std::optional<PredictedTime> predict(int workers, double globalBatch, double epochs) const;
    /// With what the samples tell of batch and epochs.
    std::optional<PredictedTime> predict(int workers) const;

    const QList<StepSample>& samples() const { return m_samples; } ///< ascending
    /// Predicted over measured, less 1, of each sample from the others.
    const QList<double>& leftOutErrors() const { return m_errors; }
    /// Root of their mean square, and the largest.
    double error() const;
    double worstError() const;
    /// The batch neither stays the same nor grows with the workers: what its changes do to the
    /// epochs is not the model's to know.
    bool mixedBatches() const;
    double a() const { return m_terms[0]; }
    double b() const { return m_terms[1]; }
    double c() const { return m_terms[2]; }

private:
    double batchFor(int workers) const;
    double epochsFor(double globalBatch) const;

    QList<StepSample> m_samples;
    double m_terms[3] = {};
    double m_scatter = 0;
    QList<double> m_errors;
};

} // namespace scalebench
