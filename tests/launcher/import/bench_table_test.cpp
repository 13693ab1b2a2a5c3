// SPDX-License-Identifier: GPL-3.0-or-later
// Files of `scalebench bench` and nccl-tests as curves and rates.
#include "import/bench_table.h"

#include "import/collective_table.h"

#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;

namespace {

const QByteArray kOwnCsv =
    "bytes,place,workers,ours_us,ours_spread_percent,ours_algbw_gb_per_s,ours_busbw_gb_per_s,"
    "ours_wrong,mpi_us,mpi_spread_percent,mpi_algbw_gb_per_s,mpi_busbw_gb_per_s,mpi_wrong,"
    "mpi_over_ours,share_of_copy_percent,copy_gb_per_s,note\n"
    "262144,out-of,2,20,1,0.5,0.75,0,80,1,0.25,0.375,0,4,1,9.5,\n"
    "4096,out-of,2,20,1,0.125,0.1875,0,80,1,0.0625,0.09375,0,4,1,12,\n"
    "4096,in,2,20,1,0.25,0.375,0,80,1,0.03,0.045,0,4,1,12,\n";

const QByteArray kOwnJson =
    R"({"format":"scalebench.bench","format_version":1,"benchmark":"allreduce","results":[
{"bytes":4096,"place":"out-of","workers":4,"ours_algbw_gb_per_s":1.5,"ours_busbw_gb_per_s":2.25,
 "mpi_algbw_gb_per_s":null,"mpi_busbw_gb_per_s":null,"copy_gb_per_s":8}]})";

const QByteArray kNccl = R"(# nThread 1 nGpus 8
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid  1 on node-a device  0 [0x07] NVIDIA H100
#  Rank  1 Group  0 Pid  2 on node-a device  1 [0x08] NVIDIA H100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256     float     sum      -1    10.0    0.10    0.20      0    11.0    0.09    0.18      0
        2048           512     float     sum      -1    10.0    0.20    0.40      0    11.0    0.18    0.36      0
)";

} // namespace

class BenchTableTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ownCsv()
    {
        QVERIFY(!isCollectiveTable(kOwnCsv)); // those are nccl-tests
        const auto curves = readCollectives(kOwnCsv, QStringLiteral("own.csv"));
        QVERIFY(curves);
        QCOMPARE(curves.value().size(), 5); // ours and MPI's, either place, and the limit
        const CollectiveCurve& ours = curves.value()[0];
        QCOMPARE(ours.what, QStringLiteral("2 worker(s), Scalebench"));
        QVERIFY(!ours.inPlace && !ours.isLimit);
        QCOMPARE(ours.points.size(), 2);
        QCOMPARE(ours.points[0].bytes, 4096.0); // ascending
        QCOMPARE(ours.points[1].busGBs, 0.75);
        QCOMPARE(ours.points[1].algorithmGBs, 0.5);
        const CollectiveCurve& limit = curves.value()[2];
        QVERIFY(limit.isLimit);
        QCOMPARE(limit.points[0].busGBs, 12.0);
    }

    void ownJson()
    {
        const auto curves = readCollectives(kOwnJson, QStringLiteral("own.json"));
        QVERIFY(curves);
        QCOMPARE(curves.value().size(), 2); // MPI's was not measured
        QCOMPARE(curves.value()[0].collective, QStringLiteral("allreduce"));
        QCOMPARE(curves.value()[0].points[0].busGBs, 2.25);
    }

    void nccl()
    {
        const auto curves = readCollectives(kNccl, QStringLiteral("nccl.txt"));
        QVERIFY(curves);
        QCOMPARE(curves.value().size(), 2);
        QCOMPARE(curves.value()[0].collective, QStringLiteral("all_reduce"));
        QCOMPARE(curves.value()[0].what, QStringLiteral("2 rank(s), NVIDIA H100"));
        QCOMPARE(curves.value()[0].device, QStringLiteral("NVIDIA H100"));
        QByteArray apart = kNccl; // over a network, which the device does not tell
        apart.replace("Pid  2 on node-a", "Pid  2 on node-b");
        QVERIFY(readCollectives(apart, QStringLiteral("nccl.txt")).value()[0].device.isEmpty());
        QCOMPARE(curves.value()[0].points[1].busGBs, 0.4);
        QVERIFY(curves.value()[1].inPlace);
    }

    /// A bandwidth of wrong results is none.
    void wrongResultsAreMarked()
    {
        QByteArray bytes = kNccl;
        bytes.replace("0.40      0", "0.40     17");
        const auto curves = readCollectives(bytes, QStringLiteral("nccl.txt"));
        QVERIFY(curves);
        QVERIFY(!curves.value()[0].points[0].isWrong && curves.value()[0].points[1].isWrong);
        QVERIFY(!curves.value()[1].points[1].isWrong);
        QByteArray own = kOwnJson;
        own.replace("\"mpi_algbw", "\"ours_wrong\":3,\"mpi_algbw");
        QVERIFY(readCollectives(own, QStringLiteral("own.json")).value()[0].points[0].isWrong);
    }

    void storage()
    {
        const auto rates = readStorageRates("pattern,method,bytes,gb_per_s\n"
                                            "sequential read,O_DIRECT,64,0.65\n"
                                            "sequential write,O_DIRECT,64,1.75\n",
                                            QStringLiteral("st.csv"));
        QVERIFY(rates);
        QCOMPARE(rates.value().size(), 2);
        QCOMPARE(rates.value()[0].pattern, QStringLiteral("sequential read"));
        QCOMPARE(rates.value()[0].gbPerS, 0.65);
    }

    void whatIsNone()
    {
        QCOMPARE(readCollectives("a,b\n1,2\n", QStringLiteral("x")).failure().code,
                 QStringLiteral("bench_damaged"));
        QCOMPARE(readCollectives("{\"format\":\"other\"}", QStringLiteral("x")).failure().code,
                 QStringLiteral("bench_damaged"));
        QVERIFY(!readCollectives("{\"format\":", QStringLiteral("x")));
        QCOMPARE(readStorageRates(kOwnJson, QStringLiteral("x")).failure().code,
                 QStringLiteral("bench_damaged"));
    }
};

QTEST_GUILESS_MAIN(BenchTableTest)
#include "bench_table_test.moc"
