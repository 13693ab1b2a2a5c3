// SPDX-License-Identifier: GPL-3.0-or-later
// The window while a large study trains: bench_live [--runs N] [--workers N] [--points N] [--hz N]
// [--seconds N] [--each N] makes up a study whose runs go on at once, writes its streams as engines
// would, and has the real window follow them on the Run page. Printed: how long the points that
// were there took to appear, what is kept per point, and which frames came late while they were
// read and while more came. A frame is late where one event of the window's thread (what it
// computed and waited for) took longer than a frame of 60 Hz lasts; an event of three frames makes
// two late.
#include "app/main_window.h"
#include "app/thread_time.h"
#include "library/library.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/theme_manager.h"
#include "settings/workbench_init.h"
#include "study/machine_info.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kFrameMs = 1000.0 / 60;

/// Times of the outermost events.
class Recorder : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_inside || QThread::currentThread() != thread())
            return QApplication::notify(receiver, event);
        m_inside = true;
        const QObject* owner = receiver->parent() ? receiver->parent() : receiver;
        const char* name = owner->metaObject()->className();
        const int type = event->type();
        const ThreadTime start = ThreadTime::now();
        const bool done = QApplication::notify(receiver, event);
        const ThreadTime took = ThreadTime::now() - start;
        m_inside = false;
        const double ms = took.computedMs() + took.blockedMs();
        m_busyMs += ms;
        m_late += static_cast<qint64>(ms / kFrameMs);
        if (ms > m_worstMs) {
            m_worstMs = ms;
            m_worst = u"%1, event %2"_s.arg(QString::fromLatin1(name)).arg(type);
        }
        return done;
    }

    void begin()
    {
        m_clock.start();
        m_late = 0;
        m_busyMs = m_worstMs = 0;
    }

    void print(const char* phase) const
    {
        const double seconds = double(m_clock.elapsed()) / 1e3;
        const double frames = seconds * 60;
        std::printf(
            "%-6s %6.1f s  %5.0f frames, %4lld late: %.2f %% in time; longest %.0f ms (%s); "
            "window's thread %.0f %% busy\n",
            phase, seconds, frames, static_cast<long long>(m_late),
            100 * (1 - double(m_late) / frames), m_worstMs, qPrintable(m_worst),
            m_busyMs / seconds / 10);
    }

private:
    QElapsedTimer m_clock;
    qint64 m_late = 0;
    double m_busyMs = 0, m_worstMs = 0;
    QString m_worst;
    bool m_inside = false;
};

double residentMb()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() *
                                                double(::sysconf(_SC_PAGESIZE)) / 1e6
                                          : 0;
}

/// A stream that an engine writes: the head of a recorded one, then steps.
class Stream
{
public:
    Stream(const QString& runDir, int number)
        : m_file(runDir + u"/result_0.txt"_s), m_number(number)
    {
    }

    bool open(const QByteArray& head)
    {
        return m_file.open(QIODevice::WriteOnly) && m_file.write(head) == head.size();
    }

    void add(qint64 steps)
    {
        QByteArray text;
        for (qint64 i = 0; i < steps; ++i, ++m_step) {
            const double rate = 1000 + 5 * m_number + double(m_step * 7919 % 101);
            char line[512];
            const int length = std::snprintf(
                line, sizeof line,
                ":::MLLOG {\"namespace\":\"scalebench\",\"time_ms\":%lld,\"event_type\":"
                "\"POINT_IN_TIME\",\"key\":\"step\",\"value\":{\"step\":%lld,\"epoch\":%.6f,"
                "\"samples\":%lld,\"loss\":2.067,\"learning_rate\":0.1,\"samples_per_s\":%.3f,"
                "\"step_ms\":124.0,\"compute_ms\":120.5,\"comm_ms\":2.5,\"input_ms\":0.5,"
                "\"other_ms\":0.5},\"metadata\":{\"step\":%lld,\"seq\":%lld}}\n",
                1700000000564LL + static_cast<long long>(m_step) * 124,
                static_cast<long long>(m_step), double(m_step) * 1e-4,
                static_cast<long long>(m_step) * 128, rate, static_cast<long long>(m_step),
                static_cast<long long>(m_step + 24));
            text.append(line, length);
        }
        m_file.write(text);
        m_file.flush();
    }

private:
    QFile m_file;
    int m_number;
    qint64 m_step = 1;
};

/// Up to its first step.
QByteArray recordedHead()
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_2_workers.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray all = file.readAll();
    return all.left(all.lastIndexOf('\n', all.indexOf("\"key\":\"step\"")) + 1);
}

qint64 pointsShown(const Study& study)
{
    qint64 points = 0;
    for (const RunRecord& run : study.runs)
        points += run.steps.size();
    return points;
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir config; // not the user's settings
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    Recorder application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({u"runs"_s, u"Runs that go on at once."_s, u"N"_s, u"64"_s});
    parser.addOption({u"workers"_s, u"Workers of each."_s, u"N"_s, u"64"_s});
    parser.addOption(
        {u"points"_s, u"Steps of all runs that are there at first."_s, u"N"_s, u"1000000"_s});
    parser.addOption({u"hz"_s, u"How often more come."_s, u"N"_s, u"10"_s});
    parser.addOption({u"each"_s, u"How many each run adds each time."_s, u"N"_s, u"1"_s});
    parser.addOption({u"seconds"_s, u"For how long."_s, u"N"_s, u"30"_s});
    parser.process(application);
    const int runs = parser.value(u"runs"_s).toInt(), workers = parser.value(u"workers"_s).toInt();
    const qint64 points = parser.value(u"points"_s).toLongLong();
    const qint64 each = parser.value(u"each"_s).toLongLong();
    const int hz = std::max(1, parser.value(u"hz"_s).toInt());
    const int seconds = parser.value(u"seconds"_s).toInt();

    initWorkbench();
    ThemeManager::instance().apply(ThemeChoice::Light);
    const QTemporaryDir dir;
    const auto library = Library::open(dir.path());
    StudySpec spec;
    spec.name = u"live"_s;
    spec.workers = {workers};
    spec.repeats = runs;
    MachineInfo machine;
    machine.cores = workers;
    machine.mpirunPath = machine.enginePath = u"/bin/true"_s; // nothing is started
    const auto plan = planRuns(spec, machine, u"live"_s, dir.path());
    const auto study = library && plan
                           ? library.value()->createStudy(spec, plan.value(), u"live"_s, {})
                           : Result<Study>(plan ? Failure{} : plan.failure());
    if (!study) {
        std::fprintf(stderr, "bench_live: %s\n", qPrintable(study.failure().message));
        return 1;
    }
    const QByteArray head = recordedHead();
    std::vector<std::unique_ptr<Stream>> streams;
    for (int i = 0; i < runs; ++i) {
        const RunRecord& run = study.value().runs[i];
        RunStatus status;
        status.state = RunState::Running;
        status.createdMs = run.createdMs;
        streams.push_back(std::make_unique<Stream>(run.runDir, i));
        if (head.isEmpty() || !streams.back()->open(head) || !writeRunStatus(run.runDir, status))
            return 1;
        streams.back()->add(points / runs);
    }
    StudyLock lock; // so that it counts as going on
    if (!lock.acquire(study.value().dir, 1000))
        return 1;
    const qint64 there = points / runs * runs;

    const QTemporaryDir elsewhere; // or the window would follow the study before it is asked to
    CommandLine line;
    line.libraryDir = elsewhere.path();
    line.size = QSize(1280, 800);
    MainWindow window(line);
    window.show();
    const auto wait = [](const std::function<bool()>& done) {
        QEventLoop loop;
        QTimer timer;
        QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
            if (done())
                loop.quit();
        });
        timer.start(20);
        loop.exec();
    };
    wait([&] { return window.isLoaded(); });
    const double before = residentMb();
    application.begin();
    window.session()->watchStudy(study.value().dir);
    wait([&] { return pointsShown(window.live()->study()) >= there; });
    application.print("reading");
    wait([] { return true; });
    const double kept = residentMb() - before;
    std::printf("memory %.0f MB for %lld points in %d runs of %d workers: %.0f bytes a point\n",
                kept, static_cast<long long>(there), runs, workers, kept * 1e6 / double(there));

    QThread::msleep(500);
    std::atomic<bool> end = false;
    std::thread engines([&] {
        auto next = std::chrono::steady_clock::now();
        while (!end) {
            for (const auto& stream : streams)
                stream->add(each);
            next += std::chrono::milliseconds(1000 / hz);
            std::this_thread::sleep_until(next);
        }
    });
    wait([&] { return pointsShown(window.live()->study()) > there; });
    application.begin();
    QElapsedTimer clock;
    clock.start();
    wait([&] { return clock.elapsed() > seconds * 1000; });
    application.print("live");
    end = true;
    engines.join();
    std::printf("live: %lld points came; the program holds %.0f MB\n",
                static_cast<long long>(pointsShown(window.live()->study()) - there), residentMb());
    return 0;
}
