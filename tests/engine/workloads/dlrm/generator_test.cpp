// SPDX-License-Identifier: GPL-3.0-or-later
// The generated clicks: the same everywhere, skewed, and with something in them that no single
// feature tells.

#include "engine/workloads/dlrm/auc.h"
#include "engine/workloads/dlrm/clicks_generator.h"
#include "kernels/check.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace scalebench;
using namespace scalebench::workloads;

class DlrmGeneratorTest : public QObject
{
    Q_OBJECT

    static ClicksSpec spec()
    {
        ClicksSpec spec;
        for (int64_t t = 0; t < kClickCategories; ++t)
            spec.tableRows.push_back(40 + 30 * t);
        spec.trainRows = 900;
        spec.evalRows = 100;
        return spec;
    }

private slots:
    /// A change to the model is a new set: it needs a new name.
    void rowsAreTheSameOnEveryPlatform()
    {
        const ClickModel model(spec());
        const Click click = model.row(ClickModel::Part::Training, 12345);
        const Click again = ClickModel(spec()).row(ClickModel::Part::Training, 12345);
        QCOMPARE(click.counts, again.counts);
        QCOMPARE(click.categories, again.categories);
        uint64_t sum = 0;
        for (int64_t i = 0; i < 1000; ++i) {
            const Click row = model.row(ClickModel::Part::Training, i);
            sum = sum * 31 + uint64_t(row.label) + uint64_t(uint32_t(row.counts[3])) * 7 +
                  row.categories[25] * 11;
        }
        QCOMPARE(sum, uint64_t(kFirstThousand));
    }

    void fewCategoriesAreCommon()
    {
        const ClickModel model(spec());
        int clicked = 0, common = 0;
        for (int64_t i = 0; i < 20000; ++i) {
            const Click row = model.row(ClickModel::Part::Evaluation, i);
            clicked += row.label;
            common += row.categories[25] < uint32_t(spec().tableRows[25]) / 16;
            for (size_t t = 0; t < kClickCategories; ++t)
                QVERIFY(row.categories[t] < uint32_t(spec().tableRows[t]));
        }
        QVERIFY2(clicked > 3000 && clicked < 8000, std::to_string(clicked).c_str());
        QVERIFY2(common > 9000 && common < 11000, std::to_string(common).c_str());
    }

    /// The true chance tells far more than a sum over what each feature says by itself (naive
    /// Bayes, fitted to some rows and measured on others).
    void pairsTellMoreThanSingleFeatures()
    {
        const ClickModel model(spec());
        std::array<std::map<uint32_t, std::pair<int, int>>, kClickCategories> means;
        for (int64_t i = 0; i < 60000; ++i) {
            const Click row = model.row(ClickModel::Part::Training, i);
            for (size_t t = 0; t < kClickCategories; ++t) {
                auto& [n, clicks] = means[t][row.categories[t]];
                ++n;
                clicks += row.label;
            }
        }
        ClickScores best, single;
        for (int64_t i = 0; i < 20000; ++i) {
            const Click row = model.row(ClickModel::Part::Evaluation, i);
            double sum = 0;
            for (size_t t = 0; t < kClickCategories; ++t) {
                const auto& [n, clicks] = means[t][row.categories[t]];
                sum += std::log((clicks + 1.0) / (n - clicks + 3.0));
            }
            (row.label ? best.clicked : best.passed).push_back(float(model.chance(row)));
            (row.label ? single.clicked : single.passed).push_back(float(sum));
        }
        const double bound = areaUnderCurve(best), sums = areaUnderCurve(single);
        qInfo("best possible %.4f, sum of single features %.4f", bound, sums);
        QVERIFY(bound > 0.84);
        QVERIFY(sums > 0.55 && sums < bound - 0.1);
    }

    void isWrittenOnceAndRead()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("set")).toStdString();
        ensureClicks(path, spec());
        const ClickData data = openClicks(path);
        QCOMPARE(data.training->rows(), int64_t(900));
        QCOMPARE(data.evaluation->rows(), int64_t(100));
        const ClickModel model(spec());
        std::vector<Click> rows(100);
        QCOMPARE(data.evaluation->read(0, rows), int64_t(100 * 160));
        for (int64_t i = 0; i < 100; ++i) {
            const Click wanted = model.row(ClickModel::Part::Evaluation, i);
            QCOMPARE(rows[size_t(i)].label, wanted.label);
            QCOMPARE(rows[size_t(i)].counts, wanted.counts);
            QCOMPARE(rows[size_t(i)].categories, wanted.categories);
        }
        ClicksSpec none = spec();
        none.tableRows.pop_back();
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, ClickModel{none});
    }

private:
    static constexpr uint64_t kFirstThousand = 39964001979426523;
};

QTEST_GUILESS_MAIN(DlrmGeneratorTest)
#include "generator_test.moc"
