// SPDX-License-Identifier: GPL-3.0-or-later
// k workers with batch B/k give the update of one worker with batch B; the same seed gives the same
// run bit for bit.

#include "support/mpi_runner.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

class EquivalenceTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    int count_ = 0;

    struct Setting {
        QString network = QStringLiteral("plain");
        bool syncBn = false;
        int accumulate = 1;
        bool overlap = false;
        int seed = 1;
    };

    /// Two epochs' losses and accuracies, then all parameters after ten steps.
    std::vector<float> train(int workers, const Setting& s)
    {
        const QString out = dir_.filePath(QStringLiteral("p%1").arg(++count_));
        const auto run = scalebench::test::runUnderMpi(
            workers, QStringLiteral(SB_TRAIN_CHECKS),
            {out, s.network, QString::number(s.syncBn), QString::number(s.accumulate),
             QString::number(s.overlap), QString::number(s.seed)});
        if (run.exitCode != 0)
            qWarning("%s", run.output.constData());
        QFile file(out);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray bytes = file.readAll();
        std::vector<float> numbers(size_t(bytes.size()) / sizeof(float));
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(float));
        return numbers;
    }

    static double largestGap(const std::vector<float>& a, const std::vector<float>& b)
    {
        if (a.empty() || a.size() != b.size())
            return 1e9;
        double gap = 0;
        for (size_t i = 0; i < a.size(); ++i)
            gap = std::max(gap, double(std::abs(a[i] - b[i])));
        return gap;
    }

private slots:
    void initTestCase()
    {
        if (!scalebench::test::haveMpirun())
            QSKIP("mpirun is not installed");
    }
    void withoutBatchNorm_data()
    {
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<bool>("overlap");
        QTest::newRow("2 workers") << 2 << 1 << false;
        QTest::newRow("4 workers") << 4 << 1 << false;
        QTest::newRow("1 worker, 2 micro-batches") << 1 << 2 << false;
        QTest::newRow("2 workers, 4 micro-batches") << 2 << 4 << false;
        QTest::newRow("2 workers, overlapped") << 2 << 1 << true;
    }
    /// Only the order of additions differs: ten fp32 steps stay within 2e-5 of weights around 0.1.
    void withoutBatchNorm()
    {
        QFETCH(int, workers);
        QFETCH(int, accumulate);
        QFETCH(bool, overlap);
        Setting s;
        static const std::vector<float> alone = train(1, s);
        QVERIFY(!alone.empty());
        s.accumulate = accumulate;
        s.overlap = overlap;
        const double gap = largestGap(alone, train(workers, s));
        QVERIFY2(gap < 2e-5, qPrintable(QString::number(gap)));
    }
    void withSynchronisedBatchNorm_data()
    {
        QTest::addColumn<int>("workers");
        QTest::newRow("2 workers") << 2;
        QTest::newRow("4 workers") << 4;
    }
    /// Batch norm amplifies rounding: 1e-3 of gamma = 1 after ten steps; unsynchronised statistics
    /// are an order of magnitude off, which proves that the comparison can see them.
    void withSynchronisedBatchNorm()
    {
        QFETCH(int, workers);
        Setting s;
        s.network = QStringLiteral("resnet8");
        static const std::vector<float> alone = train(1, s);
        QVERIFY(!alone.empty());
        s.syncBn = true;
        const double gap = largestGap(alone, train(workers, s));
        QVERIFY2(gap < 1e-3, qPrintable(QString::number(gap)));
        s.syncBn = false;
        const double unsynchronised = largestGap(alone, train(workers, s));
        QVERIFY2(unsynchronised > 5 * gap, qPrintable(QString::number(unsynchronised)));
    }
    void sameSeedSameBits()
    {
        Setting s;
        s.network = QStringLiteral("resnet8");
        const std::vector<float> first = train(2, s);
        QVERIFY(!first.empty());
        QCOMPARE(train(2, s), first);
        s.seed = 2;
        QVERIFY(train(2, s) != first);
    }
};

QTEST_GUILESS_MAIN(EquivalenceTest)
#include "equivalence_test.moc"
