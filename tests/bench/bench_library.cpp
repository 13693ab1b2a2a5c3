// SPDX-License-Identifier: GPL-3.0-or-later
// How long a library of many runs needs to be listed, filtered, sorted and searched:
// bench_library [--runs N] [--studies N] makes study folders with real streams and measures the
// index and the Results page in them. Median of several rounds, in milliseconds.
#include "app/main_window.h"
#include "library/library.h"
#include "models/run_table_model.h"
#include "pages/results/results_page.h"
#include "run/run_status.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/theme_manager.h"
#include "settings/workbench_init.h"
#include "study/machine_info.h"
#include "widgets/data_table.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kRounds = 5;

/// Completed studies of `runs` runs altogether; false: the disk is full.
bool makeLibrary(Library& library, int studies, int runs)
{
    QFile stream(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_1_worker.txt"));
    if (!stream.open(QIODevice::ReadOnly))
        return false;
    const QByteArray bytes = stream.readAll();
    MachineInfo machine;
    machine.cores = 2;
    machine.mpirunPath = machine.enginePath = u"/bin/true"_s; // nothing is started
    for (int i = 0; i < studies; ++i) {
        StudySpec spec;
        spec.name = u"study number %1"_s.arg(i);
        spec.workers = {1, 2};
        spec.repeats = runs / studies / 2;
        const QString id = u"s%1"_s.arg(i, 5, 10, QLatin1Char('0'));
        const auto plan = planRuns(spec, machine, id, library.generatedDataDir());
        const auto study =
            plan ? library.createStudy(spec, plan.value(), id, {}) : Result<Study>(plan.failure());
        if (!study) {
            std::fprintf(stderr, "%s\n", qPrintable(study.failure().message));
            return false;
        }
        for (const RunRecord& run : study.value().runs) {
            QFile file(run.runDir + u"/result_0.txt"_s);
            RunStatus status;
            status.state = RunState::Completed;
            status.createdMs = run.createdMs;
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() ||
                !writeRunStatus(run.runDir, status))
                return false;
        }
    }
    return true;
}

double medianMs(const std::function<void()>& work)
{
    QList<double> times;
    for (int round = 0; round < kRounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        work();
        times << double(timer.nsecsElapsed()) / 1e6;
    }
    std::sort(times.begin(), times.end());
    return times[kRounds / 2];
}

void print(const char* what, double ms)
{
    std::printf("%-44s %8.1f ms\n", what, ms);
}

void measurePage(const QList<RunSummary>& runs)
{
    Session session; // never loaded: the runs are given below
    ResultsPage page(&session);
    page.resize(1280, 800);
    page.show();
    const auto settle = [] { QApplication::processEvents(); };
    print("shown on the Results page", medianMs([&] {
              page.setRuns(runs);
              settle();
          }));
    DataTable* table = page.table();
    auto* filter = table->findChild<QLineEdit*>();
    int round = 0;
    print("one more letter typed into the filter", medianMs([&] {
              filter->setText(u"number 1"_s + QString::number(round++));
              settle();
          }));
    print("filter cleared", medianMs([&] {
                                filter->setText(u"nothing has this"_s);
                                settle();
                                filter->clear();
                                settle();
                            }) / 2);
    for (const int column : {int(RunTableModel::TimeToTrain), int(RunTableModel::Study_)})
        print(column == RunTableModel::Study_ ? "sorted by a text" : "sorted by a number",
              medianMs([&] {
                  table->view()->sortByColumn(column, round++ % 2 ? Qt::AscendingOrder
                                                                  : Qt::DescendingOrder);
                  settle();
              }));
}

/// From nothing to a window that answers, and to one that knows the library, each time anew.
void measureStart(const QString& libraryDir)
{
    QList<double> shown, read;
    for (int round = 0; round < kRounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        CommandLine line;
        line.libraryDir = libraryDir;
        line.page = page_id::kHome;
        MainWindow window(line);
        window.show();
        QApplication::processEvents();
        window.grab();
        shown << double(timer.elapsed());
        while (!window.isLoaded())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        read << double(timer.elapsed());
        window.showPage(page_id::kResults);
        QApplication::processEvents();
    }
    std::sort(shown.begin(), shown.end());
    std::sort(read.begin(), read.end());
    print("start: the window is there and painted", shown[kRounds / 2]);
    print("start: the library and this computer are known", read[kRounds / 2]);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir config; // not the user's settings
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    QApplication application(argc, argv);
    initWorkbench();
    ThemeManager::instance().apply(ThemeChoice::Light);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({u"runs"_s, u"How many runs."_s, u"N"_s, u"10000"_s});
    parser.addOption({u"studies"_s, u"In how many studies."_s, u"N"_s, u"200"_s});
    parser.process(application);
    const QTemporaryDir dir;
    QElapsedTimer timer;
    timer.start();
    {
        const auto library = Library::open(dir.path());
        if (!library || !makeLibrary(*library.value(), parser.value(u"studies"_s).toInt(),
                                     parser.value(u"runs"_s).toInt())) {
            std::fprintf(stderr, "bench_library: the library could not be made\n");
            return 1;
        }
    }
    std::printf("made in %.1f s\n", double(timer.restart()) / 1e3);
    QList<RunSummary> runs;
    const auto list = [&] {
        const auto library = Library::open(dir.path());
        if (library && library.value()->studies())
            runs = library.value()->runs().value();
    };
    list(); // what has ended since the index saw it
    print("read from the folders, once", double(timer.elapsed()));
    print("opened and listed", medianMs(list));
    std::printf("%lld runs\n", static_cast<long long>(runs.size()));
    measurePage(runs);
    measureStart(dir.path());
    return runs.isEmpty() ? 1 : 0;
}
