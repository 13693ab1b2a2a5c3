// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs were disturbed, from records of the stream.

#include "run/disturbance.h"
#include "run/run_record.h"
#include "run/run_series.h"
#include "run/stream_parser.h"

#include <QFile>
#include <QTest>

using namespace scalebench;

namespace {

HostLoad load(int epoch, double others, double own = 1, double seconds = 10)
{
    HostLoad l;
    l.epoch = epoch;
    l.host = QStringLiteral("node1");
    l.seconds = seconds;
    l.processors = 8;
    l.own = own;
    l.others = others;
    return l;
}

RunRecord runWith(const QList<HostLoad>& loads, const QString& device = QStringLiteral("cpu"))
{
    RunRecord run;
    run.config.device = device;
    run.hostLoads = loads;
    return run;
}

QByteArray ours(const char* key, const QByteArray& value)
{
    return QByteArray(":::MLLOG {\"namespace\":\"scalebench\",\"time_ms\":1,\"event_type\":"
                      "\"POINT_IN_TIME\",\"key\":\"") +
           key + "\",\"value\":" + value + ",\"metadata\":{}}\n";
}

RunRecord recordOf(const QByteArray& stream)
{
    StreamParser parser;
    RunRecord record;
    record.apply(parser.feed(stream));
    return record;
}

} // namespace

class DisturbanceTest : public QObject
{
    Q_OBJECT
private slots:
    void quiet()
    {
        QVERIFY(disturbances({}).isEmpty());
        // A tenth of eight processors is what other work may take.
        QVERIFY(disturbances(runWith({load(1, 0.79), load(2, 0.1)})).isEmpty());
    }

    void otherProcesses()
    {
        const QStringList found =
            disturbances(runWith({load(1, 0.1), load(2, 1.5), load(3, 2.04), load(4, 0)}));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first(),
                 QStringLiteral("On node1, other processes kept up to 2.0 of 8 processors busy in "
                                "epochs 2 to 3."));
    }

    void gaps()
    {
        QVERIFY(disturbances(runWith({load(1, 2), load(2, 0), load(5, 2)}))
                    .first()
                    .contains(QStringLiteral("in 2 epochs from 1 to 5")));
        QVERIFY(disturbances(runWith({load(7, 2)})).first().contains(QStringLiteral("in epoch 7")));
    }

    /// What lasts too short to move the mean, or to be counted at all, is none.
    void shortOnes()
    {
        QList<HostLoad> loads;
        for (int epoch = 1; epoch <= 30; ++epoch)
            loads << load(epoch, epoch == 4 ? 5 : 0);
        QVERIFY(disturbances(runWith(loads)).isEmpty());
        QVERIFY(disturbances(runWith({load(1, 5, 1, 0.1)})).isEmpty());
    }

    /// A GPU's training needs few processors: others count where none is left.
    void gpuRuns()
    {
        QVERIFY(disturbances(runWith({load(1, 4)}, QStringLiteral("cuda"))).isEmpty());
        QCOMPARE(disturbances(runWith({load(1, 7)}, QStringLiteral("cuda"))).size(), 1);
    }

    void stolenAndSwapped()
    {
        HostLoad bad = load(1, 0);
        bad.stolen = 0.04;
        bad.swappedBytes = 15 << 20;
        QVERIFY(disturbances(runWith({bad})).isEmpty());
        bad.stolen = 0.06;
        bad.swappedBytes = 17 << 20;
        QCOMPARE(disturbances(runWith({bad})).first(),
                 QStringLiteral("On node1, the hypervisor took up to 0.06 processors away in epoch "
                                "1; the host swapped 17 MiB."));
    }

    /// Of a run that waits for its GPU any moment is a large share.
    void nextToNothingDisturbsNobody()
    {
        HostLoad idle = load(1, 0);
        idle.own = 0.02;
        idle.stolen = 0.004;
        QVERIFY(disturbances(runWith({idle})).isEmpty());
    }

    void eachHostIsNamed()
    {
        HostLoad other = load(1, 3);
        other.host = QStringLiteral("node2");
        QCOMPARE(disturbances(runWith({load(1, 3), other})).size(), 2);
    }

    void slowGpu()
    {
        QByteArray stream;
        for (int i = 0; i < 10; ++i)
            stream += ours("gpu", i < 2 ? "{\"throttle\":[\"power_cap\",\"hw_thermal\"]}"
                                        : "{\"throttle\":[\"power_cap\"]}");
        RunRecord run = recordOf(stream);
        QCOMPARE(run.unknownKeys, qint64(0));
        QCOMPARE(disturbances(run),
                 QStringList{QStringLiteral(
                     "The GPU of worker 0 was slowed down (hw_thermal) in 2 of 10 readings.")});
        run = recordOf(ours("gpu", "{\"throttle\":[\"power_cap\",\"idle\"]}"));
        QVERIFY(disturbances(run).isEmpty());
    }

    /// What the engine's writer wrote.
    void goldenStream()
    {
        QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/not_reached.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const RunRecord run = recordOf(file.readAll());
        QCOMPARE(run.hostLoads.size(), 4);
        QCOMPARE(run.hostLoads.last().epoch, 4);
        QCOMPARE(run.hostLoads.last().own, 1.25);
        QCOMPARE(run.hostLoads.last().swappedBytes, qint64(4096));
        QVERIFY(disturbances(run).first().startsWith(
            QStringLiteral("On node-a, other processes kept up to 0.8 of 2 processors busy")));
        QVERIFY(runMarks(run).contains(QStringLiteral("disturbed")));
    }

    void hostileRecords()
    {
        const RunRecord run = recordOf(ours(
            "epoch_split", "{\"epoch\":1,\"ranks\":[],\"hosts\":[7,{\"host\":\"a\\n\\u001b[2Jb\","
                           "\"seconds\":1e300,\"processors\":-4,\"others\":1e300,\"stolen\":\"x\","
                           "\"swapped_bytes\":-9},{\"host\":{},\"seconds\":null}]}"));
        for (const QString& sentence : disturbances(run))
            for (const QChar c : sentence)
                QVERIFY(c.isPrint());
        QCOMPARE(recordOf(ours("gpu", "{\"throttle\":\"hw_thermal\"}")).gpuReadings.slowed,
                 qint64(0));
    }
};

QTEST_GUILESS_MAIN(DisturbanceTest)
#include "disturbance_test.moc"
