// SPDX-License-Identifier: GPL-3.0-or-later
// What is read never acts: opening somebody else's folder of results starts nothing, connects to
// nobody, ends no process, removes nothing and does not wait for ever.
#include "hostile_folders.h"

#include "base/file_io.h"
#include "base/file_lock.h"
#include "base/process_tree.h"
#include "follow/study_controller.h"
#include "run/own_studies.h"
#include "run/study_lock.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QSignalSpy>
#include <QStandardPaths>

#include <fcntl.h>
#include <sys/file.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class ReadingTest : public QObject
{
    Q_OBJECT

    static QJsonObject running(const QJsonObject& more)
    {
        QJsonObject status{{u"state"_s, u"running"_s}};
        for (auto it = more.begin(); it != more.end(); ++it)
            status.insert(it.key(), it.value());
        return status;
    }
    static void readEverything(const HostileStudy& study)
    {
        for (const char* what : {"list", "show", "export"}) {
            QStringList words{u"results"_s, QString::fromLatin1(what)};
            if (words.last() != "list"_L1)
                words << study.dir();
            QCOMPARE(study.open(words).code, 0);
        }
        QVERIFY(study.open({u"results"_s, u"rebuild"_s}).code == 0);
        QVERIFY(study.open({u"follow"_s, study.dir()}).code >= 0); // the window's way
    }

private slots:
    void initTestCase() { qputenv("SCALEBENCH_MACHINE_LOCKS", "off"); }

    /// S1: a state that says "running" with a Slurm job had the study taken over, with an ssh
    /// config of theirs.
    void runningJobStartsNoSupervisor_data()
    {
        QTest::addColumn<QJsonObject>("machine");
        QTest::newRow("no machine") << QJsonObject();
        QTest::newRow("ssh with a config") << QJsonObject{
            {u"name"_s, u"x"_s}, {u"kind"_s, u"ssh"_s}, {u"hosts"_s, u"nowhere.invalid"_s}};
        QTest::newRow("login") << QJsonObject{
            {u"name"_s, u"x"_s}, {u"kind"_s, u"login"_s}, {u"login"_s, u"nowhere.invalid"_s}};
        QTest::newRow("slurm") << QJsonObject{{u"name"_s, u"x"_s}, {u"kind"_s, u"slurm"_s}};
    }
    void runningJobStartsNoSupervisor()
    {
        QFETCH(QJsonObject, machine);
        const HostileStudy study;
        const QString proof = study.outside("proof");
        put(study.outside("ssh_config"), "Host *\n  ProxyCommand touch " + proof.toUtf8() + "\n");
        if (!machine.isEmpty()) {
            if (machine[u"kind"_s] != "slurm"_L1)
                machine.insert(u"ssh_config"_s, study.outside("ssh_config"));
            putJson(study.file(u"machine.json"_s), machine);
        }
        study.setStatus(running({{u"slurm_job"_s, u"1"_s}}));
        study.setStatus(running({{u"slurm_job"_s, u"1"_s}}), 1);
        const QByteArray before = contentOf(study.runDir() + u"/status.json"_s);
        readEverything(study);
        QVERIFY(study.isUntouched());
        QVERIFY(!QFileInfo::exists(proof));
        QCOMPARE(contentOf(study.runDir() + u"/status.json"_s), before);
    }

    /// S1: the session that a state names was ended.
    void namedSessionLives()
    {
        const HostileStudy study;
        const Victim victim;
        const ProcessIdentity id = victim.identity();
        for (const qint64 ticks : {qint64(0), id.startTicks}) {
            study.setStatus(
                running({{u"supervisor"_s, QJsonObject{{u"pid"_s, 1}, {u"boot_id"_s, id.bootId}}},
                         {u"mpirun"_s, QJsonObject{{u"pid"_s, id.pid},
                                                   {u"session"_s, id.pid},
                                                   {u"start_ticks"_s, ticks}}}}));
            readEverything(study);
            QVERIFY(victim.isAlive());
        }
        QVERIFY(!recoverRun(study.runDir()));
        QVERIFY(victim.isAlive());
    }

    /// The same file in a study of one's own, where somebody else may write too.
    void namedSessionLivesInOwnStudy()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        const Victim victim;
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Running;
        status.supervisor = {1, 1, victim.identity().bootId};
        status.mpirunPid = status.mpirunSession = victim.identity().pid;
        for (const qint64 ticks : {qint64(0), victim.identity().startTicks}) {
            status.mpirunTicks = ticks;
            QVERIFY(writeRunStatus(study.runs[0].runDir, status).ok());
            QVERIFY(recoverRun(study.runs[0].runDir)); // closed, as it is ours
            QVERIFY(victim.isAlive());
            QVERIFY(readRunStatus(study.runs[0].runDir).value().state == RunState::Failed);
        }
    }

    /// A job's number in a study of one's own that does not run on Slurm: nothing is started again.
    void jobElsewhereIsNotTakenOver()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Running;
        status.slurmJob = u"1"_s;
        QVERIFY(writeRunStatus(study.runs[0].runDir, status).ok());
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(readRunStatus(study.runs[0].runDir).value().state == RunState::Failed);
        QVERIFY(!QFileInfo::exists(study.dir + u"/supervisor.log"_s));
    }

    /// S4: Stop signalled whoever the lock's text names.
    void lockNamesSomebodyElse_data()
    {
        QTest::addColumn<bool>("whole");
        QTest::newRow("a number") << false;
        QTest::newRow("number, start and boot") << true;
    }
    void lockNamesSomebodyElse()
    {
        QFETCH(bool, whole);
        TemporaryLibrary library;
        const Study study = library.create({1});
        const Victim victim;
        const QString lock = study.dir + u"/supervisor.lock"_s;
        put(lock,
            whole ? victim.identity().toText() : QByteArray::number(victim.identity().pid) + '\n');
        const int fd = ::open(lock.toUtf8().constData(), O_RDWR);
        QCOMPARE(::flock(fd, LOCK_EX), 0);
        QCOMPARE(lockHolder(study.dir).value_or(-1), 0); // held, nobody knows by whom
        StudyController controller;
        QVERIFY(controller.attach(study.dir));
        controller.stopNow();
        QTest::qWait(500);
        QVERIFY(victim.isAlive());
        ::close(fd);
    }
    void lockNamesItsHolder()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        StudyLock lock;
        QVERIFY(lock.acquire(study.dir, 0));
        QCOMPARE(lockHolder(study.dir).value_or(-1), qint64(::getpid()));
        lock.release();
        QVERIFY(!lockHolder(study.dir));
    }

    /// Stop, pause and the like on a study that is only read.
    void foreignStudyIsNotStopped()
    {
        const HostileStudy study;
        study.setStatus(running({}));
        for (const char* wish : {"--stop", "--stop-after-run", "--pause", "--continue"}) {
            const Answer answer = study.open({u"follow"_s, study.dir(), QString::fromLatin1(wish)});
            QCOMPARE(answer.code, 2);
            QVERIFY2(answer.err.contains(u"was not planned by this user here"_s),
                     qPrintable(answer.err));
            QVERIFY(!QFileInfo::exists(study.file(u"stop_after_run"_s)));
            QVERIFY(!QFileInfo::exists(study.file(u"paused"_s)));
        }
    }
    void foreignStudyIsNotResumed()
    {
        const HostileStudy study;
        study.setStatus({{u"state"_s, u"failed"_s}});
        const QByteArray before = contentOf(study.runDir() + u"/status.json"_s);
        const Answer answer = study.open({u"resume"_s, study.dir()});
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains(u"plan it again"_s), qPrintable(answer.err));
        QCOMPARE(contentOf(study.runDir() + u"/status.json"_s), before);
        (void)study.open({u"supervise"_s, study.dir(), QFileInfo(study.runDir()).fileName()});
        QCOMPARE(contentOf(study.runDir() + u"/status.json"_s), before);
    }

    /// What is own: the folder with all that decides what happens on hosts, as it was planned.
    void whatIsOwn()
    {
        TemporaryLibrary library;
        const QString out = library.folder.filePath(u"out"_s);
        const Study study = library.create({1, 2}, u"s"_s, out);
        const QString run = out + u"/runs/"_s + study.runs[1].config.runId + u"/run.json"_s;
        const QByteArray original = contentOf(run);
        QVERIFY(isOwnStudy(out));
        for (const QString& name : {u"study.json"_s, u"plan.json"_s, run.mid(out.size() + 1)}) {
            const QByteArray bytes = contentOf(out + u'/' + name);
            put(out + u'/' + name, bytes + ' ');
            QVERIFY2(!isOwnStudy(out), qPrintable(name));
            put(out + u'/' + name, bytes);
            QVERIFY(isOwnStudy(out));
        }
        putJson(out + u"/machine.json"_s, {{u"name"_s, u"x"_s}, {u"kind"_s, u"local"_s}});
        QVERIFY(!isOwnStudy(out));
        QFile::remove(out + u"/machine.json"_s);

        const QString moved = library.folder.filePath(u"moved"_s);
        QVERIFY(QFile::rename(out, moved));
        QVERIFY(isOwnStudy(moved)); // the same folder elsewhere
        const QString copy = library.folder.filePath(u"copy"_s);
        QProcess::execute(u"cp"_s, {u"-a"_s, moved, copy});
        QVERIFY(!isOwnStudy(copy)); // its states may be anybody's
        QCOMPARE(requeueRuns(copy).failure().code, u"study_foreign"_s);

        // What the launcher itself changes leaves it one's own.
        const QString runDir = moved + u"/runs/"_s + study.runs[1].config.runId;
        QJsonObject json = jsonOf(runDir + u"/run.json"_s);
        json.insert(u"data"_s, QJsonObject{{u"source"_s, u"generated"_s}, {u"path"_s, u"/x"_s}});
        QVERIFY(rewriteOwnRun(runDir, json));
        QVERIFY(isOwnStudy(moved));
        QVERIFY(contentOf(runDir + u"/run.json"_s) != original);
        QVERIFY(!rewriteOwnRun(copy + u"/runs/"_s + study.runs[1].config.runId, json));
        struct stat info {
        };
        const QString list = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                             u"/scalebench/own_studies.txt"_s;
        QCOMPARE(::stat(list.toUtf8().constData(), &info), 0);
        QVERIFY((info.st_mode & 022) == 0); // nobody else says what is ours
    }

    void changedRunIsNotStarted()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        QJsonObject run = jsonOf(study.runs[0].runDir + u"/run.json"_s);
        run.insert(u"hosts"_s, QJsonArray{u"elsewhere"_s});
        putJson(study.runs[0].runDir + u"/run.json"_s, run);
        StudyController controller;
        const Result<void> started = controller.start(study.dir);
        QVERIFY(!started);
        QCOMPARE(started.failure().code, u"study_foreign"_s);
        QCOMPARE(startSupervisor(study.dir).failure().code, u"study_foreign"_s);
        QVERIFY(!QFileInfo::exists(study.dir + u"/supervisor.log"_s));
    }

    /// Names that lead out of a folder, end a line or are options.
    void hostileNames_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        for (const char* key : {"run_id", "study"}) {
            for (const char* value :
                 {"../../../../../..", "..", ".", "/etc", "a/b", "a\nb", "-rf", "a b", "$(touch x)",
                  "`x`", "a;b", "x\n}\nSCALEBENCH_END_OF_RUN\ntouch /tmp/x\n", "a\\b", "'", "\"",
                  "\xe2\x80\xae"
                  "a",
                  "é"})
                QTest::newRow((QByteArray(key) + ' ' + value).constData())
                    << QString::fromLatin1(key) << QString::fromUtf8(value);
            QTest::newRow((QByteArray(key) + " long").constData())
                << QString::fromLatin1(key) << QString(201, u'a');
        }
    }
    void hostileNames()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        const HostileStudy study;
        study.setRun(key, value);
        const Result<Study> loaded = loadStudy(study.dir());
        QVERIFY(loaded);
        QCOMPARE(loaded.value().runs[0].failure.code, u"run_damaged"_s);
        QVERIFY(loaded.value().runs[1].failure.code.isEmpty()); // the other one is read
        QVERIFY(loaded.value().id != value);
        QCOMPARE(study.open({u"results"_s, u"show"_s, study.dir()}).code, 0);
    }

    void hostileNumbers_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        for (const char* key : {"workers", "nodes", "threads_per_worker", "global_batch", "epochs"})
            for (const double value : {-1.0, 2e9 + 1, 4e9, 1e15, -2e9})
                QTest::newRow((QByteArray(key) + ' ' + QByteArray::number(value)).constData())
                    << QString::fromLatin1(key) << value;
        QTest::newRow("workers") << u"workers"_s << 2e9;
    }
    void hostileNumbers()
    {
        QFETCH(QString, key);
        QFETCH(double, value);
        const HostileStudy study;
        study.setRun(key, value);
        QCOMPARE(loadStudy(study.dir()).value().runs[0].failure.code, u"run_damaged"_s);
    }
    /// As many logs as there are, not as many as somebody says there are.
    void manyWorkersCostNothing()
    {
        const HostileStudy study;
        study.setRun(u"workers"_s, 1'000'000);
        study.setStatus({{u"state"_s, u"failed"_s}});
        put(study.runDir() + u"/stderr_7.txt"_s, "of rank 7\n");
        put(study.runDir() + u"/stderr_x.txt"_s, "of nobody\n");
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QStringList sources;
        connect(&controller, &StudyController::logText, &controller,
                [&](int, const QString& source, const QString&) { sources << source; });
        QVERIFY(controller.attach(study.dir()));
        QVERIFY(QTest::qWaitFor([&] { return finished.count() == 1; }, kHangMs));
        QCOMPARE(sources, QStringList{u"stderr_7.txt"_s});
    }

    /// S5: a FIFO or a device in a file's place blocked the whole library or filled the memory; a
    /// link showed what is elsewhere.
    void noOrdinaryFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("kind");
        for (const char* name :
             {"study.json", "plan.json", "machine.json", "supervisor.lock", "RUN/run.json",
              "RUN/status.json", "RUN/result_0.txt", "RUN/launcher.txt", "RUN/stderr_0.txt"})
            for (const char* kind : {"fifo", "device", "link", "folder"})
                QTest::newRow((QByteArray(name) + ' ' + kind).constData())
                    << QString::fromLatin1(name) << QByteArray(kind);
    }
    void noOrdinaryFile()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, kind);
        const HostileStudy study;
        // An honest one beside it, which must stay visible.
        const QString honest = study.libraryDir() + u"/studies/honest"_s;
        QProcess::execute(u"cp"_s, {u"-a"_s, study.dir(), honest});
        study.setStatus({{u"state"_s, u"failed"_s}});
        study.setStatus({{u"state"_s, u"failed"_s}}, 1);
        const QString path =
            name.startsWith("RUN/"_L1) ? study.runDir() + name.mid(3) : study.file(name);
        const QString elsewhere = study.outside("elsewhere");
        QFileInfo::exists(path) ? (void)QFile::copy(path, elsewhere) : put(elsewhere, "secret\n");
        QFile::remove(path);
        const QByteArray bytes = QFile::encodeName(path);
        if (kind == "fifo")
            QCOMPARE(::mkfifo(bytes.constData(), 0644), 0);
        else if (kind == "link")
            QCOMPARE(::symlink(QFile::encodeName(elsewhere).constData(), bytes.constData()), 0);
        else if (kind == "folder")
            QVERIFY(QDir().mkpath(path));
        else if (::symlink("/dev/zero", bytes.constData()) != 0)
            QFAIL("no link to a device");
        const Answer list = study.open({u"results"_s, u"list"_s});
        QCOMPARE(list.code, 0);
        QVERIFY2(list.out.contains(u"honest"_s) || list.out.count(u'\n') >= 2,
                 qPrintable(list.out));
        const Answer show = study.open({u"results"_s, u"show"_s, study.dir()});
        QVERIFY2(show.code >= 0, "does not end");
        QVERIFY(study.open({u"follow"_s, study.dir(), u"--quiet"_s}).code >= 0);
        QVERIFY(study.open({u"resume"_s, study.dir()}).code > 0);
        QVERIFY(!show.out.contains(u"secret"_s));
        if (kind != "link") // whoever names a link means it
            QCOMPARE(study.open({u"study"_s, path}).code, 2);
    }

    /// The same in the place of a library's own files.
    void noOrdinaryLibraryFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("kind");
        for (const char* name : {"external_studies.txt", "annotations.json"})
            for (const char* kind : {"fifo", "device", "link", "folder"})
                QTest::newRow((QByteArray(name) + ' ' + kind).constData())
                    << QString::fromLatin1(name) << QByteArray(kind);
    }
    void noOrdinaryLibraryFile()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, kind);
        const HostileStudy study, other; // which a linked list would show
        const QByteArray path = QFile::encodeName(study.libraryDir() + u'/' + name);
        put(study.outside("elsewhere"), other.dir().toUtf8() + '\n');
        QFile::remove(QFile::decodeName(path));
        if (kind == "fifo")
            QCOMPARE(::mkfifo(path.constData(), 0644), 0);
        else if (kind == "folder")
            QVERIFY(QDir().mkpath(QFile::decodeName(path)));
        else
            QCOMPARE(::symlink(kind == "device"
                                   ? "/dev/zero"
                                   : QFile::encodeName(study.outside("elsewhere")).constData(),
                               path.constData()),
                     0);
        const Answer list = study.open({u"results"_s, u"list"_s, u"--json"_s});
        QVERIFY2(list.code == 0, qPrintable(list.err));
        QVERIFY2(list.out.contains(study.dir()), qPrintable(list.out));
        QVERIFY2(!list.out.contains(other.dir()), qPrintable(list.out));
        // A study elsewhere would be written into it.
        const Answer run = study.open({u"run"_s, u"resnet"_s, u"--workers"_s, u"1"_s, u"--out"_s,
                                       study.outside("out"), u"--no-pictures"_s, u"--quiet"_s});
        QVERIFY2(run.code == (name.startsWith("external"_L1) ? 2 : 0), qPrintable(run.err));
        QCOMPARE(contentOf(study.outside("elsewhere")), other.dir().toUtf8() + '\n');
    }

    /// What is put in the place of a lock is neither followed nor waited for.
    void lockIsNoOrdinaryFile_data()
    {
        QTest::addColumn<bool>("link");
        QTest::newRow("link") << true;
        QTest::newRow("pipe") << false;
    }
    void lockIsNoOrdinaryFile()
    {
        QFETCH(bool, link);
        const QTemporaryDir dir;
        const QByteArray path = QFile::encodeName(dir.filePath(u"import.lock"_s));
        const QByteArray target = QFile::encodeName(dir.filePath(u"elsewhere"_s));
        QCOMPARE(link ? ::symlink(target.constData(), path.constData())
                      : ::mkfifo(path.constData(), 0644),
                 0);
        FileLock lock;
        QCOMPARE(lock.take(QFile::decodeName(path), 0).failure().code, u"not_a_file"_s);
        QVERIFY(!QFile::exists(QFile::decodeName(target)));
        QFile::remove(QFile::decodeName(path));
        FileLock first, second;
        QVERIFY(first.take(QFile::decodeName(path), 0));
        QCOMPARE(second.take(QFile::decodeName(path), 20).failure().code, u"locked"_s);
    }

    /// Emptying the trash deleted what a link in it stands for.
    void linkedTrash()
    {
        const HostileStudy study;
        const QString precious = study.outside("precious");
        put(precious + u"/file"_s, "precious");
        const QString trash = study.libraryDir() + u"/trash"_s;
        const QJsonObject mark{{u"format"_s, u"scalebench.trash"_s},
                               {u"version"_s, 1},
                               {u"folder"_s, u"studies"_s},
                               {u"id"_s, u"s1"_s},
                               {u"title"_s, u"t"_s},
                               {u"trashed_ms"_s, 1}};
        putJson(trash + u"/x/trash.json"_s, mark);
        QVERIFY(QFile::link(precious, trash + u"/x/study"_s));
        QCOMPARE(study.open({u"results"_s, u"empty-trash"_s, u"--yes"_s}).code, 0);
        QVERIFY(study.open({u"results"_s, u"restore"_s, u"s1"_s}).code > 0);
        QCOMPARE(contentOf(precious + u"/file"_s), QByteArray("precious"));
        // The whole trash is a link to somebody's.
        const QString other = study.outside("other");
        putJson(other + u"/y/trash.json"_s, mark);
        put(other + u"/y/study/file"_s, "precious");
        QVERIFY(QDir(trash).removeRecursively() && QFile::link(other, trash));
        QCOMPARE(study.open({u"results"_s, u"empty-trash"_s, u"--yes"_s}).code, 0);
        QCOMPARE(contentOf(other + u"/y/study/file"_s), QByteArray("precious"));
        QCOMPARE(contentOf(precious + u"/file"_s), QByteArray("precious"));
    }

    /// SQLite made its tables in the database that a link stands for.
    void linkedIndex()
    {
        const HostileStudy study;
        const QString index = study.libraryDir() + u"/index.sqlite"_s;
        const QString other = study.outside("other.sqlite");
        put(other, ""); // a database without tables, to SQLite
        for (const char* suffix : {"", "-wal", "-shm"})
            QFile::remove(index + QLatin1StringView(suffix));
        QVERIFY(QFile::link(other, index));
        const Answer list = study.open({u"results"_s, u"list"_s, u"--json"_s});
        QVERIFY2(list.code == 0 && list.out.contains(study.dir()), qPrintable(list.err));
        QCOMPARE(contentOf(other), QByteArray());
        QVERIFY(!QFileInfo(index).isSymLink());
    }

    void linkedFolders()
    {
        const HostileStudy study;
        const QString elsewhere = study.outside("runs");
        QVERIFY(QFile::rename(study.file(u"runs"_s), elsewhere));
        QCOMPARE(::symlink(QFile::encodeName(elsewhere).constData(),
                           QFile::encodeName(study.file(u"runs"_s)).constData()),
                 0);
        const Result<Study> loaded = loadStudy(study.dir());
        QVERIFY(loaded);
        QCOMPARE(loaded.value().runs[0].failure.code, u"run_damaged"_s);
        QVERIFY(loaded.value().runs[0].failure.message.contains(u"link"_s));
    }

    void hugeFiles()
    {
        const HostileStudy study;
        for (const QString& path :
             {study.runDir() + u"/status.json"_s, study.runDir(1) + u"/run.json"_s}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.resize(qint64(200) << 30)); // sparse
        }
        const Result<Study> loaded = loadStudy(study.dir());
        QVERIFY(loaded);
        QVERIFY(loaded.value().runs[0].failure.message.contains(u"MiB"_s));
        QVERIFY(loaded.value().runs[1].failure.message.contains(u"MiB"_s));
    }

    void deepFolders()
    {
        QTemporaryDir folder;
        QString path = folder.path();
        for (int i = 0; i < 2000; ++i)
            path += u"/a"_s;
        const Result<void> made = makeFolder(path);
        QVERIFY(!made);
        QCOMPARE(made.failure().code, u"not_writable"_s);
        QVERIFY(makeFolder(folder.filePath(u"a/b/c/d/e"_s)));
        QVERIFY(QFileInfo(folder.filePath(u"a/b/c/d/e"_s)).isDir());
    }

    /// S9: a link in the place of the temporary file was written through.
    void newFilesAreExclusive()
    {
        QTemporaryDir folder;
        const QString target = folder.filePath(u"out.json"_s), other = folder.filePath(u"other"_s);
        put(other, "precious");
        const QByteArray link =
            QFile::encodeName(target) + ".tmp" + QByteArray::number(qint64(::getpid()));
        QCOMPARE(::symlink(QFile::encodeName(other).constData(), link.constData()), 0);
        QVERIFY(writeFileAtomically(target, "new"));
        QCOMPARE(contentOf(target), QByteArray("new"));
        QCOMPARE(contentOf(other), QByteArray("precious"));
        QVERIFY(!QFileInfo(target).isSymLink());
    }

    /// S7: escapes in a state went to the terminal as they were.
    void terminalShowsControlCharacters()
    {
        const HostileStudy study;
        const QString text = u"\x1b]0;title\x07\x1b[2J\u202egnp.exe \x9b"
                             "31m\r\nsecond"_s;
        study.setStatus({{u"state"_s, u"failed"_s},
                         {u"waiting"_s, text},
                         {u"error"_s, QJsonObject{{u"code"_s, u"x"_s}, {u"message"_s, text}}}});
        QJsonObject spec = jsonOf(study.file(u"study.json"_s));
        spec.insert(u"name"_s, text);
        putJson(study.file(u"study.json"_s), spec);
        for (const QStringList& words : {QStringList{u"results"_s, u"show"_s, study.dir()},
                                         {u"results"_s, u"list"_s},
                                         {u"results"_s, u"show"_s, study.dir(), u"--json"_s},
                                         {u"results"_s, u"list"_s, u"--json"_s},
                                         {u"follow"_s, study.dir()}}) {
            const Answer answer = study.open(words);
            QVERIFY(answer.code >= 0);
            for (const QChar c : answer.out + answer.err)
                QVERIFY2((c.category() != QChar::Other_Control || c == u'\n') && c != u'\u202e',
                         qPrintable(words.join(u' ') + QString::number(c.unicode())));
            if (words.contains(u"--json"_s)) {
                QJsonParseError error;
                (void)QJsonDocument::fromJson(answer.out.toUtf8(), &error);
                QCOMPARE(error.error, QJsonParseError::NoError);
            }
        }
        const Answer shown = study.open({u"results"_s, u"show"_s, study.dir()});
        QVERIFY2(shown.out.contains(u"\\x1b[2J"_s), qPrintable(shown.out));
    }

    /// A job's number that would be an option of scancel's.
    void jobIsANumber()
    {
        const HostileStudy study;
        for (const char* job :
             {"--user=anna", "1 2", "-1", "0x1", "1;2", "٣", "1\n", "1111111111111111111111"}) {
            study.setStatus({{u"slurm_job"_s, QString::fromUtf8(job)}});
            const Result<RunStatus> status = readRunStatus(study.runDir());
            QVERIFY2(!status, job);
            QCOMPARE(status.failure().code, u"job_invalid"_s);
        }
        study.setStatus({{u"slurm_job"_s, u"123"_s}});
        QCOMPARE(readRunStatus(study.runDir()).value().slurmJob, u"123"_s);
    }
};

QTEST_GUILESS_MAIN(ReadingTest)
#include "reading_test.moc"
