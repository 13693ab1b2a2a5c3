// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of studies whose streams are known: what they say, that they are whole, and that nothing
// in them acts.

#include "report/study_report.h"

#include "analysis/result_files.h"
#include "import/bundle.h"
#include "report/report_findings.h"
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QXmlStreamReader>

using namespace scalebench;
using namespace scalebench::test;

namespace {

RunRecord runOf(int workers, double seconds, const QString& workload = QStringLiteral("resnet"))
{
    RunRecord run;
    run.config.runId = QStringLiteral("%1-%2").arg(workload).arg(workers);
    run.config.workload = workload;
    run.config.scale = QStringLiteral("desk");
    run.config.device = QStringLiteral("cpu");
    run.config.precision = QStringLiteral("fp32");
    run.config.dataSource = QStringLiteral("files");
    run.config.workers = workers;
    run.config.globalBatch = 128;
    run.config.target = 0.8;
    run.state = RunState::Completed;
    run.runStartMs = 1000;
    run.runStopMs = 1000 + seconds * 1000;
    run.finishedMs = 1'700'000'000'000;
    EvalPoint point;
    point.epoch = 4;
    point.value = 0.81;
    run.evals << point;
    return run;
}

/// All text of the document; fails where it is no well-formed XML or has what a report may not.
QString textOf(const QString& html)
{
    QXmlStreamReader xml(html);
    QString text;
    static const QStringList allowed{
        QStringLiteral("html"),  QStringLiteral("head"),  QStringLiteral("meta"),
        QStringLiteral("title"), QStringLiteral("style"), QStringLiteral("body"),
        QStringLiteral("h1"),    QStringLiteral("h2"),    QStringLiteral("p"),
        QStringLiteral("ul"),    QStringLiteral("li"),    QStringLiteral("table"),
        QStringLiteral("tr"),    QStringLiteral("th"),    QStringLiteral("td"),
        QStringLiteral("div"),   QStringLiteral("img"),   QStringLiteral("caption")};
    bool captioned = false;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && !allowed.contains(xml.name()))
            return QStringLiteral("not allowed: ") + xml.name().toString();
        if (xml.isStartElement() && xml.attributes().hasAttribute(QStringLiteral("onerror")))
            return QStringLiteral("an attribute that acts");
        if (xml.isStartElement() && xml.name() == u"tr" && !captioned)
            return QStringLiteral("a table without a caption");
        captioned |= xml.isStartElement() && xml.name() == u"caption";
        captioned &= !(xml.isEndElement() && xml.name() == u"table");
        if (xml.isCharacters())
            text += xml.text().toString() + u'\n';
    }
    return xml.hasError() ? QStringLiteral("no XML: ") + xml.errorString() : text;
}

Study studyOf(const QList<RunRecord>& runs)
{
    Study study;
    study.id = QStringLiteral("s");
    study.runs = runs;
    return study;
}

} // namespace

class StudyReportTest : public QObject
{
    Q_OBJECT
private slots:
    void scalingInSentences()
    {
        const QStringList found = report::reportFindings(
            studyOf({runOf(1, 100), runOf(2, 54), runOf(1, 60, QStringLiteral("ncf")),
                     runOf(2, 66, QStringLiteral("ncf"))}));
        const QString text = found.join(u'\n');
        QVERIFY2(text.contains(
                     QStringLiteral("2 workers are 1.85 times as fast as 1, 93 % of the ideal")),
                 qPrintable(text));
        QVERIFY2(
            text.contains(QStringLiteral("2 workers are 0.91 times as fast as 1, 45 % of the "
                                         "ideal. More workers bring nothing here: run copies")),
            qPrintable(text));
    }

    void cautions()
    {
        RunRecord synthetic = runOf(1, 10), failed = runOf(2, 10), disturbed = runOf(1, 12);
        synthetic.config.dataSource = QStringLiteral("synthetic");
        failed.state = RunState::Failed;
        HostLoad load;
        load.seconds = 10;
        load.processors = 2;
        load.others = 1;
        disturbed.hostLoads << load;
        const QString text =
            report::reportCautions(studyOf({synthetic, failed, disturbed})).join(u'\n');
        for (const char* part : {"1 run shared the hosts", "1 run failed", "1 run used synthetic"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
        QVERIFY(report::reportFindings({}).isEmpty());
    }

    void everythingIsPlainText()
    {
        const QString evil = QStringLiteral("<script>x()</script>\"'&%1 \u202e\x1b[2J");
        RunRecord run = runOf(1, 100);
        run.config.runId = evil;
        run.origin = evil;
        run.failure.message = evil;
        run.config.json.insert(QStringLiteral("optimizer"),
                               QJsonObject{{evil, QStringLiteral("<img src=x onerror=y>")}});
        Study study = studyOf({run, runOf(2, 60)});
        study.spec.name = evil;
        study.id = evil;
        const QJsonObject system{
            {QStringLiteral("nodes"), QJsonArray{QJsonObject{{QStringLiteral("host"), evil}}, 7}},
            {QStringLiteral("software"), QJsonObject{{evil, evil}}}};
        const QString html = report::reportHtml(study, system, {{evil, evil}});
        const QString text = textOf(html);
        QVERIFY2(text.contains(QStringLiteral("<script>x()</script>")), qPrintable(text.left(200)));
        QVERIFY(!text.contains(QChar(0x1b)) && !text.contains(QChar(0x202e)));
        QVERIFY(!html.contains(QStringLiteral("<script")));
    }

    void folderIsWhole()
    {
        qputenv("SCALEBENCH_GUI", "/no/such/program"); // pictures are the window tests'
        TemporaryLibrary library;
        const Study created = library.create({1, 2});
        const char* streams[] = {"reached_1_worker.txt", "reached_2_workers.txt"};
        for (int i = 0; i < 2; ++i) {
            QVERIFY(QFile::copy(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/") +
                                    QLatin1String(streams[i]),
                                created.runs[i].runDir + QStringLiteral("/result_0.txt")));
            QFile status(created.runs[i].runDir + QStringLiteral("/status.json"));
            QVERIFY(status.open(QIODevice::ReadOnly));
            const QByteArray ended = status.readAll().replace("\"queued\"", "\"completed\"");
            status.close();
            QVERIFY(status.open(QIODevice::WriteOnly) && status.write(ended) == ended.size());
        }
        const QString out = library.folder.filePath(QStringLiteral("report"));
        for (int time = 0; time < 2; ++time) { // the second takes the first one's place
            const auto written = report::writeReport(created.dir, out);
            QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.failure().message));
            QVERIFY(!written.value().without.isEmpty());
            QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                     (QStringList{QStringLiteral("bundle.zip"), QStringLiteral("curves.csv"),
                                  QStringLiteral("report.html"), QStringLiteral("runs.csv"),
                                  QStringLiteral("speedup.csv")}));
        }
        const Study study = loadStudy(created.dir).value();
        QFile csv(out + QStringLiteral("/speedup.csv")), page(out + QStringLiteral("/report.html"));
        QVERIFY(csv.open(QIODevice::ReadOnly) && page.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll(), speedupCsv(study));
        const QString text = textOf(QString::fromUtf8(page.readAll()));
        QVERIFY2(text.contains(study.runs[1].config.runId), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("82.0 %"))); // of the golden stream's last evaluation
        TemporaryLibrary other;
        const auto read = imports::readBundle(out + QStringLiteral("/bundle.zip"), *other.library);
        QVERIFY(read.ok());
        QCOMPARE(read.value().runs, 2);
    }

    void whereItCannotBeWritten()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        QCOMPARE(report::writeReport(study.dir, study.runs[0].runDir + QStringLiteral("/run.json"))
                     .failure()
                     .code,
                 QStringLiteral("file_exists"));
        QCOMPARE(report::writeReport(study.dir, QStringLiteral("/proc/x/y")).failure().code,
                 QStringLiteral("not_writable"));
        QVERIFY(!report::writeReport(QStringLiteral("/no/such/study"), library.folder.path()).ok());
    }
};

QTEST_GUILESS_MAIN(StudyReportTest)
#include "study_report_test.moc"
