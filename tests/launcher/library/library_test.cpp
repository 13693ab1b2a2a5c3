// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/library.h"
#include "library/trash.h"
#include "run/own_studies.h"
#include "run/run_series.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_lock.h"
#include "support/launcher_fixture.h"

#include <QScopeGuard>
#include <QSet>
#include <QTest>
#include <QThread>
#include <QTranslator>

#include <array>
#include <atomic>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::test;

static constexpr uid_t kNobody = 65534;

class LibraryTest : public QObject
{
    Q_OBJECT
private slots:
    void createAndList()
    {
        TemporaryLibrary t;
        QVERIFY(t.library);
        const Study study = t.create({1, 2}, QStringLiteral("first"));
        QCOMPARE(study.runs.size(), 2);
        QCOMPARE(study.dir, t.folder.filePath(QStringLiteral("studies/first")));
        for (const RunRecord& run : study.runs) {
            QVERIFY(run.state == RunState::Queued);
            QVERIFY(QFile::exists(run.runDir + QStringLiteral("/run.json")));
        }
        QTest::qWait(5);
        QTemporaryDir out;
        const QString outside = out.filePath(QStringLiteral("ein Ordner/größe"));
        t.create({1}, QStringLiteral("second"), outside);
        const auto list = t.library->studies();
        QVERIFY(list);
        QCOMPARE(list.value().size(), 2);
        QCOMPARE(list.value()[0].id, QStringLiteral("second"));
        QCOMPARE(list.value()[0].dir, outside);
        QVERIFY(list.value()[1].active);
        QCOMPARE(t.library->runs().value().size(), 3);
        QCOMPARE(t.library->runs(QStringLiteral("first")).value().size(), 2);
        QCOMPARE(t.library->runs(QStringLiteral("first")).value()[1].workers, 2);

        QCOMPARE(t.library->findStudyDir(QStringLiteral("latest")).value(), outside);
        QCOMPARE(t.library->findStudyDir(QStringLiteral("fi")).value(), study.dir);
        QCOMPARE(t.library->findStudyDir(study.dir).value(), study.dir);
        QCOMPARE(t.library->findStudyDir(QStringLiteral("x")).failure().code,
                 QStringLiteral("study_unknown"));

        // A vanished folder leaves the list by itself; another library knows nothing of it.
        QVERIFY(QDir(outside).removeRecursively());
        QCOMPARE(t.library->studies().value().size(), 1);
    }

    void rebuild()
    {
        TemporaryLibrary t;
        t.create({1}, QStringLiteral("a"));
        t.create({1}, QStringLiteral("b"));
        QDir().mkpath(t.folder.filePath(QStringLiteral("studies/broken/runs")));
        QFile broken(t.folder.filePath(QStringLiteral("studies/broken/study.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"version\":") > 0);
        broken.close();
        QCOMPARE(t.library->rebuild().value(), 2);
        QCOMPARE(t.library->studies().value().size(), 2);
        QCOMPARE(t.library->leftOut().size(), 1); // and why is told
        QVERIFY(t.library->leftOut().first().message.contains(QStringLiteral("broken")));
        t.library.reset();
        // A damaged index is made anew without a word.
        QFile index(t.folder.filePath(QStringLiteral("index.sqlite")));
        QVERIFY(index.open(QIODevice::WriteOnly) && index.write(QByteArray(5000, 'x')) > 0);
        index.close();
        const auto opened = Library::open(t.folder.path());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.failure().message));
        QCOMPARE(opened.value()->studies().value().size(), 2);
    }

    /// Any page of the index, or a part of one: all studies and runs are still listed.
    void everyPageOfTheIndex()
    {
        TemporaryLibrary t;
        for (int i = 0; i < 20; ++i)
            t.create({1, 2, 4}, QStringLiteral("study%1").arg(i));
        const QString folder = t.folder.path(), path = folder + QStringLiteral("/index.sqlite");
        t.library.reset(); // which puts all of it into the one file
        QFile index(path);
        QVERIFY(index.open(QIODevice::ReadOnly));
        const QByteArray whole = index.readAll();
        index.close();
        constexpr qsizetype kPage = 4096;
        QVERIFY(whole.size() >= 5 * kPage);
        for (qsizetype page = 0; page < whole.size() / kPage; ++page)
            for (const auto& [from, size] :
                 {std::pair<qsizetype, qsizetype>{0, kPage}, {0, 100}, {kPage / 2, 64}}) {
                QByteArray damaged = whole;
                for (qsizetype i = 0; i < size; ++i)
                    damaged[page * kPage + from + i] = char(i * 37 + 11);
                for (const char* beside : {"-wal", "-shm"})
                    QFile::remove(path + QLatin1String(beside));
                QVERIFY(index.open(QIODevice::WriteOnly) && index.write(damaged) == damaged.size());
                index.close();
                const auto library = Library::open(folder);
                QVERIFY2(library, library ? "" : qPrintable(library.failure().message));
                const QString where = QStringLiteral("page %1, byte %2").arg(page).arg(from);
                const auto studies = library.value()->studies();
                QVERIFY2(studies, qPrintable(studies ? where : where + studies.failure().message));
                QVERIFY2(studies.value().size() == 20, qPrintable(where));
                const auto runs = library.value()->runs();
                QVERIFY2(runs && runs.value().size() == 60, qPrintable(where));
            }
    }

    /// A window of any language writes rows that the others read.
    void marksAreOfNoLanguage()
    {
        struct Foreign : QTranslator {
            bool isEmpty() const override { return false; }
            QString translate(const char*, const char* text, const char*, int) const override
            {
                return QStringLiteral("~") + QLatin1StringView(text);
            }
        };
        TemporaryLibrary t;
        const Study study = t.create({1, 2});
        QFile stream(study.runs[1].runDir + QStringLiteral("/result_0.txt"));
        QVERIFY(stream.open(QIODevice::WriteOnly));
        stream.write(":::MLLOG {\"namespace\":\"scalebench\",\"time_ms\":1,\"event_type\":"
                     "\"POINT_IN_TIME\",\"key\":\"epoch_split\",\"value\":{\"epoch\":1,"
                     "\"ranks\":[],\"hosts\":[{\"host\":\"node1\",\"seconds\":10,"
                     "\"processors\":8,\"own\":1,\"others\":4,\"stolen\":0,"
                     "\"swapped\":0}]},\"metadata\":{\"seq\":0}}\n");
        stream.close();
        Foreign foreign;
        QVERIFY(QCoreApplication::installTranslator(&foreign));
        const auto listed = t.library->studies();
        const auto whileForeign = t.library->runs();
        QCoreApplication::removeTranslator(&foreign);
        QVERIFY(listed && whileForeign);
        QCOMPARE(listed.value().first().disturbedRuns, 1);
        const auto runs = t.library->runs();
        QVERIFY(runs);
        const auto marks = [&](const QList<RunSummary>& list) {
            return list[0].workers == 2 ? list[0].marks : list[1].marks;
        };
        QVERIFY(marks(runs.value()).contains(QStringLiteral("disturbed")));
        QCOMPARE(marks(whileForeign.value()), marks(runs.value()));
        QCOMPARE(markText(QStringLiteral("run_again")), QStringLiteral("run again"));
        RunSummary run;
        run.marks = QStringList{QStringLiteral("origin=MLPerf 5.0"),
                                QStringLiteral("computed=fp32"), QStringLiteral("synthetic")};
        QCOMPARE(marksText(run), QStringLiteral("MLPerf 5.0, computed in fp32, synthetic data"));
    }

    /// By another program, whose index this is not: the next look finds out.
    void aStudyThatWentOnIsReadAgain()
    {
        TemporaryLibrary t;
        const Study study = t.create({1});
        const auto end = [&](RunState state) {
            StudyLock lock;
            QVERIFY(lock.acquire(study.dir, 1000));
            RunStatus status = readRunStatus(study.runs[0].runDir).value();
            status.state = state;
            QVERIFY(writeRunStatus(study.runs[0].runDir, status));
        };
        const auto states = [&] { return t.library->studies().value().first().states; };
        end(RunState::Cancelled);
        QCOMPARE(states().value(RunState::Cancelled), 1);
        QTest::qWait(20); // a tick of the file system's clock
        end(RunState::Completed);
        QCOMPARE(states().value(RunState::Completed), 1);
    }

    void damagedRunDoesNotHideOthers()
    {
        TemporaryLibrary t;
        const Study study = t.create({1, 2});
        QFile run(study.runs[0].runDir + QStringLiteral("/run.json"));
        QVERIFY(run.open(QIODevice::WriteOnly) && run.write("nonsense") > 0);
        run.close();
        const auto loaded = loadStudy(study.dir);
        QVERIFY(loaded);
        QCOMPARE(loaded.value().runs.size(), 2);
        QCOMPARE(loaded.value().runs[0].failure.code, QStringLiteral("run_damaged"));
        QVERIFY(loaded.value().runs[0].failure.message.contains(QStringLiteral("run.json:1:")));
        QVERIFY(loaded.value().runs[1].state == RunState::Queued);
        // Nothing is made up for it: it did not fail, and when and on how many nobody knows.
        QVERIFY(loaded.value().runs[0].state == RunState::Unreadable);
        const StudySummary summary = t.library->studies().value().first();
        QVERIFY2(stateText(summary).contains(QStringLiteral("1 not readable")),
                 qPrintable(stateText(summary)));
        QVERIFY(!stateText(summary).contains(QStringLiteral("failed")));
        QCOMPARE(summary.createdMs, study.runs[1].createdMs);
        const QList<RunSummary> runs = t.library->runs().value();
        for (const RunSummary& listed : runs)
            QCOMPARE(listed.workers, listed.runId == study.runs[0].config.runId ? 0 : 2);
    }

    void refusedFolders()
    {
        TemporaryLibrary t;
        const Study study = t.create({1});
        const auto again = t.library->createStudy(study.spec, {}, QStringLiteral("n"), study.dir);
        QCOMPARE(again.failure().code, QStringLiteral("study_exists"));
        QTemporaryDir other;
        QFile foreign(other.filePath(QStringLiteral("holiday.jpg")));
        QVERIFY(foreign.open(QIODevice::WriteOnly));
        const auto mixed =
            t.library->createStudy(study.spec, {}, QStringLiteral("n"), other.path());
        QCOMPARE(mixed.failure().code, QStringLiteral("folder_not_empty"));
        const auto underFile = t.library->createStudy(study.spec, {}, QStringLiteral("n"),
                                                      foreign.fileName() + QStringLiteral("/x"));
        QCOMPARE(underFile.failure().code, QStringLiteral("not_writable"));
        QVERIFY(!Library::open(foreign.fileName()));
        const auto noDevice = Library::open(QStringLiteral("/proc/scalebench"));
        QVERIFY(!noDevice);
        QCOMPARE(noDevice.failure().code, QStringLiteral("not_writable"));
    }

    /// A library elsewhere does not help where the list of own studies cannot be written.
    void noListOfOwnStudies()
    {
        TemporaryLibrary t;
        const QTemporaryDir dir, out;
        QFile file(dir.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", QFile::encodeName(file.fileName()));
        const auto set = qScopeGuard([&] {
            before.isEmpty() ? (void)qunsetenv("XDG_DATA_HOME")
                             : (void)qputenv("XDG_DATA_HOME", before);
        });
        const auto refused =
            t.library->createStudy(StudySpec(), {}, QStringLiteral("n"), out.path());
        QCOMPARE(refused.failure().code, QStringLiteral("not_writable"));
        QVERIFY2(refused.failure().message.contains(ownStudiesList()) &&
                     refused.failure().message.contains(QStringLiteral("XDG_DATA_HOME")),
                 qPrintable(refused.failure().message));
        QVERIFY(QDir(out.path()).isEmpty());
    }

    void fullDisk()
    {
        QTemporaryDir dir;
        if (::mount("tmpfs", dir.path().toUtf8().constData(), "tmpfs", 0, "size=70m") != 0)
            QSKIP("mounting a small tmpfs needs root");
        TemporaryLibrary t;
        const auto runs =
            planRuns(StudySpec(), goodMachine(), QStringLiteral("n"), QStringLiteral("/d"));
        // Room for the folders, but not for what is copied into them later.
        const auto isTooSmall = [&] {
            const auto full = t.library->createStudy(StudySpec(), runs.value(), QStringLiteral("n"),
                                                     dir.filePath(QStringLiteral("out")));
            return !full && full.failure().code == QStringLiteral("disk_full") &&
                   full.failure().message.contains(QStringLiteral("80 MB"));
        };
        const bool tooSmall = isTooSmall();
        const bool stillSaysSo = isTooSmall(); // not that the folder is not empty
        // A library on the full disk fails as clearly.
        QFile filler(dir.filePath(QStringLiteral("filler")));
        if (filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            while (filler.write(QByteArray(4096, 'x')) == 4096) {
            }
        const auto library = Library::open(dir.filePath(QStringLiteral("library")));
        const QString code = library ? QString() : library.failure().code;
        ::umount2(dir.path().toUtf8().constData(), MNT_DETACH);
        QVERIFY(tooSmall);
        QVERIFY(stillSaysSo);
        QCOMPARE(code, QStringLiteral("disk_full"));
    }

    /// On a full disk too, and what was put away can be deleted to make room.
    void fullDiskIsLookedAt()
    {
        const QTemporaryDir dir;
        const QByteArray path = dir.path().toUtf8();
        if (::mount("tmpfs", path.constData(), "tmpfs", 0, "size=128m") != 0)
            QSKIP("mounting a small tmpfs needs root");
        const auto unmount = qScopeGuard([&] { ::umount2(path.constData(), MNT_DETACH); });
        const QString folder = dir.filePath(QStringLiteral("library"));
        const auto create = [](Library& library, const QString& id) {
            return library
                .createStudy(StudySpec(),
                             planRuns(StudySpec(), goodMachine(), id, QStringLiteral("/d")).value(),
                             id, {})
                .value()
                .dir;
        };
        const auto fill = [&dir] {
            QFile filler(dir.filePath(QStringLiteral("filler")));
            if (filler.open(QIODevice::Append | QIODevice::Unbuffered))
                for (const int size : {4096, 1})
                    while (filler.write(QByteArray(size, 'x')) == size) {
                    }
        };
        QString study;
        {
            const auto library = Library::open(folder);
            study = create(*library.value(), QStringLiteral("n"));
            QCOMPARE(library.value()->studies().value().size(), 1);
            create(*library.value(), QStringLiteral("m"));
            fill(); // while it is open
            const auto listed = library.value()->studies();
            QVERIFY2(listed.ok(), listed ? "" : qPrintable(listed.failure().message));
            QCOMPARE(listed.value().size(), 2);
        }
        fill(); // what SQLite had beside its table is free again
        const auto library = Library::open(folder);
        QVERIFY2(library.ok(), library ? "" : qPrintable(library.failure().message));
        const auto listed = library.value()->studies();
        QVERIFY2(listed.ok(), listed ? "" : qPrintable(listed.failure().message));
        QCOMPARE(listed.value().size(), 2);
        QCOMPARE(library.value()->rebuild().value(), 2);
        QVERIFY(library.value()->mayWrite());
        QVERIFY(QFile::remove(dir.filePath(QStringLiteral("filler"))));
        QCOMPARE(Library::open(folder).value()->studies().value().size(), 2);
    }

    /// The library of a group: what one of it keeps for himself locks nobody else out.
    void anotherUsersIndex()
    {
        if (::geteuid() != 0)
            QSKIP("another user is only tried as root");
        const QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("library"));
        const QString index = folder + QStringLiteral("/index.sqlite");
        const mode_t umaskBefore = ::umask(0);
        const auto back = qScopeGuard([&] {
            (void)::setresuid(0, 0, 0);
            ::umask(umaskBefore);
        });
        const QString id = QStringLiteral("a");
        const auto runs = planRuns(StudySpec(), goodMachine(), id, QStringLiteral("/d"));
        const QString study = Library::open(folder)
                                  .value()
                                  ->createStudy(StudySpec(), runs.value(), id, {})
                                  .value()
                                  .dir;
        constexpr auto kForAll = QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile::permissions(index) & kForAll, kForAll); // as the umask says

        QCOMPARE(::chmod(dir.path().toUtf8().constData(), 0755), 0);
        QFile sidecar(index + QStringLiteral("-shm"));
        QVERIFY(sidecar.open(QIODevice::WriteOnly));
        QVERIFY(sidecar.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
        QCOMPARE(::setresuid(kNobody, kNobody, 0), 0);
        const auto isListed = [&] {
            const auto library = Library::open(folder);
            return library && library.value()->mayWrite() && library.value()->updateIndex(study) &&
                   library.value()->studies() && library.value()->studies().value().size() == 1;
        };
        QVERIFY(isListed());
        QCOMPARE(QFileInfo(index).ownerId(), kNobody);

        // In a folder where each may remove only what is his own.
        QCOMPARE(::setresuid(0, 0, 0), 0);
        QCOMPARE(::chmod(folder.toUtf8().constData(), 01777), 0);
        QCOMPARE(::chown(index.toUtf8().constData(), 0, 0), 0);
        QCOMPARE(::chmod(index.toUtf8().constData(), 0600), 0);
        QCOMPARE(::setresuid(kNobody, kNobody, 0), 0);
        QVERIFY(isListed());
        QCOMPARE(QFileInfo(index).ownerId(), 0u);
    }

    /// On a medium that is not written to: everything can be looked at, nothing begun.
    void readOnly()
    {
        const QTemporaryDir dir;
        const QByteArray path = dir.path().toUtf8();
        if (::mount("tmpfs", path.constData(), "tmpfs", 0, "size=128m") != 0)
            QSKIP("mounting a small tmpfs needs root");
        const auto unmount = qScopeGuard([&] { ::umount2(path.constData(), MNT_DETACH); });
        const QString folder = dir.filePath(QStringLiteral("library"));
        Study study;
        {
            const auto library = Library::open(folder);
            QVERIFY(library && library.value()->mayWrite());
            const auto runs =
                planRuns(StudySpec(), goodMachine(), QStringLiteral("n"), QStringLiteral("/d"));
            const auto created =
                library.value()->createStudy(StudySpec(), runs.value(), QStringLiteral("n"), {});
            QVERIFY2(created.ok(), created ? "" : qPrintable(created.failure().message));
            study = created.value();
        }
        QCOMPARE(::mount("tmpfs", path.constData(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
        const auto library = Library::open(folder);
        QVERIFY2(library.ok(), library ? "" : qPrintable(library.failure().message));
        QVERIFY(!library.value()->mayWrite());
        QCOMPARE(library.value()->studies().value().size(), 1);
        QCOMPARE(library.value()->runs().value().size(), study.runs.size());
        QCOMPARE(library.value()->findStudyDir(QStringLiteral("latest")).value(), study.dir);
        QCOMPARE(library.value()->rebuild().value(), 1);
        const auto created = library.value()->createStudy(
            StudySpec(),
            planRuns(StudySpec(), goodMachine(), QStringLiteral("m"), QStringLiteral("/d")).value(),
            QStringLiteral("m"), {});
        QCOMPARE(created.failure().code, QStringLiteral("not_writable"));
        QCOMPARE(moveToTrash(*library.value(), study.dir).failure().code,
                 QStringLiteral("not_writable"));
        // No library at all.
        QCOMPARE(Library::open(dir.path()).failure().code, QStringLiteral("not_writable"));
    }

    void gone()
    {
        TemporaryLibrary t;
        t.create({1});
        const QString dir = t.folder.path();
        QVERIFY(Library::open(dir, Library::IfMissing::Fail).ok());
        QVERIFY(QDir().rename(dir, dir + QStringLiteral(".away")));
        const auto library = Library::open(dir, Library::IfMissing::Fail);
        QCOMPARE(library.failure().code, QStringLiteral("library_gone"));
        QVERIFY(!QFileInfo::exists(dir));
        // As on an unmounted disk: no empty one takes its place.
        QVERIFY(QDir().mkdir(dir));
        QCOMPARE(Library::open(dir, Library::IfMissing::Fail).failure().code,
                 QStringLiteral("library_gone"));
        QVERIFY(QDir(dir).isEmpty());
        QVERIFY(QDir().rmdir(dir));
        QVERIFY(QDir().rename(dir + QStringLiteral(".away"), dir));
        QVERIFY(Library::open(dir, Library::IfMissing::Fail).ok());
    }

    void aTakenNameGetsANumber()
    {
        TemporaryLibrary t;
        const QString id = t.library->newStudyId(StudySpec());
        QVERIFY(id.startsWith(QStringLiteral("resnet-desk-20")));
        QCOMPARE(t.create({1}, id).id, id);
        const Study second = t.create({1}, id);
        QCOMPARE(second.id, id + QStringLiteral("-2"));
        QCOMPARE(second.runs.first().config.study, second.id);
        QCOMPARE(QFileInfo(second.dir).fileName(), second.id);
        QVERIFY(isOwnStudy(second.dir));
        // A study elsewhere takes its id too, and leaves no folder here.
        const auto runs = planRuns(second.spec, goodMachine(), id, QStringLiteral("/d"));
        const auto outside = t.library->createStudy(second.spec, runs.value(), id,
                                                    t.folder.filePath(QStringLiteral("out")));
        QCOMPARE(outside.value().id, id + QStringLiteral("-3"));
        QCOMPARE(QDir(t.folder.filePath(QStringLiteral("studies"))).count(), 2 + 2u);
        QCOMPARE(t.create({1}, id).id, id + QStringLiteral("-4"));
        QCOMPARE(t.library->studies().value().size(), 4);
    }

    void whatFailsLeavesNoFolder()
    {
        TemporaryLibrary t;
        RunConfig nowhere;
        nowhere.runId = QString(300, QLatin1Char('x')); // longer than a file name may be
        QVERIFY(!t.library->createStudy(StudySpec(), {nowhere}, QStringLiteral("n"), {}));
        QCOMPARE(QDir(t.folder.filePath(QStringLiteral("studies"))).count(), 2u);
    }

    void oneNameForManyAtOnce()
    {
        TemporaryLibrary t;
        QList<QThread*> threads;
        std::array<QStringList, 4> made;
        for (QStringList& ids : made)
            threads << QThread::create([&] {
                const auto own = Library::open(t.folder.path());
                StudySpec spec;
                spec.workers = {1};
                const QString id = QStringLiteral("same");
                const auto runs = planRuns(spec, goodMachine(), id, QStringLiteral("/d"));
                for (int n = 0; n < 5; ++n)
                    ids << own.value()->createStudy(spec, runs.value(), id, {}).value().id;
            });
        for (QThread* thread : threads)
            thread->start();
        QSet<QString> all;
        for (QThread* thread : threads) {
            thread->wait();
            delete thread;
        }
        for (const QStringList& ids : made)
            all.unite(QSet<QString>(ids.begin(), ids.end()));
        QCOMPARE(all.size(), 20);
        QVERIFY(all.contains(QStringLiteral("same")) && all.contains(QStringLiteral("same-20")));
    }

    void manyAtOnce()
    {
        TemporaryLibrary t;
        std::atomic<int> failures = 0;
        QList<QThread*> threads;
        for (int i = 0; i < 4; ++i)
            threads << QThread::create([&, i] {
                // Own object, as another program has: WAL and the busy timeout must carry it.
                const auto own = Library::open(t.folder.path());
                if (!own) {
                    ++failures;
                    return;
                }
                StudySpec spec;
                spec.workers = {1};
                for (int n = 0; n < 5; ++n) {
                    const QString id = QStringLiteral("t%1-%2").arg(i).arg(n);
                    const auto runs = planRuns(spec, goodMachine(), id, QStringLiteral("/d"));
                    if (!own.value()->createStudy(spec, runs.value(), id, {}) ||
                        !own.value()->studies())
                        ++failures;
                }
            });
        for (QThread* thread : threads)
            thread->start();
        for (QThread* thread : threads) {
            thread->wait();
            delete thread;
        }
        QCOMPARE(failures.load(), 0);
        QCOMPARE(t.library->studies().value().size(), 20);
    }
};

QTEST_GUILESS_MAIN(LibraryTest)
#include "library_test.moc"
