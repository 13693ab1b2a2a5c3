// SPDX-License-Identifier: GPL-3.0-or-later
// The published results that come with the product: whole, consistent, and checked when read.
#include "import/published_results.h"

#include "analysis/speedup_table.h"
#include "import/published_studies.h"

#include <QFile>
#include <QSet>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray shipped()
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/resources/references/published_scaling.csv"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class PublishedResultsTest : public QObject
{
    Q_OBJECT

private slots:
    /// The analysis finds the speedups that the sources tell.
    void studies()
    {
        int compared = 0;
        for (const PublishedFigure& figure : publishedStudies()) {
            const Study study = publishedStudy(figure.id);
            QCOMPARE(publishedFigureOf(study), figure.id);
            QCOMPARE(study.spec.name, figure.title);
            const auto rows = speedupTable(study.runs);
            for (const PublishedResult& r : publishedResults()) {
                if (r.figure != figure.id || !r.speedup || !r.minutes)
                    continue;
                const auto row =
                    std::find_if(rows.begin(), rows.end(), [&r](const SpeedupRow& one) {
                        return one.workers == *r.gpus &&
                               qAbs(one.meanTimeS / 60 - *r.minutes) < 1e-3 * *r.minutes;
                    });
                QVERIFY2(row != rows.end(), qPrintable(r.system + u' ' + r.workload));
                QVERIFY2(qAbs(row->speedup - *r.speedup) < 0.002 * *r.speedup,
                         qPrintable(u"%1: %2, published %3"_s.arg(row->group)
                                        .arg(row->speedup)
                                        .arg(*r.speedup)));
                ++compared;
            }
        }
        QVERIFY(compared > 40);
        QVERIFY(publishedStudy(u"no such figure"_s).runs.isEmpty());
        QVERIFY(publishedFigureOf(Study()).isEmpty());
    }

    void builtIn()
    {
        const auto read = parsePublishedResults(shipped(), u"x"_s);
        QVERIFY2(read, read ? "" : qPrintable(read.failure().message));
        QCOMPARE(publishedResults().size(), read.value().size());
        QCOMPARE(publishedResults().size(), 240);
        QSet<QString> figures;
        for (const PublishedResult& r : publishedResults()) {
            figures.insert(r.figure);
            QVERIFY2(!r.minutes || !r.epochs || !r.minutesPerEpoch ||
                         qAbs(*r.minutes - *r.epochs * *r.minutesPerEpoch) < 0.02 * *r.minutes,
                     qPrintable(r.system + u' ' + r.workload));
            QVERIFY2(!r.gpus || !r.nodes || !r.gpusPerNode || *r.gpus == *r.nodes * *r.gpusPerNode,
                     qPrintable(r.system + u' ' + r.workload));
        }
        for (const PublishedFigure& figure : publishedFigures())
            QVERIFY2(figures.contains(figure.id), qPrintable(figure.id));
    }

    void scalingOfTheDgx1()
    {
        // Six workloads with 1, 4 and 8 GPUs; a speedup is the ratio of the times.
        QHash<QString, QHash<int, PublishedResult>> results;
        for (const PublishedResult& r : publishedResults())
            if (r.figure == "dgx1"_L1)
                results[r.workload][*r.gpus] = r;
        QCOMPARE(results.size(), 6);
        for (const auto& scales : results) {
            QCOMPARE(scales.size(), 3);
            for (const PublishedResult& r : scales)
                QVERIFY(qAbs(*scales[1].minutes / *r.minutes / *r.speedup - 1) < 1e-3);
        }
    }

    void damaged_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("a column") << QByteArray("workload,system") << QByteArray("workload,sytem");
        QTest::newRow("a number") << QByteArray(",1345.43,") << QByteArray(",-1345.43,");
        QTest::newRow("a figure") << QByteArray("\ndgx1,") << QByteArray("\ndgx9,");
        QTest::newRow("a cell") << QByteArray("\ndgx1,") << QByteArray("\ndgx1,x,");
        QTest::newRow("a quote") << QByteArray("\ndgx1,") << QByteArray("\n\"dgx1,");
    }
    void damaged()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QByteArray bytes = shipped();
        QVERIFY(bytes.contains(from));
        bytes.replace(bytes.indexOf(from), from.size(), to);
        const auto read = parsePublishedResults(bytes, u"published.csv"_s);
        QVERIFY(!read);
        QVERIFY(read.failure().message.contains(u"published.csv:"_s));
    }
};

QTEST_GUILESS_MAIN(PublishedResultsTest)
#include "published_results_test.moc"
