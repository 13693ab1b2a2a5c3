// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that a report comes in: one baseline for all of it, nothing of an older one, nothing
// half done. The workbench is a script here.

#include "report/study_report.h"

#include "analysis/chart_files.h"
#include "analysis/result_files.h"
#include "base/ordinary_file.h"
#include "base/staged_folder.h"
#include "report/report_findings.h"
#include "report/verify_report.h"
#include "support/launcher_fixture.h"

#include <QRegularExpression>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

namespace {

bool write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class ReportFolderTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;

    QString path(const QString& name) const { return m_library->folder.filePath(name); }

    /// What stands for the workbench does this.
    void useWorkbench(const QByteArray& script)
    {
        QVERIFY(write(path(u"gui"_s), "#!/bin/sh\n" + script));
        QVERIFY(QFile::setPermissions(path(u"gui"_s), QFile::ReadOwner | QFile::ExeOwner));
        qputenv("SCALEBENCH_GUI", QFile::encodeName(path(u"gui"_s)));
    }

    Study endedStudy()
    {
        const Study created = m_library->create({1, 2});
        const char* streams[] = {"reached_1_worker.txt", "reached_2_workers.txt"};
        for (int i = 0; i < 2; ++i) {
            QFile::copy(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/") +
                            QLatin1String(streams[i]),
                        created.runs[i].runDir + u"/result_0.txt"_s);
            const QString status = created.runs[i].runDir + u"/status.json"_s;
            write(status, read(status).replace(u"\"queued\""_s, u"\"completed\""_s).toUtf8());
        }
        return loadStudy(created.dir).value();
    }

private slots:
    void init()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        qputenv("SCALEBENCH_GUI", "/no/such/program");
    }

    void oneBaselineForAll()
    {
        const Study study = endedStudy();
        const QString out = path(u"report"_s);
        QVERIFY(report::writeReport(study.dir, out, {u"--baseline"_s, u"2"_s}).ok());
        const Baseline two{Baseline::Kind::Workers, 2};
        QCOMPARE(read(out + u"/speedup.csv"_s), QString::fromUtf8(speedupCsv(study, two)));
        QVERIFY(speedupCsv(study, two) != speedupCsv(study));
        const QString html = read(out + u"/report.html"_s);
        QVERIFY(html.contains(u"mean time of the baseline (2 workers)"_s));
        QVERIFY2(html.contains(u"with one worker, fewer than the baseline"_s), qPrintable(html));
        QVERIFY(!html.contains(u"workers are"_s)); // the finding against one worker
        const QString usual = report::reportHtml(study, {}, {});
        QVERIFY(usual.contains(u"mean time of the baseline (the smallest worker count)"_s));
        QVERIFY(report::reportHtml(study, {}, {}, {{}, u"epoch"_s})
                    .contains(u"are of the time of an epoch."_s));
    }

    void aBaselineThatIsNotThere()
    {
        const auto written =
            report::writeReport(endedStudy().dir, path(u"report"_s), {u"--baseline"_s, u"7"_s});
        QVERIFY(!written.ok());
        QCOMPARE(written.failure().code, u"usage"_s);
        QVERIFY2(written.failure().message.contains(u"there are runs on 1, 2."_s),
                 qPrintable(written.failure().message));
        QVERIFY(!QFileInfo::exists(path(u"report"_s)));
    }

    void nothingOfAnOlderReportStays()
    {
        const Study study = endedStudy();
        const QString out = path(u"report"_s);
        QVERIFY(QDir().mkpath(out));
        for (const char* suffix : {"png", "svg", "pdf", "csv"})
            QVERIFY(write(out + u"/throughput_ncf."_s + QLatin1String(suffix), "old"));
        QVERIFY(write(out + u"/notice.txt"_s, "not verified by MLCommons Association"));
        for (const char* name :
             {"effects.csv", "report.pdf", "throughput_mine.csv", "mine.svg", "speedup_notes.csv"})
            QVERIFY(write(out + u'/' + QLatin1String(name), "old"));
        QCOMPARE(chartFilesIn(out).size(), 4);
        QVERIFY(report::writeReport(study.dir, out).ok());
        QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{u"bundle.zip"_s, u"curves.csv"_s, u"mine.svg"_s, u"report.html"_s,
                              u"runs.csv"_s, u"speedup.csv"_s, u"speedup_notes.csv"_s,
                              u"throughput_mine.csv"_s}));
    }

    void aFolderInTheWay()
    {
        const QString out = path(u"report"_s);
        QVERIFY(QDir().mkpath(out + u"/report.html"_s));
        const auto written = report::writeReport(endedStudy().dir, out);
        QVERIFY(!written.ok());
        QVERIFY2(written.failure().message.contains(u"a folder of the name \"report.html\""_s),
                 qPrintable(written.failure().message));
        QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{u"report.html"_s});
    }

    /// What a killed program left goes; what another one works in stays.
    void whatWasLeft()
    {
        const QString out = path(u"report"_s);
        for (const char* name : {".report-AbCdEf", ".report-UvWxYz", ".report-mine.txt"})
            QVERIFY(QDir().mkpath(out + u'/' + QLatin1String(name)));
        QVERIFY(write(out + u"/.report-AbCdEf/runs.csv"_s, "old"));
        const int held = ::open(QFile::encodeName(out + u"/.report-UvWxYz"_s).constData(),
                                O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        QVERIFY(held >= 0 && ::flock(held, LOCK_EX) == 0);
        {
            const auto staged = StagedFolder::in(out);
            QVERIFY(staged.ok());
            QVERIFY(QFileInfo(staged.value()->path()).isDir());
        }
        ::close(held);
        QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{u".report-mine.txt"_s, u".report-UvWxYz"_s}));
    }

    /// One report, one language: who draws the pictures is told which.
    void picturesInItsLanguage()
    {
        useWorkbench("echo \"$@\" >> '" + QFile::encodeName(path(u"said"_s)) + "'\n");
        QVERIFY(report::writeReport(endedStudy().dir, path(u"report"_s)).ok());
        QVERIFY(readFile(path(u"said"_s)).value().contains(" --language en"));
        QVERIFY(readFile(path(u"report/report.html"_s)).value().contains("<html lang=\"en\">"));
    }

    /// Why there are no pictures, in the workbench's words.
    void whyThereAreNoPictures()
    {
        useWorkbench("echo 'scalebench-gui: The disk is full.' >&2; exit 3\n");
        const auto written = report::writeReport(endedStudy().dir, path(u"report"_s));
        QVERIFY(written.ok());
        QVERIFY2(written.value().without.endsWith(u"ended with code 3: The disk is full."_s),
                 qPrintable(written.value().without));
    }

    /// All of its files or none: what was there before stays whole, with nothing beside it.
    void aVerificationComesWhole()
    {
        const QString out = path(u"verified"_s);
        const Study study = endedStudy();
        QVERIFY(report::writeVerification({}, study, study, out, "png").ok());
        QVERIFY(QFileInfo::exists(out + u"/verification.png"_s));
        QVERIFY(QDir().mkdir(out + u"/verification.pdf"_s));
        useWorkbench("echo pdf > \"$4\"\n");
        QVERIFY(!report::writeVerification({}, study, study, out).ok());
        QVERIFY(QFileInfo::exists(out + u"/verification.png"_s));
        QVERIFY(QDir().rmdir(out + u"/verification.pdf"_s));
        const auto written = report::writeVerification({}, study, study, out);
        QCOMPARE(written.value().files,
                 (QStringList{u"verification.html"_s, u"verification.pdf"_s}));
        QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 written.value().files); // the picture was of the one before
    }

    void sentences()
    {
        RunRecord run;
        run.config.workload = u"ncf"_s;
        run.config.workers = 1;
        run.config.target = 0.7;
        run.state = RunState::NotConverged;
        run.throughput = 100;
        Study study;
        study.runs << run;
        QString text = report::reportFindings(study).join(u'\n');
        QVERIFY2(text.startsWith(u"ncf: no run"_s), qPrintable(text)); // the series has no name
        QVERIFY2(text.contains(u"so there is no speedup."_s), qPrintable(text));
        QVERIFY2(!text.contains(u"the fewest"_s), qPrintable(text));
        QVERIFY2(text.contains(u"1 run did not reach the target and counted"_s), qPrintable(text));
        QVERIFY(report::reportHtml(study, {}, {}).contains(u"until its quality target"_s));
        study.runs[0].state = RunState::Cancelled;
        study.runs[0].config.target.reset();
        text = report::reportFindings(study).join(u'\n');
        QVERIFY2(text.contains(u"1 run ended as cancelled."_s), qPrintable(text));
        QVERIFY(report::reportHtml(study, {}, {}).contains(u"as no quality target was set"_s));
        // A sentence begins with a capital.
        text = report::reportFindings(endedStudy()).join(u'\n');
        static const QRegularExpression small(u"\\. [a-z]"_s);
        QVERIFY2(!small.match(text).hasMatch(), qPrintable(text));
        QVERIFY2(text.contains(u" % of the ideal. Every epoch"_s), qPrintable(text));
    }
};

QTEST_GUILESS_MAIN(ReportFolderTest)
#include "report_folder_test.moc"
