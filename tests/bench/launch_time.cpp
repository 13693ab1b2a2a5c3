// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes from Start to the first training step, and where the time goes, as the median
// over several starts: launch_time [--machine NAME] [--shape NxW] [--repeats N]. The first start is
// not counted: it may have to draw the data set.
#include "follow/study_controller.h"
#include "library/library.h"
#include "machine/machines.h"
#include "study/study_spec.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDateTime>
#include <QEventLoop>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array kParts = {"Start to supervisor", "hosts prepared, mpirun started",
                               "mpirun to the engine's first record",
                               "engine to the start of training (data, network)", "first step"};
using Times = std::array<double, kParts.size()>; // ms

/// The time of the first record of a stream with this key; 0: none.
double timeOf(const QString& stream, const QString& key)
{
    QFile file(stream);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line.mid(line.indexOf('{'))).object();
        if (record.value("key"_L1).toString() == key)
            return record.value("time_ms"_L1).toDouble();
    }
    return 0;
}

/// One start, stopped after its first step.
bool measure(Library& library, const StudySpec& spec, const PlanTarget& target, Times& times)
{
    const QString id = library.newStudyId(spec);
    const auto runs = planRuns(spec, target.info, id, library.generatedDataDir());
    if (!runs) {
        std::fprintf(stderr, "launch_time: %s\n", qPrintable(runs.failure().message));
        return false;
    }
    const auto study = library.createStudy(spec, runs.value(), id, {}, target.machine);
    if (!study) {
        std::fprintf(stderr, "launch_time: %s\n", qPrintable(study.failure().message));
        return false;
    }
    StudyController controller;
    QEventLoop loop;
    double running = 0;
    QObject::connect(&controller, &StudyController::finished, &loop, &QEventLoop::quit);
    QObject::connect(&controller, &StudyController::runStateChanged, &loop,
                     [&](int, RunState state) {
                         if (state == RunState::Running && running == 0)
                             running = double(QDateTime::currentMSecsSinceEpoch());
                     });
    QObject::connect(&controller, &StudyController::runAdvanced, &loop, [&] {
        if (!controller.study().runs.first().steps.isEmpty())
            controller.stopNow();
    });
    QTimer::singleShot(120'000, &loop, &QEventLoop::quit);
    const double start = double(QDateTime::currentMSecsSinceEpoch());
    if (const auto started = controller.start(study.value().dir); !started) {
        std::fprintf(stderr, "launch_time: %s\n", qPrintable(started.failure().message));
        return false;
    }
    loop.exec();
    const RunRecord run = controller.study().runs.first();
    const QString stream = run.runDir + u"/result_0.txt"_s;
    const std::array<double, kParts.size() + 1> at = {start,
                                                      double(run.startedMs),
                                                      running,
                                                      timeOf(stream, u"stream"_s),
                                                      timeOf(stream, u"run_start"_s),
                                                      timeOf(stream, u"step"_s)};
    if (at.back() == 0 || running == 0) {
        std::fprintf(stderr, "launch_time: no step was trained. %s\n",
                     qPrintable(run.failure.message));
        return false;
    }
    for (std::size_t i = 0; i < times.size(); ++i)
        times[i] = at[i + 1] - at[i];
    return true;
}

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const auto n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({u"machine"_s, u"Target machine (default: this computer)."_s, u"NAME"_s});
    parser.addOption({u"shape"_s, u"Nodes x workers per node."_s, u"NxW"_s, u"1x2"_s});
    parser.addOption({u"repeats"_s, u"Starts that count."_s, u"N"_s, u"5"_s});
    parser.process(application);
    const auto target = planTarget(parser.value(u"machine"_s));
    const auto shape = Shape::fromText(parser.value(u"shape"_s));
    QTemporaryDir folder;
    const auto library = Library::open(folder.path());
    if (!target || !shape || !library) {
        std::fprintf(stderr, "launch_time: %s\n",
                     qPrintable(!target    ? target.failure().message
                                : !library ? library.failure().message
                                           : u"--shape takes for example 2x1."_s));
        return 2;
    }
    StudySpec spec;
    spec.machine = parser.value(u"machine"_s);
    spec.shapes = {*shape};
    spec.oversubscribe = true;
    spec.noTarget = true;
    spec.options.checkpointEvery = 0;
    const int repeats = std::max(1, parser.value(u"repeats"_s).toInt());
    std::array<QList<double>, kParts.size()> parts;
    QList<double> totals;
    for (int i = 0; i <= repeats; ++i) {
        Times times{};
        if (!measure(*library.value(), spec, target.value(), times))
            return 3;
        if (i == 0)
            continue;
        double total = 0;
        for (std::size_t part = 0; part < times.size(); ++part) {
            parts[part] << times[part];
            total += times[part];
        }
        totals << total;
    }
    std::printf("%s, %s, median of %d starts\n",
                qPrintable(target.value().machine.name.isEmpty() ? localMachineName()
                                                                 : target.value().machine.name),
                qPrintable(shape->text()), repeats);
    for (std::size_t part = 0; part < parts.size(); ++part)
        std::printf("  %7.0f ms  %s\n", median(parts[part]), kParts[part]);
    std::printf("  %7.0f ms  from Start to the first training step (%.0f to %.0f)\n",
                median(totals), *std::min_element(totals.begin(), totals.end()),
                *std::max_element(totals.begin(), totals.end()));
    return 0;
}
