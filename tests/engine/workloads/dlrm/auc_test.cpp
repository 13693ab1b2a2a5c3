// SPDX-License-Identifier: GPL-3.0-or-later
// The area under the ROC curve against its definition, pair by pair, and against scikit-learn.

#include "engine/data/hash_random.h"
#include "engine/workloads/dlrm/auc.h"
#include "kernels/check.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <vector>

using namespace scalebench;
using namespace scalebench::workloads;

class DlrmAucTest : public QObject
{
    Q_OBJECT

    /// Rounded, so that many scores tie.
    static ClickScores drawn(uint64_t seed, size_t clicked, size_t passed, double step)
    {
        data::HashRandom random({seed});
        ClickScores scores;
        for (size_t i = 0; i < clicked; ++i)
            scores.clicked.push_back(float(std::round((random.roughNormal() + 1) / step) * step));
        for (size_t i = 0; i < passed; ++i)
            scores.passed.push_back(float(std::round(random.roughNormal() / step) * step));
        return scores;
    }
    static double byPairs(const ClickScores& scores)
    {
        double right = 0;
        for (const float a : scores.clicked)
            for (const float b : scores.passed)
                right += a > b ? 1 : a == b ? 0.5 : 0;
        return right / double(scores.clicked.size()) / double(scores.passed.size());
    }

private slots:
    void isTheShareOfPairsInOrder()
    {
        for (const double step : {1e-6, 0.1, 1.0, 100.0})
            for (uint64_t seed = 1; seed < 6; ++seed) {
                const ClickScores scores = drawn(seed, 40 * seed, 331, step);
                QVERIFY(std::abs(areaUnderCurve(scores) - byPairs(scores)) < 1e-12);
            }
    }

    /// roc_auc_score of scikit-learn 1.7, the example of its documentation.
    void publishedExample()
    {
        ClickScores scores;
        scores.passed = {0.1f, 0.4f};
        scores.clicked = {0.35f, 0.8f};
        QCOMPARE(areaUnderCurve(scores), 0.75);
        scores.clicked = {0.4f, 0.4f};
        scores.passed = {0.4f};
        QCOMPARE(areaUnderCurve(scores), 0.5);
    }

    /// Scores with and without ties, of which each worker of several has a part.
    void equalsScikitLearn()
    {
        QFile file(
            QStringLiteral(SB_SOURCE_DIR "/tests/engine/workloads/dlrm/fixtures/roc_auc.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readLine().startsWith("# roc_auc_score of scikit-learn"));
        int sets = 0;
        while (!file.atEnd()) {
            const QByteArrayList head = file.readLine().trimmed().split(' ');
            QCOMPARE(head.size(), 4);
            QCOMPARE(head[0], QByteArray("set"));
            std::vector<std::pair<bool, float>> rows;
            for (int i = 0; i < head[2].toInt(); ++i) {
                const QByteArrayList row = file.readLine().trimmed().split(' ');
                QCOMPARE(row.size(), 2);
                rows.emplace_back(row[0] == "1", row[1].toFloat());
            }
            for (const size_t workers : {1, 3, 8}) {
                std::vector<ClickScores> parts(workers);
                for (size_t i = 0; i < rows.size(); ++i) {
                    ClickScores& part = parts[i * workers / rows.size()];
                    (rows[i].first ? part.clicked : part.passed).push_back(rows[i].second);
                }
                ClickScores merged;
                for (const ClickScores& part : parts)
                    merged.add(part.bytes());
                const double area = areaUnderCurve(merged);
                QVERIFY2(std::abs(area - head[3].toDouble()) < 1e-6,
                         (head[1] + ": " + QByteArray::number(area, 'g', 12)).constData());
            }
            ++sets;
        }
        QCOMPARE(sets, 6);
    }

    void partsOfWorkersGiveTheSame()
    {
        const ClickScores whole = drawn(9, 1000, 3000, 0.01);
        const double wanted = areaUnderCurve(whole);
        for (const size_t workers : {1, 2, 3, 7}) {
            ClickScores merged;
            for (size_t rank = 0; rank < workers; ++rank) {
                ClickScores part;
                for (size_t i = rank; i < whole.clicked.size(); i += workers)
                    part.clicked.push_back(whole.clicked[i]);
                for (size_t i = rank; i < whole.passed.size(); i += workers)
                    part.passed.push_back(whole.passed[i]);
                merged.add(part.bytes());
            }
            merged.add(ClickScores().bytes()); // a worker without rows
            QCOMPARE(areaUnderCurve(merged), wanted);
        }
    }

    void oneLabelHasNoCurve()
    {
        ClickScores scores;
        QVERIFY(std::isnan(areaUnderCurve(scores)));
        scores.clicked = {1, 2};
        QVERIFY(std::isnan(areaUnderCurve(scores)));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, scores.add("torn"));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, scores.add(std::string(12, '\x7f')));
    }
};

QTEST_GUILESS_MAIN(DlrmAucTest)
#include "auc_test.moc"
