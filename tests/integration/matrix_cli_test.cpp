// SPDX-License-Identifier: GPL-3.0-or-later
// A whole matrix through the command and the real engine: workloads, shapes, learning rates,
// overlap and repeats, tiny; killed in the middle, gone on with; every cell there once, and the
// means those of a few lines of Python over runs.csv.
#include "run/study.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QProcess>
#include <QSet>
#include <QTest>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// Groups runs.csv as the documentation says and compares with speedup.csv and effects.csv; prints
/// what differs.
const char* const kPython = R"(
import csv, collections, math, sys
cells = collections.defaultdict(list)
for r in csv.DictReader(open(sys.argv[1] + '/runs.csv', encoding='utf-8')):
    if r['status'] == 'completed':
        cells[r['series'], r['nodes'], r['workers']].append(r)
def mean(rows, key):
    return sum(float(r[key]) for r in rows) / len(rows)
table = {(r['group'], r['nodes'], r['workers']): r
         for r in csv.DictReader(open(sys.argv[1] + '/speedup.csv', encoding='utf-8'))}
if set(table) != set(cells):
    print('cells differ', set(table) ^ set(cells))
for cell, rows in cells.items():
    told = table[cell]
    for ours, theirs in (('time_to_train_s', 'mean_time_to_train_s'), ('epochs', 'mean_epochs'),
                         ('samples_per_s', 'mean_samples_per_s')):
        a, b = mean(rows, ours), float(told[theirs])
        if abs(a - b) > 1e-6 * abs(a):
            print(cell, ours, a, b)
    base = min((c for c in cells if c[0] == cell[0]), key=lambda c: int(c[2]))
    speedup = mean(cells[base], 'time_to_train_s') / mean(rows, 'time_to_train_s')
    if abs(speedup - float(told['speedup'])) > 1e-6 * speedup:
        print(cell, 'speedup', speedup, told['speedup'])

# What each value changes: over all pairs of cells that differ in nothing else.
column = {'schedule.base_lr': 'learning_rate'}
effects = list(csv.DictReader(open(sys.argv[1] + '/effects.csv', encoding='utf-8')))
varied = sorted({e['path'] for e in effects})
for e in effects:
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for rows in cells.values():
        for r in rows:
            if r['workload'] == e['workload']:
                others = [r[column.get(p, p)] for p in varied if p != e['path']]
                value = r[column.get(e['path'], e['path'])]
                times[r['nodes'], r['workers'], *others][value].append(float(r['time_to_train_s']))
    logs = [math.log(sum(v[e['value']]) / len(v[e['value']]) * len(v[e['baseline']]) /
                     sum(v[e['baseline']]))
            for v in times.values() if v[e['value']] and v[e['baseline']]]
    ratio = math.exp(sum(logs) / len(logs))
    if len(logs) != int(e['pairs']) or abs(ratio - float(e['time_ratio'])) > 1e-6 * ratio:
        print(e['path'], len(logs), ratio, e['pairs'], e['time_ratio'])
if not effects:
    print('no effects')
)";

int finalRuns(const Study& study)
{
    return static_cast<int>(std::count_if(study.runs.begin(), study.runs.end(),
                                          [](const RunRecord& run) { return isFinal(run.state); }));
}

} // namespace

class MatrixCliTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    QProcess m_process;

    QString path(const char* name) const
    {
        return m_library->folder.filePath(QLatin1StringView(name));
    }
    void begin(const QStringList& arguments)
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                        arguments + QStringList{QStringLiteral("--library"), path("library"),
                                                QStringLiteral("--no-pictures"),
                                                QStringLiteral("--quiet")});
    }
    Study study() const
    {
        const auto loaded = loadStudy(path("out"));
        return loaded ? loaded.value() : Study();
    }
    /// The supervisor and the command at once, as a computer that goes off.
    bool killAfter(int runs)
    {
        if (!QTest::qWaitFor([&] { return finalRuns(study()) >= runs; }, kHangMs))
            return false;
        if (const auto holder = lockHolder(path("out")))
            ::kill(pid_t(*holder), SIGKILL);
        m_process.kill();
        m_process.waitForFinished(kHangMs);
        return QTest::qWaitFor([&] { return !lockHolder(path("out")); }, kHangMs);
    }

private Q_SLOTS:
    void initTestCase() { qunsetenv("SCALEBENCH_ENGINE"); }
    void cleanup()
    {
        const bool clean =
            !m_library ||
            QTest::qWaitFor([this] { return m_library->processesLeft().isEmpty(); }, kHangMs);
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    void killedTwiceAndGoneOnWith()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        const bool full = fullCampaign(); // 48 runs
        const QString dimensions =
            full ? QStringLiteral("--set schedule.base_lr=0.05,0.1 --set options.overlap=on,off "
                                  "--repeats 3")
                 : QStringLiteral("--set schedule.base_lr=0.05,0.1");
        const int cells = full ? 48 : 8;
        begin(QStringList{QStringLiteral("run")} +
              QProcess::splitCommand(
                  QStringLiteral("resnet,ncf --workers 1,2 --epochs 1 --target none --threads 1 "
                                 "--oversubscribe --set resnet:data.train_samples=256 "
                                 "--set resnet:data.eval_samples=100 --set ncf:data.users=300 "
                                 "--set ncf:data.items=400 --set ncf:data.ratings_per_user=10 "
                                 "--set ncf:global_batch=512 ") +
                  dimensions) +
              QStringList{QStringLiteral("--out"), path("out")});
        QVERIFY(killAfter(cells / 6));
        begin({QStringLiteral("resume"), path("out")});
        QVERIFY(killAfter(cells / 2));
        begin({QStringLiteral("resume"), path("out")});
        QVERIFY(m_process.waitForFinished(kHangMs));
        QVERIFY2(m_process.exitCode() == 0, m_process.readAll());
        const Study ended = study();
        QCOMPARE(ended.runs.size(), cells);
        QSet<QString> ids;
        for (const RunRecord& run : ended.runs) {
            ids << run.config.runId;
            QVERIFY2(run.state == RunState::Completed, qPrintable(run.failure.message));
            QCOMPARE(run.evals.size(), 1);
            QCOMPARE(run.sequenceGaps + run.sequenceRepeats, 0);
        }
        const QStringList plan = readPlan(path("out")).value();
        QCOMPARE(ids, QSet<QString>(plan.begin(), plan.end()));
        QProcess python;
        python.setProcessChannelMode(QProcess::MergedChannels);
        python.start(QStringLiteral("python3"),
                     {QStringLiteral("-c"), QString::fromLatin1(kPython), path("out")});
        QVERIFY(python.waitForFinished(kHangMs));
        QCOMPARE(QString::fromUtf8(python.readAll()), QString());
        QCOMPARE(python.exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(MatrixCliTest)
#include "matrix_cli_test.moc"
