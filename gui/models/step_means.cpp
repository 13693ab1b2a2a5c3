// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/step_means.h"

namespace scalebench {

namespace {

constexpr double StepPoint::*kParts[] = {
    &StepPoint::computeMs, &StepPoint::commMs,   &StepPoint::rowsMs,
    &StepPoint::inputMs,   &StepPoint::otherMs,  &StepPoint::stepMs,
    &StepPoint::readMs,    &StepPoint::decodeMs, &StepPoint::augmentMs};

void add(StepPoint& sum, const StepPoint& step, double weight)
{
    for (const auto part : kParts)
        sum.*part += step.*part * weight;
}

} // namespace

void StepMeans::count(Sum& sum, const RunRecord& run)
{
    const PointList<StepPoint>& steps = run.steps;
    // Another run, or another attempt at it: what came before is not part of it.
    if (sum.runId != run.config.runId || sum.attempts != run.attempts || steps.size() < sum.counted)
        sum = {run.config.runId, run.attempts, 0, 0, {}};
    for (qsizetype k = sum.counted; k < steps.size(); ++k) {
        ++m_looked;
        if (k == 0)
            continue;
        const auto weight = static_cast<double>(steps[k].step - steps[k - 1].step);
        add(sum.parts, steps[k], weight);
        sum.weight += weight;
    }
    sum.counted = steps.size();
}

Study StepMeans::summary(const Study& study)
{
    if (m_study != study.dir) {
        m_study = study.dir;
        m_sums.clear();
    }
    m_sums.resize(study.runs.size());
    Study means = study;
    for (qsizetype i = 0; i < study.runs.size(); ++i) {
        count(m_sums[i], study.runs[i]);
        const Sum& sum = m_sums[i];
        if (sum.counted == 0)
            continue;
        StepPoint mean = study.runs[i].steps.first();
        if (sum.weight > 0)
            for (const auto part : kParts)
                mean.*part = sum.parts.*part / sum.weight;
        means.runs[i].steps = {mean};
    }
    return means;
}

} // namespace scalebench
