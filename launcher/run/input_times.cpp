// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/input_times.h"

#include "base/translated.h"

#include <QLocale>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

double meanOfSteps(const PointList<StepPoint>& steps, double (*part)(const StepPoint&))
{
    double sum = 0, weight = 0;
    for (qsizetype k = steps.size() > 1 ? 1 : 0; k < steps.size(); ++k) {
        const double n = k > 0 ? static_cast<double>(steps[k].step - steps[k - 1].step) : 1;
        sum += part(steps[k]) * n;
        weight += n;
    }
    return weight > 0 ? sum / weight : 0;
}

static QString msText(double ms)
{
    return QLocale().toString(ms, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

QString inputSumText(const RunRecord& run)
{
    if (std::ranges::none_of(run.steps, &StepPoint::hasInputTimes))
        return {};
    return msText(meanOfSteps(
               run.steps, [](const StepPoint& p) { return p.readMs + p.decodeMs + p.augmentMs; })) +
           u" ms"_s;
}

QString inputTimesText(const RunRecord& run)
{
    if (std::ranges::none_of(run.steps, &StepPoint::hasInputTimes))
        return {};
    const auto mean = [&run](double (*part)(const StepPoint&)) {
        return msText(meanOfSteps(run.steps, part));
    };
    return Launcher::tr("read %1, decoded %2, augmented %3 ms")
        .arg(mean([](const StepPoint& p) { return p.readMs; }),
             mean([](const StepPoint& p) { return p.decodeMs; }),
             mean([](const StepPoint& p) { return p.augmentMs; }));
}

} // namespace scalebench
