// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_runs.h"
#include "base/translated.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kMostPoints = 2000;

/// The first tag, by its name's words, of the patterns in their order.
QString findTag(const EventFile& file, const QString& wanted, const QStringList& patterns)
{
    if (!wanted.isEmpty())
        return file.scalars.contains(wanted) ? wanted : QString();
    for (const QString& pattern : patterns) {
        const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
        for (auto it = file.scalars.begin(); it != file.scalars.end(); ++it)
            if (expression.match(it.key()).hasMatch())
                return it.key();
    }
    return {};
}

/// Every n-th point, and the last.
QList<ScalarPoint> thinned(const QList<ScalarPoint>& points)
{
    const qsizetype every = (points.size() + kMostPoints - 1) / kMostPoints;
    if (every <= 1)
        return points;
    QList<ScalarPoint> list;
    for (qsizetype i = 0; i < points.size(); i += every)
        list << points[i];
    if ((points.size() - 1) % every != 0)
        list << points.last();
    return list;
}

/// The value of a scalar at or before a step.
double valueAt(const QList<ScalarPoint>& points, qint64 step, double otherwise)
{
    double value = otherwise;
    for (const ScalarPoint& point : points) {
        if (point.step > step)
            break;
        value = point.value;
    }
    return std::isfinite(value) ? value : otherwise;
}

class RunMaker
{
public:
    RunMaker(const EventFile& file, const EventTags& tags)
        : m_file(file),
          m_quality(
              findTag(file, tags.quality,
                      {u"(val|eval|test).*(acc|top.?1|bleu|map|auc|hr)"_s,
                       u"(acc|top.?1|bleu|auc).*(val|eval|test)"_s, u"acc|top.?1|bleu|auc"_s})),
          m_loss(findTag(file, tags.loss, {u"train.*loss"_s, u"^loss"_s, u"loss"_s})),
          m_rate(findTag(file, tags.learningRate, {u"learning.?rate"_s, u"(^|/)lr($|/)"_s})),
          m_speed(
              findTag(file, tags.samplesPerSecond,
                      {u"(samples|images|examples|imgs|tokens).?(per|/).?s"_s, u"throughput"_s})),
          m_epoch(findTag(file, {}, {u"(^|/)epoch$"_s}))
    {
    }

    ImportedRun make(const QString& path)
    {
        ImportedRun run;
        readTimes(run);
        readSteps(run);
        readEvals(run);
        const QFileInfo info(path);
        run.title = info.dir().dirName();
        run.benchmark = run.workload = u"unknown"_s;
        run.metric = m_quality;
        run.epochUnit = u"epochs"_s;
        if (!run.evals.isEmpty())
            run.epochs = run.evals.last().epoch;
        if (!m_speed.isEmpty()) {
            double sum = 0;
            for (const ScalarPoint& point : m_file.scalars[m_speed])
                sum += point.value;
            run.throughput = sum / double(m_file.scalars[m_speed].size());
        }
        run.remarks << Launcher::tr("quality from \"%1\", loss from \"%2\" of the tags %3")
                           .arg(m_quality, m_loss,
                                QStringList(m_file.scalars.keys()).mid(0, 20).join(u", "_s));
        run.converged = run.stopMs > run.startMs;
        if (!run.converged)
            run.failure = {u"not_converged"_s,
                           Launcher::tr("The file has no two times, so none to train.")};
        return run;
    }

private:
    void readTimes(ImportedRun& run) const
    {
        double first = INFINITY, last = 0;
        for (const QList<ScalarPoint>& points : m_file.scalars)
            for (const ScalarPoint& point : points)
                if (point.timeMs > 0) {
                    first = std::min(first, point.timeMs);
                    last = std::max(last, point.timeMs);
                }
        if (last > 0) {
            run.startMs = first;
            run.stopMs = last;
        }
    }

    double secondsOf(const ImportedRun& run, const ScalarPoint& point) const
    {
        return point.timeMs > 0 ? (point.timeMs - run.startMs) / 1000 : 0;
    }

    double epochOf(const ScalarPoint& point) const
    {
        return m_epoch.isEmpty() ? double(point.step)
                                 : valueAt(m_file.scalars[m_epoch], point.step, double(point.step));
    }

    void readSteps(ImportedRun& run) const
    {
        if (m_loss.isEmpty())
            return;
        for (const ScalarPoint& point : thinned(m_file.scalars[m_loss])) {
            if (!std::isfinite(point.value))
                continue;
            StepPoint step;
            step.epoch = epochOf(point);
            step.step = point.step;
            step.seconds = secondsOf(run, point);
            step.loss = point.value;
            if (!m_rate.isEmpty())
                step.learningRate = valueAt(m_file.scalars[m_rate], point.step, 0);
            if (!m_speed.isEmpty())
                step.samplesPerSecond = valueAt(m_file.scalars[m_speed], point.step, 0);
            run.steps << step;
        }
    }

    void readEvals(ImportedRun& run) const
    {
        if (m_quality.isEmpty())
            return;
        for (const ScalarPoint& point : thinned(m_file.scalars[m_quality])) {
            if (!std::isfinite(point.value))
                continue;
            EvalPoint eval;
            eval.epoch = epochOf(point);
            eval.seconds = secondsOf(run, point);
            eval.value = point.value;
            run.evals << eval;
        }
    }

    const EventFile& m_file;
    QString m_quality, m_loss, m_rate, m_speed, m_epoch;
};

} // namespace

std::optional<ImportedRun> runOfEvents(const EventFile& file, const QString& path,
                                       const EventTags& tags)
{
    if (file.scalars.isEmpty())
        return {};
    return RunMaker(file, tags).make(path);
}

} // namespace scalebench::imports
