// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted times. The measured ones are Dell's of MLPerf v2.0 (resources/references); what the
// model should make of them was computed with NumPy: least squares on the relative scale over every
// choice of terms, the best one without a negative coefficient, and quantiles from printed tables.
#include "analysis/step_model.h"

#include <QTest>

#include <cmath>

using namespace scalebench;

namespace {

/// Workers, batch, minutes per epoch, epochs.
const QList<QList<double>> kResnet{{4, 1024, 1.7775, 35},   {8, 1632, 0.9558, 35},
                                   {16, 3264, 0.4885, 35},  {32, 3264, 0.2796, 35},
                                   {64, 13056, 0.1229, 45}, {128, 16384, 0.0694, 47}};
const QList<QList<double>> kMaskRcnn{{4, 48, 6.4783, 14},   {8, 96, 3.2221, 14},
                                     {16, 128, 1.8185, 14}, {32, 128, 1.1166, 14},
                                     {64, 128, 0.7358, 14}, {128, 256, 0.4491, 16.333}};

QList<StepSample> samplesOf(const QList<QList<double>>& rows, qsizetype first)
{
    QList<StepSample> samples;
    for (const QList<double>& row : rows.first(first))
        samples << StepSample{int(row[0]), row[1], row[2] * 60, row[3]};
    return samples;
}

bool isNear(double value, double expected, double share = 1e-6)
{
    if (std::abs(value - expected) <= share * std::abs(expected))
        return true;
    qWarning("%.9g instead of %.9g", value, expected);
    return false;
}

} // namespace

class StepModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void coefficientsAndLeftOutErrors()
    {
        const auto model = StepModel::fit(samplesOf(kResnet, 6));
        QVERIFY(model);
        // Of minutes; here the epochs are in seconds.
        QVERIFY(isNear(model->a(), 60 * 121.5361265));
        QVERIFY(isNear(model->b(), 60 * 6.586014262));
        QVERIFY(isNear(model->c(), 60 * 24.74077072));
        const QList<double> errors{0.03853151, -0.01912267, -0.02399735,
                                   0.04473624, 0.01052222,  0.00170152};
        for (int i = 0; i < 6; ++i)
            QVERIFY(isNear(model->leftOutErrors()[i], errors[i], 1e-5));
        QVERIFY(isNear(model->error(), 0.02751112, 1e-6));
        QVERIFY(isNear(model->worstError(), 0.04473624, 1e-6));
        QVERIFY(model->mixedBatches());
        // A term that would be negative is none.
        const auto heavy = StepModel::fit(samplesOf(kMaskRcnn, 6));
        QCOMPARE(heavy->a(), 0.0);
        QVERIFY(isNear(heavy->b(), 60 * 24.29312034));
        QVERIFY(isNear(heavy->c(), 60 * 8.597860401));
        QVERIFY(isNear(heavy->error(), 0.08753410));
    }

    /// From 32 and fewer to 64 and 128, whose times are known.
    void whatWasNotMeasured()
    {
        const auto model = StepModel::fit(samplesOf(kResnet, 4));
        const auto at64 = model->predict(64, 13056, 45);
        const auto at128 = model->predict(128, 16384, 47);
        QVERIFY(at64 && at128);
        QVERIFY(!at64->far);
        QVERIFY(at128->far);
        QVERIFY(isNear(at64->timeS, 0.12752437 * 60 * 45));
        QVERIFY(isNear(at64->low90, 0.10126279 * 60 * 45));
        QVERIFY(isNear(at64->high90, 0.16059665 * 60 * 45));
        QVERIFY(isNear(at64->low50, 0.11831628 * 60 * 45));
        QVERIFY(isNear(at128->timeS, 0.07221956 * 60 * 47));
        QVERIFY(isNear(at128->low90, 0.05110223 * 60 * 47));
        QVERIFY(!model->predict(256, 16384, 47)); // 8 times as many as were measured
        QVERIFY(!model->predict(0, 1024, 35));
        QVERIFY(!model->predict(64, 13056, 0));
    }

    /// Nine in ten of what was measured later should lie in the interval; of these all do.
    void intervalsHoldWhatWasMeasuredLater()
    {
        for (const auto& rows : {kResnet, kMaskRcnn})
            for (const qsizetype first : {3, 4, 5}) {
                const auto model = StepModel::fit(samplesOf(rows, first));
                for (qsizetype later = first; later < rows.size(); ++later) {
                    const auto p = model->predict(int(rows[later][0]), rows[later][1], 1);
                    if (!p)
                        continue;
                    const double measured = rows[later][2] * 60;
                    QVERIFY(p->low90 < measured && measured < p->high90);
                    QVERIFY(p->low90 < p->low50 && p->low50 < p->timeS);
                    QVERIFY(p->timeS < p->high50 && p->high50 < p->high90);
                }
            }
    }

    /// Times made by the rule itself are found again, and without error.
    void itsOwnRule_data()
    {
        QTest::addColumn<double>("batch");
        QTest::addColumn<bool>("each");
        QTest::newRow("one batch for all") << 256.0 << false;
        QTest::newRow("one batch for each worker") << 32.0 << true;
    }
    void itsOwnRule()
    {
        QFETCH(double, batch);
        QFETCH(bool, each);
        const auto epochAt = [&](int workers) {
            const double global = each ? batch * workers : batch;
            return (3 + 2 * global / workers + 5 * std::log2(workers)) / global;
        };
        QList<StepSample> samples;
        for (const int workers : {8, 1, 2, 4, 16})
            samples << StepSample{workers, each ? batch * workers : batch, epochAt(workers), 10};
        const auto model = StepModel::fit(samples);
        QVERIFY(model);
        QVERIFY(model->error() < 1e-9);
        QVERIFY(!model->mixedBatches());
        QCOMPARE(model->samples().first().workers, 1);
        const auto p = model->predict(32);
        QVERIFY(p);
        QCOMPARE(p->globalBatch, each ? batch * 32 : batch);
        QCOMPARE(p->epochs, 10.0);
        QVERIFY(isNear(p->timeS, 10 * epochAt(32), 1e-9));
    }

    /// The epochs are those of the nearest batch, not a mean of all.
    void epochsFollowTheBatch()
    {
        const auto model = StepModel::fit(samplesOf(kResnet, 6));
        QCOMPARE(model->predict(256)->epochs, 47.0);
        QCOMPARE(model->predict(2)->epochs, 35.0);
        QCOMPARE(model->predict(256)->globalBatch, 16384.0);
    }

    /// No surer than one more run would be.
    void scatterOfRepeats()
    {
        const auto sure = StepModel::fit(samplesOf(kResnet, 6));
        const auto scattered = StepModel::fit(samplesOf(kResnet, 6), 0.1);
        QCOMPARE(scattered->predict(256)->timeS, sure->predict(256)->timeS);
        const auto half = [](const StepModel& model) {
            const auto p = model.predict(256);
            return std::log(p->high90 / p->timeS) / 2 / 2.0150483733; // t of 5 degrees, 1 doubling
        };
        QVERIFY(isNear(std::pow(half(*scattered), 2) - std::pow(half(*sure), 2), 0.01));
        QVERIFY(isNear(half(*StepModel::fit(samplesOf(kResnet, 6), std::nan(""))), half(*sure)));
    }

    void tooFew()
    {
        QVERIFY(!StepModel::fit({}));
        QVERIFY(!StepModel::fit(samplesOf(kResnet, 2)));
        QList<StepSample> twice = samplesOf(kResnet, 2);
        twice << twice.first();
        QVERIFY(!StepModel::fit(twice)); // the same counts
        QList<StepSample> untold = samplesOf(kResnet, 3);
        untold[1].globalBatch = 0;
        QVERIFY(!StepModel::fit(untold));
        QVERIFY(StepModel::fit(samplesOf(kResnet, 3)));
    }
};

QTEST_APPLESS_MAIN(StepModelTest)
#include "step_model_test.moc"
