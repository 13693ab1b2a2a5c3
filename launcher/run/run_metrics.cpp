// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_metrics.h"

#include "base/translated.h"
#include "run/run_record.h"
#include "study/workload_catalog.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QList<MetricInfo> metricsOf(const QString& workload)
{
    // Benchmarks of MLPerf that are trained down to a loss or an error; imported ones only.
    static const QSet<QString> kLosses{u"gpt3"_s,       u"llama2_70b_lora"_s,  u"llama31_405b"_s,
                                       u"llama31_8b"_s, u"gpt_oss_20b"_s,      u"deepseekv3_671b"_s,
                                       u"flux1"_s,      u"stable_diffusion"_s, u"rnnt"_s};
    const Workload* known = WorkloadCatalog::instance().find(workload);
    if (known && !known->metrics.isEmpty())
        return known->metrics;
    if (kLosses.contains(workload))
        return {{u"quality"_s, Launcher::tr("Loss or error"), MetricUnit::Score, true}};
    return {{u"quality"_s, Launcher::tr("Quality"), MetricUnit::Share}};
}

QList<MetricInfo> metricsOf(const RunRecord& run)
{
    QList<MetricInfo> metrics = metricsOf(run.config.workload);
    if (run.evals.isEmpty())
        return metrics;
    for (const MetricValue& value : run.evals.last().metrics) {
        const bool known = std::any_of(metrics.begin(), metrics.end(),
                                       [&](const MetricInfo& m) { return m.id == value.metric; });
        if (!known && metrics.size() < kMostMetrics)
            metrics << MetricInfo{value.metric, value.metric, MetricUnit::Score};
    }
    return metrics;
}

MetricUnit leadingUnit(const QString& workload)
{
    return metricsOf(workload).first().unit;
}

static MetricUnit unitOf(const QString& workload, const QString& metric)
{
    for (const MetricInfo& info : metricsOf(workload))
        if (info.id == metric)
            return info.unit;
    return MetricUnit::Score;
}

int epochDigits(double epochs)
{
    if (epochs == std::floor(epochs))
        return 0;
    return epochs < 0.1 ? 4 : epochs < 1 ? 2 : 1;
}

QString qualityText(const QString& workload, double value, int digits, const QLocale& locale)
{
    return metricText(leadingUnit(workload), value, digits, locale);
}

/// More of them where rounding would lift a value to the target that it missed.
static int digitsBelow(MetricUnit unit, double value, double target, int digits)
{
    constexpr int kMostDigits = 6;
    if (digits >= 0 && value < target)
        while (digits < kMostDigits &&
               metricText(unit, value, digits) == metricText(unit, target, digits))
            ++digits;
    return digits;
}

static QString furtherText(const RunConfig& run, const QString& metric, double value, int digits,
                           const QLocale& locale)
{
    return metric + u' ' + metricText(unitOf(run.workload, metric), value, digits, locale);
}

QString targetText(const RunConfig& run, int digits, const QLocale& locale)
{
    QStringList texts;
    if (run.target)
        texts << qualityText(run.workload, *run.target, digits, locale);
    for (const MetricValue& target : run.furtherTargets)
        texts << furtherText(run, target.metric, target.value, digits, locale);
    return texts.join(u", "_s);
}

QString bestText(const RunRecord& run, int digits, const QLocale& locale)
{
    const RunConfig& c = run.config;
    QStringList texts;
    if (c.target || c.furtherTargets.isEmpty())
        texts << qualityText(
            c.workload, run.bestQuality(),
            digitsBelow(leadingUnit(c.workload), run.bestQuality(), c.target.value_or(0), digits),
            locale);
    for (const MetricValue& target : c.furtherTargets) {
        const double best = run.bestOf(target.metric).value_or(0);
        texts << furtherText(
            c, target.metric, best,
            digitsBelow(unitOf(c.workload, target.metric), best, target.value, digits), locale);
    }
    return texts.join(u", "_s);
}

} // namespace scalebench
