// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, event files of TensorBoard, reference convergence points and output of nccl-tests.
#include "import/collective_table.h"
#include "import/event_file.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "import/reference_check.h"
#include "import/take_in.h"
#include "library/library.h"
#include "run/study.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <cmath>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

QString put(const QTemporaryDir& dir, const QString& name, const QByteArray& bytes)
{
    QFile file(dir.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return file.fileName();
}

// A writer of event files, as TensorBoard's documentation describes them.
QByteArray varint(quint64 value)
{
    QByteArray bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += char(value | 0x80);
    return bytes + char(value);
}
template <typename T>
QByteArray fixed(T value)
{
    QByteArray bytes(sizeof(T), '\0');
    qToLittleEndian(value, bytes.data());
    return bytes;
}
QByteArray field(int number, const QByteArray& bytes)
{
    return varint(quint64(number) << 3 | 2) + varint(quint64(bytes.size())) + bytes;
}
QByteArray record(const QByteArray& data)
{
    const QByteArray length = fixed(quint64(data.size()));
    return length + fixed(quint32(maskedCrc32c(length))) + data +
           fixed(quint32(maskedCrc32c(data)));
}
QByteArray event(double seconds, qint64 step, const QByteArray& values)
{
    return record(varint(1 << 3 | 1) + fixed(seconds) + varint(2 << 3) + varint(quint64(step)) +
                  field(5, values));
}
QByteArray simple(const QByteArray& tag, float value)
{
    return field(1, field(1, tag) + varint(2 << 3 | 5) + fixed(value));
}
/// As version 2 writes scalars: a tensor of one number.
QByteArray tensor(const QByteArray& tag, float value)
{
    return field(1, field(1, tag) + field(8, varint(1 << 3) + varint(1) + field(4, fixed(value))));
}

QByteArray events()
{
    QByteArray bytes = record(varint(1 << 3 | 1) + fixed(1000.0) + field(3, "brain.Event:2"));
    for (int step = 0; step < 10; ++step) {
        bytes += event(1000 + step, step * 100, simple("train/loss", 2.0F - 0.1F * float(step)));
        bytes += event(1000 + step, step * 100, simple("epoch", 0.5F * float(step)));
        if (step % 3 == 2)
            bytes += event(1000.5 + step, step * 100, tensor("val/accuracy", 0.1F * float(step)));
    }
    return bytes;
}

QByteArray hugeEvents()
{
    return event(1020, 2000, simple("train/loss", 1e20F)) +
           event(1021, 2100, simple("train/loss", NAN)) +
           event(1022, qint64(1) << 62, simple("train/loss", 0.5F)) +
           event(1023, 2200, simple("val/accuracy", 3e38F)) +
           event(1024, 2300, simple("epoch", 1e30F));
}

} // namespace

class OtherFilesTest : public QObject
{
    Q_OBJECT

private slots:
    void crc()
    {
        // RFC 3720, B.4.
        QCOMPARE(crc32c(QByteArray(32, '\0')), 0x8a9136aaU);
        QCOMPARE(crc32c(QByteArray(32, '\xff')), 0x62a8ab43U);
        QCOMPARE(crc32c("123456789"), 0xe3069283U);
    }

    void eventFile()
    {
        QTemporaryDir dir;
        const QString path = put(dir, u"events.out.tfevents.1.host"_s, events());
        const ImportReport report = importFiles({dir.path()});
        QCOMPARE(report.converged, 1);
        QCOMPARE(report.files.first().path, QFileInfo(path).canonicalFilePath());
        const ImportedRun& run = report.files.first().runs.first();
        QCOMPARE(run.steps.size(), 10);
        QVERIFY(qAbs(run.steps[9].loss - 1.1) < 1e-6);
        QCOMPARE(run.steps[4].epoch, 2.0);
        QCOMPARE(run.evals.size(), 3);
        QVERIFY(qAbs(run.evals[2].value - 0.8) < 1e-6);
        QVERIFY(qAbs(run.evals[2].seconds - 8.5) < 1e-6);
        QVERIFY(qAbs(*run.minutes() - 9.0 / 60) < 1e-6);
    }

    void damagedEventFile()
    {
        const QByteArray whole = events();
        // Cut anywhere, it gives what stands before the cut.
        int last = 0;
        for (qsizetype size = 0; size <= whole.size(); size += 3) {
            const auto file = parseEventFile(whole.left(size), u"x"_s);
            if (!file)
                continue;
            QVERIFY(file.value().records >= last);
            last = file.value().records;
            QVERIFY(size == whole.size() || file.value().defectCount <= 1);
        }
        // One wrong byte in the data of a record costs that record only.
        QByteArray bad = whole;
        bad[bad.indexOf("train/loss") + 2] = 'X';
        const auto file = parseEventFile(bad, u"x"_s);
        QVERIFY(file);
        QCOMPARE(file.value().defectCount, 1);
        QCOMPARE(file.value().scalars.value(u"train/loss"_s).size(), 9);
        // Every single wrong byte is survived.
        for (qsizetype i = 0; i < whole.size(); ++i) {
            QByteArray one = whole;
            one[i] = char(one[i] ^ 0x5a);
            (void)parseEventFile(one, u"x"_s);
        }
        QVERIFY(!parseEventFile("not one at all, but long enough", u"x"_s));
        // A length beyond the file, with a right checksum.
        const QByteArray length = fixed(quint64(1) << 62);
        const auto huge =
            parseEventFile(whole + length + fixed(quint32(maskedCrc32c(length))) + "xx", u"x"_s);
        QCOMPARE(huge.value().defectCount, 1);
    }

    /// One huge value costs its point, is named, and leaves a record that can be read.
    void hugeValuesInEvents()
    {
        QTemporaryDir dir;
        put(dir, u"events.out.tfevents.1.host"_s, events() + hugeEvents());
        const ImportReport report = importFiles({dir.path()});
        const ImportedRun& run = report.files.first().runs.first();
        QCOMPARE(run.steps.size(), 10);
        QCOMPARE(run.evals.size(), 3);
        const QString said = run.remarks.join(u'\n');
        QVERIFY2(said.contains(u"\"train/loss\" at step 2000 is 1e+20"_s), qPrintable(said));
        QCOMPARE(said.count(u"left out"_s), 5);
        const auto library = Library::open(dir.filePath(u"library"_s)).value();
        const auto stored = storeImports(*library, report);
        QVERIFY(stored);
        QVERIFY(loadStudy(library->findStudyDir(stored.value().studies.first()).value()));
    }

    void remarksNameTheFileOnce()
    {
        QTemporaryDir dir;
        const QString path = put(dir, u"unknown.csv"_s, "first;second\n1;2,5\n");
        const QStringList remarks = importRemarks(importFiles({path}));
        QCOMPARE(remarks.size(), 1);
        QCOMPARE(remarks.first().count(u"unknown.csv"_s), 1);
        QVERIFY2(remarks.first().endsWith(u"It has: first, second."_s),
                 qPrintable(remarks.first()));
    }

    /// Once, with its line, whether or not a run came of the table.
    void remarksNameALineOnce()
    {
        QTemporaryDir dir;
        const QStringList remarks =
            importRemarks(importFiles({put(dir, u"a.csv"_s, "workers,minutes\n0,10\n2,x\n")}));
        QCOMPARE(remarks.size(), 2);
        QVERIFY2(remarks[0].contains(u"line 2: \"0\""_s), qPrintable(remarks[0]));
    }

    void referencePoints()
    {
        const QByteArray json =
            "{\"net_ref_256\": {\"Benchmark\": \"net\", \"Creator\": \"A\", \"BS\": 256, "
            "\"Hyperparams\": {}, \"Epochs to converge\": [4, 5, 4, 6, 4]}, \"net_ref_128\": "
            "{\"Benchmark\": \"net\", \"BS\": 128, \"samples to converge\": [10, 20]}}";
        QTemporaryDir dir;
        const QString path = put(dir, u"rcps_net.json"_s, json);
        const ImportReport report = importFiles({path});
        QCOMPARE(report.references, 1);
        const QList<ReferencePoint>& points = report.files.first().references;
        QCOMPARE(points.size(), 2);
        QCOMPARE(points[0].globalBatch, 128);
        QCOMPARE(points[0].unit, u"samples"_s);
        QVERIFY(qAbs(points[1].mean() - 13.0 / 3) < 1e-12); // without one 4 and the 6
        QVERIFY(qAbs(points[1].deviation() - std::sqrt(0.8)) < 1e-12);
        const auto library = Library::open(dir.filePath(u"library"_s)).value();
        QCOMPARE(storeImports(*library, report).value().references, 1);
        const StoreOutcome again = storeImports(*library, report).value();
        QCOMPARE(again.knownReferences, 1);
        QCOMPARE(again.known, 0); // that counts runs
        QCOMPARE(importFiles(storedReferences(library->dir())).references, 1);
        // What they say of runs: one is as quick as the reference, one is not.
        QList<RunRecord> runs;
        for (const double epochs : {4.0, 40.0}) {
            RunRecord run;
            run.config.runId = u"after %1"_s.arg(epochs);
            run.config.workload = u"net"_s;
            run.config.globalBatch = 256;
            run.config.target = 0.5;
            run.state = RunState::Completed;
            run.evals << EvalPoint{epochs, 0, 1, 0.6, {}};
            runs << run;
        }
        const QStringList remarks = remarksOfStoredPoints(runs, library->dir());
        QCOMPARE(remarks.size(), 2);
        QVERIFY2(remarks[0].endsWith(u"2 run(s) compared, 1 suspicious."_s),
                 qPrintable(remarks[0]));
        QVERIFY2(remarks[1].startsWith(u"after 40"_s), qPrintable(remarks[1]));
        runs[0].config.globalBatch = runs[1].config.globalBatch = 64;
        QVERIFY(remarksOfStoredPoints(runs, library->dir()).isEmpty());
        QVERIFY(!parseReferencePoints("{\"a\": {\"BS\": 1}}", u"x"_s));
        QVERIFY(!parseReferencePoints("{\"a\": {\"Benchmark\": \"b\", \"BS\": 1, \"Epochs to "
                                      "converge\": [1, \"x\"]}}",
                                      u"x"_s));
    }

    void ncclText()
    {
        const QByteArray text =
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor)\n"
            "# Using devices\n"
            "#  Rank  0 Group  0 Pid   6899 on node1 device  0 [0000:04:00] Example A1\n"
            "#  Rank  1 Group  0 Pid   6900 on node2 device  0 [0000:05:00] Example A1\n"
            "#       size         count      type   redop    root     time   algbw   busbw #wrong  "
            "   time   algbw   busbw #wrong\n"
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)         "
            "   (us)  (GB/s)  (GB/s)\n"
            "           8             2     float     sum      -1    13.31    0.01    0.02      0  "
            "  "
            "12.90    0.02    0.03      0\n"
            "        1024           256     float     sum      -1    20.00    5.00    7.50    N/A  "
            "  "
            "21.00    4.80    7.20    N/A\n"
            "  a row that is none\n"
            "        2048 512\n"
            "# Avg bus bandwidth    : 3.6875\n";
        const auto table = parseCollectiveTable(text, u"x"_s);
        QVERIFY2(table, table ? "" : qPrintable(table.failure().message));
        QCOMPARE(table.value().ranks, 2);
        QCOMPARE(table.value().hosts, 2);
        QCOMPARE(table.value().rows.size(), 2);
        QCOMPARE(table.value().defectCount, 1);
        QCOMPARE(table.value().rows[0].inPlace->busGBs, 0.03);
        QCOMPARE(table.value().rows[1].outOfPlace->microseconds, 20.0);
        QVERIFY(!table.value().rows[1].outOfPlace->wrong);
        QCOMPARE(*table.value().averageBusGBs, 3.6875);
    }

    /// One damaged row and one of wrong results: the rest is kept, and both are told.
    void ncclWithDamage()
    {
        const QByteArray text =
            "# nThread 1 nGpus 2\n# Collective test starting: all_reduce_perf\n"
            "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
            "1024 256 float sum -1 10.0 100 100 0 11.0 90 90 0\n"
            "2048 512 float sum -1 10.0 200 200 4 11.0 180 180 0\n"
            "4096 1024 flo\n";
        QTemporaryDir dir;
        const auto library = Library::open(dir.filePath(u"library"_s));
        QVERIFY(library);
        const TakenIn taken = takeIn({put(dir, u"nccl.txt"_s, text)}, library.value().get(), {});
        QCOMPARE(taken.report.files.first().outcome, FileOutcome::Damaged);
        QVERIFY(taken.stored);
        QCOMPARE(taken.stored->references, 1);
        QCOMPARE(storedReferences(library.value()->dir(), u"nccl_tests"_s).size(), 1);
        const QString remarks = importRemarks(taken.report).join(u'\n');
        QVERIFY2(remarks.contains(u"kept; the workbench draws it"_s) &&
                     remarks.contains(u"1 of 4 bandwidths are of wrong results"_s),
                 qPrintable(remarks));
        // Nothing of it can be read: nothing is kept, nor said to be.
        const TakenIn none = takeIn({put(dir, u"none.txt"_s, text.left(text.indexOf("1024")))},
                                    library.value().get(), {});
        QVERIFY(!importRemarks(none.report).join(u'\n').contains(u"kept"_s));
        QCOMPARE(storedReferences(library.value()->dir(), u"nccl_tests"_s).size(), 1);
    }

    /// What `scalebench bench` wrote: collectives are kept, of the rest is said what it is.
    void ownBenchmarks()
    {
        const QByteArray collectives =
            "bytes,place,workers,ours_algbw_gb_per_s,ours_busbw_gb_per_s,ours_wrong\n"
            "4096,out-of,2,0.125,0.1875,0\n";
        const QByteArray storage = R"({
  "benchmark": "storage", "format": "scalebench.bench",
  "results": [{"pattern": "sequential read", "method": "O_DIRECT", "gb_per_s": 2.5}]})";
        const QByteArray gemm = "problem,m,n,k,median_ms,share_of_peak_percent\n1,2,2,2,0.1,50\n";
        QTemporaryDir dir;
        const auto library = Library::open(dir.filePath(u"library"_s));
        QVERIFY(library);
        const TakenIn taken = takeIn({put(dir, u"a.csv"_s, collectives),
                                      put(dir, u"b.json"_s, storage), put(dir, u"c.csv"_s, gemm)},
                                     library.value().get(), {});
        QVERIFY(taken.stored && taken.stored->references == 1);
        QCOMPARE(storedReferences(library.value()->dir(), u"bench_collectives"_s).size(), 1);
        const QString remarks = importRemarks(taken.report).join(u'\n');
        for (const char* told : {"a.csv: kept; the workbench draws it", "b.json: skipped: rates of",
                                 "c.csv: skipped: a benchmark of"})
            QVERIFY2(remarks.contains(QLatin1StringView(told)), qPrintable(remarks));
    }

    /// No log, but what may have one in it.
    void packedFiles()
    {
        QTemporaryDir dir;
        const ImportReport report = importFiles({put(dir, u"a.txt.gz"_s, "\x1f\x8b\x08 packed"),
                                                 put(dir, u"b.zip"_s, "<html>not found</html>")});
        QVERIFY2(report.files[0].reason.contains(u"unpack it"_s),
                 qPrintable(report.files[0].reason));
        QVERIFY2(report.files[1].reason.contains(u"it is no archive"_s),
                 qPrintable(report.files[1].reason));
    }

    void ncclJson()
    {
        const QByteArray json =
            "{\"version\":2,\"args\":[\"./build/"
            "all_reduce_perf\",\"-g\",\"2\"],\"nccl_version\":22703,"
            "\"config\":{\"ngpus\":2,\"devices\":[{\"rank\":0,\"hostname\":\"n1\",\"device_info\":"
            "\"A1\"},"
            "{\"rank\":1,\"hostname\":\"n1\",\"device_info\":\"A1\"}]},"
            "\"results\":[{\"size\":1024,\"count\":256,\"type\":\"float\",\"redop\":\"sum\","
            "\"out_of_place\":{\"time\":20.0,\"alg_bw\":5.0,\"bus_bw\":7.5,\"nwrong\":\"nan\"},"
            "\"in_place\":null},{\"size\":1}],\"average_bus_bandwidth\":{\"bandwidth\":7.5}}";
        QTemporaryDir dir;
        const ImportReport report = importFiles({put(dir, u"run.json"_s, json)});
        const ImportedFile& file = report.files.first();
        QCOMPARE(file.kind, u"nccl_tests"_s);
        QCOMPARE(file.outcome, FileOutcome::Damaged); // one result has no time
        QCOMPARE(file.collectives->collective, u"all_reduce"_s);
        QCOMPARE(file.collectives->ranks, 2);
        QCOMPARE(file.collectives->rows.size(), 1);
        QCOMPARE(file.collectives->rows[0].outOfPlace->busGBs, 7.5);
    }
};

QTEST_GUILESS_MAIN(OtherFilesTest)
#include "other_files_test.moc"
