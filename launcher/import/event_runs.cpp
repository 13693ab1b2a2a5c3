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
constexpr int kMostNamedPoints = 10;

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
    return value;
}

/// One scalar, without the points that are no number of a training.
struct Curve {
    QString tag;
    QList<ScalarPoint> points;
};

class RunMaker
{
public:
    RunMaker(const EventFile& file, const EventTags& tags)
        : m_file(file),
          m_quality(curve(tags.quality,
                          {u"(val|eval|test).*(acc|top.?1|bleu|map|auc|hr)"_s,
                           u"(acc|top.?1|bleu|auc).*(val|eval|test)"_s, u"acc|top.?1|bleu|auc"_s})),
          m_loss(curve(tags.loss, {u"train.*loss"_s, u"^loss"_s, u"loss"_s})),
          m_rate(curve(tags.learningRate, {u"learning.?rate"_s, u"(^|/)lr($|/)"_s})),
          m_speed(curve(tags.samplesPerSecond,
                        {u"(samples|images|examples|imgs|tokens).?(per|/).?s"_s, u"throughput"_s})),
          m_epoch(curve({}, {u"(^|/)epoch$"_s}))
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
        run.metric = m_quality.tag;
        run.epochUnit = u"epochs"_s;
        if (!run.evals.isEmpty())
            run.epochs = run.evals.last().epoch;
        if (!m_speed.points.isEmpty()) {
            double sum = 0;
            for (const ScalarPoint& point : m_speed.points)
                sum += point.value;
            run.throughput = std::max(0.0, sum / double(m_speed.points.size()));
        }
        run.remarks << Launcher::tr("quality from \"%1\", loss from \"%2\" of the tags %3")
                           .arg(m_quality.tag, m_loss.tag,
                                QStringList(m_file.scalars.keys()).mid(0, 20).join(u", "_s));
        run.remarks << m_leftOut;
        if (m_leftOutCount > m_leftOut.size())
            run.remarks << Launcher::tr("and %1 more").arg(m_leftOutCount - m_leftOut.size());
        run.converged = run.stopMs > run.startMs;
        if (!run.converged)
            run.failure = {u"not_converged"_s,
                           Launcher::tr("The file has no two times, so none to train.")};
        return run;
    }

private:
    Curve curve(const QString& wanted, const QStringList& patterns)
    {
        Curve found{findTag(m_file, wanted, patterns), {}};
        for (const ScalarPoint& point : m_file.scalars.value(found.tag))
            if (isReadable(point.value) && isReadable(double(point.step)))
                found.points << point;
            else if (++m_leftOutCount <= kMostNamedPoints)
                m_leftOut << Launcher::tr("\"%1\" at step %2 is %3, no number between -1e15 and "
                                          "1e15: that point was left out")
                                 .arg(found.tag, QString::number(point.step),
                                      QString::number(point.value));
        return found;
    }

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
        return valueAt(m_epoch.points, point.step, double(point.step));
    }

    void readSteps(ImportedRun& run) const
    {
        for (const ScalarPoint& point : thinned(m_loss.points)) {
            StepPoint step;
            step.epoch = epochOf(point);
            step.step = point.step;
            step.seconds = secondsOf(run, point);
            step.loss = point.value;
            step.learningRate = valueAt(m_rate.points, point.step, 0);
            step.samplesPerSecond = valueAt(m_speed.points, point.step, 0);
            run.steps << step;
        }
    }

    void readEvals(ImportedRun& run) const
    {
        for (const ScalarPoint& point : thinned(m_quality.points)) {
            EvalPoint eval;
            eval.epoch = epochOf(point);
            eval.seconds = secondsOf(run, point);
            eval.value = point.value;
            run.evals << eval;
        }
    }

    const EventFile& m_file;
    QStringList m_leftOut; ///< the first ones; before the curves, which fill it
    int m_leftOutCount = 0;
    Curve m_quality, m_loss, m_rate, m_speed, m_epoch;
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
