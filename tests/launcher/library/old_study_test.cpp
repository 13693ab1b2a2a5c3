// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier and later versions left: a study in the files' first format (as the launcher of
// November 2026 wrote it), and an index of a version that is not known here.
#include "analysis/speedup_table.h"
#include "library/library.h"
#include "run/study.h"
#include "support/launcher_fixture.h"

#include <QDirIterator>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;

namespace {

const QString kFixture = QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/studies/first_format");

void copyFolder(const QString& from, const QString& to)
{
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const QString target = to + file.mid(from.size());
        QVERIFY(QDir().mkpath(QFileInfo(target).absolutePath()));
        QVERIFY(QFile::copy(file, target));
    }
}

void execute(const QString& database, const QStringList& statements)
{
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), database);
        db.setDatabaseName(database);
        QVERIFY(db.open());
        QSqlQuery query(db);
        for (const QString& statement : statements)
            QVERIFY2(query.exec(statement), qPrintable(statement));
    }
    QSqlDatabase::removeDatabase(database);
}

} // namespace

class OldStudyTest : public QObject
{
    Q_OBJECT
private slots:
    void firstFormatGivesTheSameResults()
    {
        const Result<Study> study = loadStudy(kFixture);
        QVERIFY2(study.ok(), study ? "" : qPrintable(study.failure().message));
        QCOMPARE(study.value().spec.name, QStringLiteral("The first format"));
        QCOMPARE(study.value().spec.workers, (QList<int>{1, 2}));
        QCOMPARE(study.value().runs.size(), 2);
        for (const RunRecord& run : study.value().runs) {
            QVERIFY(run.state == RunState::Completed);
            QVERIFY(run.targetReached());
            QCOMPARE(run.epochsToTarget(), 7.0);
            QCOMPARE(run.foreignLines + run.sequenceGaps + run.sequenceRepeats, 0);
        }
        // run_stop - run_start of the streams: 7.624 s and 5.104 s.
        const auto rows = speedupTable(study.value().runs);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0].meanTimeS, 7.624);
        QCOMPARE(rows[1].speedup, 7.624 / 5.104);
        QCOMPARE(rows[1].epochsRatio, 1.0);
    }

    void firstFormatIsListed()
    {
        TemporaryLibrary t;
        copyFolder(kFixture, t.folder.filePath(QStringLiteral("studies/golden")));
        QCOMPARE(t.library->rebuild().value(), 1);
        const auto runs = t.library->runs();
        QVERIFY(runs);
        QCOMPARE(runs.value().size(), 2);
        QCOMPARE(runs.value()[0].timeToTrainS + runs.value()[1].timeToTrainS, 7.624 + 5.104);
        QVERIFY(!runs.value()[0].machine.isEmpty());
    }

    void indexOfAnotherVersionIsMadeAnew()
    {
        QTemporaryDir folder;
        copyFolder(kFixture, folder.filePath(QStringLiteral("studies/golden")));
        {
            const auto library = Library::open(folder.path());
            QVERIFY(library.ok());
            QCOMPARE(library.value()->runs().value().size(), 2);
        }
        execute(folder.filePath(QStringLiteral("index.sqlite")),
                {QStringLiteral("DROP TABLE runs"), QStringLiteral("DROP TABLE studies"),
                 QStringLiteral("CREATE TABLE runs (something TEXT)"),
                 QStringLiteral("INSERT INTO runs VALUES ('else')"),
                 QStringLiteral("PRAGMA user_version=99")});
        const auto library = Library::open(folder.path());
        QVERIFY(library.ok());
        QCOMPARE(library.value()->studies().value().size(), 1);
        QCOMPARE(library.value()->runs().value().size(), 2);
    }
};

QTEST_GUILESS_MAIN(OldStudyTest)
#include "old_study_test.moc"
