// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/open_mpi.h"
#include "machine/proc_files.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"
#include "study/mpi_fault.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class ThisComputerTest : public QObject
{
    Q_OBJECT

    static void put(const QString& path, bool program, const QByteArray& content = {})
    {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        if (program)
            file.setPermissions(file.permissions() | QFile::ExeOwner);
    }

private slots:
    /// In a bundle the engine is started by a wrapper in bin/, and lies in libexec/ with the
    /// plug-in.
    void thePlugInLiesWithTheEngine_data()
    {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<bool>("found");
        QTest::newRow("beside") << QStringList{u"bin/libscalebench_cuda.so"_s} << true;
        QTest::newRow("bundle") << QStringList{u"libexec/scalebench-engine"_s,
                                               u"libexec/libscalebench_cuda.so"_s}
                                << true;
        QTest::newRow("bundle without") << QStringList{u"libexec/scalebench-engine"_s} << false;
        QTest::newRow("of something else")
            << QStringList{u"libexec/libscalebench_cuda.so"_s} << false;
        QTest::newRow("none") << QStringList() << false;
    }
    /// By what another user put in its place runs take no turns.
    void lockThatCannotBeUsedIsFound()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"turn"_s);
        QVERIFY(turnFindings(file).isEmpty());
        put(file, false);
        QVERIFY(turnFindings(file).isEmpty());
        QVERIFY(QFile::link(file, folder.filePath(u"link"_s)));
        for (const QString& wrong : {folder.filePath(u"link"_s), folder.path()}) {
            const QList<Finding> found = turnFindings(wrong);
            QCOMPARE(found.size(), 1);
            QCOMPARE(found.first().level, Finding::Level::Warning);
            QVERIFY(found.first().text.contains(wrong));
        }
    }
    void coresThatHaveSeveralProcessors()
    {
        const QTemporaryDir sys;
        const auto put = [&](int processor, const char* siblings) {
            const QString folder =
                sys.filePath(u"devices/system/cpu/cpu%1/topology"_s.arg(processor));
            QVERIFY(QDir().mkpath(folder));
            QFile file(folder + u"/thread_siblings_list"_s);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(siblings);
        };
        put(0, "0,4\n"), put(4, "0,4\n"), put(1, "1,5\n"), put(5, "1,5\n");
        QCOMPARE(coresOfProcessors({0, 1, 4, 5}, sys.path()), 2);
        QCOMPARE(coresOfProcessors({0, 1}, sys.path()), 2);
        QCOMPARE(coresOfProcessors({0, 4}, sys.path()), 1);
        QCOMPARE(coresOfProcessors({0, 4, 7, 8}, sys.path()), 3); // 7 and 8 do not tell
        const MachineInfo info = probeThisComputer(false);
        QVERIFY(info.physicalCores >= 1 && info.physicalCores <= info.cores);
    }

    /// Of version 2, of version 1, and of a container that sees its own group at the root.
    void controlGroupsLimitMemory_data()
    {
        QTest::addColumn<QByteArray>("groups");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<bool>("first");
        QTest::newRow("2") << QByteArray("0::/job/step\n") << u"job/"_s << false;
        QTest::newRow("1") << QByteArray("7:cpu:/x\n4:memory:/job/step\n0::/\n")
                           << u"memory/job/step/"_s << true;
        QTest::newRow("container, 2") << QByteArray("0::/\n") << u""_s << false;
        QTest::newRow("container, 1")
            << QByteArray("4:cpu,memory:/docker/0815\n") << u"memory/"_s << true;
    }
    void controlGroupsLimitMemory()
    {
        QFETCH(QByteArray, groups);
        QFETCH(QString, folder);
        QFETCH(bool, first);
        const QTemporaryDir dir;
        const QString group = dir.filePath(u"sys/fs/cgroup/"_s) + folder;
        put(dir.filePath(u"proc/meminfo"_s), false, "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n");
        put(dir.filePath(u"proc/self/cgroup"_s), false, groups);
        const QString limit = group + (first ? u"memory.limit_in_bytes"_s : u"memory.max"_s);
        put(limit, false, first ? "9223372036854771712\n" : "max\n");
        const MemorySizes free = memorySizes(dir.path());
        QVERIFY(!free.limited);
        QCOMPARE(free.all, 9000 * 1024);
        QCOMPARE(free.available, 8000 * 1024);
        put(limit, false, "3000000\n");
        put(group + (first ? u"memory.usage_in_bytes"_s : u"memory.current"_s), false, "500000\n");
        put(group + u"memory.stat"_s, false,
            first ? "cache 9\ntotal_inactive_file 70000\ntotal_active_file 30000\n"
                  : "anon 9\ninactive_file 70000\nactive_file 30000\n");
        const MemorySizes cut = memorySizes(dir.path());
        QVERIFY(cut.limited);
        QCOMPARE(cut.all, 3000000);
        QCOMPARE(cut.available, 2600000);
    }

    void thePlugInLiesWithTheEngine()
    {
        QFETCH(QStringList, files);
        QFETCH(bool, found);
        const QTemporaryDir dir;
        const QString engine = dir.filePath(u"bin/scalebench-engine"_s);
        put(engine, true);
        for (const QString& file : files)
            put(dir.filePath(file), false);
        qputenv("SCALEBENCH_ENGINE", engine.toUtf8());
        const MachineInfo info = probeThisComputer(false);
        qunsetenv("SCALEBENCH_ENGINE");
        QCOMPARE(info.enginePath, engine);
        QCOMPARE(!info.cudaReason.contains(u"no CUDA plug-in"_s), found);
    }

    /// What doctor and the window tell of an engine that does not start, in the loader's words.
    void theEngineThatDoesNotAnswer_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("fault");
        QTest::newRow("library") << QByteArray("echo first >&2; echo libmpi.so.40: no such file "
                                               ">&2; exit 127")
                                 << u"libmpi.so.40: no such file"_s;
        QTest::newRow("silent") << QByteArray("exit 1") << u"code 1"_s;
        QTest::newRow("other") << QByteArray("echo hello") << u"code 0"_s;
        QTest::newRow("killed") << QByteArray("kill -9 $$") << u"signal 9"_s;
        QTest::newRow("good") << QByteArray("echo '{\"engine\":\"1.2\"}'") << QString();
    }
    void theEngineThatDoesNotAnswer()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, fault);
        const QTemporaryDir dir;
        const QString engine = dir.filePath(u"scalebench-engine"_s);
        put(engine, true);
        QFile file(engine);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + script) > 0);
        file.close();
        qputenv("SCALEBENCH_ENGINE", engine.toUtf8());
        const MachineInfo info = probeThisComputer(true);
        const QList<Finding> findings = runDoctor(dir.path());
        qunsetenv("SCALEBENCH_ENGINE");
        QVERIFY2(info.engineFault.contains(fault), qPrintable(info.engineFault));
        QCOMPARE(info.engineFault.isEmpty(), fault.isEmpty());
        const auto told = std::find_if(findings.begin(), findings.end(),
                                       [](const Finding& f) { return f.id == u"engine"_s; });
        QVERIFY(told != findings.end() && told->text.contains(fault));
        QCOMPARE(told->level == Finding::Level::Ok, fault.isEmpty());
    }

    /// MPICH's mpirun starts none of our workers; one that looks for its parts in the folders of
    /// another installation knows none of its options.
    void anotherMpi_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QString>("told");
        QTest::newRow("MPICH") << QByteArray("echo HYDRA build details:") << QByteArray()
                               << u"it says \"HYDRA build details:\""_s;
        QTest::newRow("broken") << QByteArray("echo no library >&2; exit 127") << QByteArray()
                                << u"--version: no library"_s;
        QTest::newRow("prefix") << QByteArray("echo unknown option >&2; exit 1")
                                << QByteArray("/opt/other")
                                << u"OPAL_PREFIX names another Open MPI, in /opt/other"_s;
    }
    void anotherMpi()
    {
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, prefix);
        QFETCH(QString, told);
        const QTemporaryDir dir;
        put(dir.filePath(u"mpirun"_s), true, "#!/bin/sh\n" + script + '\n');
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", dir.path().toUtf8() + ':' + before);
        prefix.isEmpty() ? qunsetenv("OPAL_PREFIX") : qputenv("OPAL_PREFIX", prefix);
        const MachineInfo info = probeThisComputer(false);
        const QList<Finding> findings = runDoctor(dir.path());
        qunsetenv("OPAL_PREFIX");
        qputenv("PATH", before);
        const auto mpi = std::find_if(findings.begin(), findings.end(),
                                      [](const Finding& f) { return f.id == u"mpi"_s; });
        QVERIFY(mpi != findings.end() && mpi->level == Finding::Level::Problem);
        QVERIFY2(mpi->text.contains(told), qPrintable(mpi->text));
        const std::optional<MpiFault> fault = mpiFault(info); // in the same words for a run
        QVERIFY(fault && fault->code == u"mpi_broken"_s);
        QCOMPARE(fault->failure().message, mpi->text + u". "_s + mpi->fix);
    }

    /// An Open MPI that lies where OPAL_PREFIX says is the one that is meant.
    void theOpenMpiThatOpalPrefixNames()
    {
        const QTemporaryDir dir;
        put(dir.filePath(u"bin/orterun"_s), true);
        QVERIFY(QFile::link(u"orterun"_s, dir.filePath(u"bin/mpirun"_s)));
        qputenv("OPAL_PREFIX", dir.path().toUtf8());
        const QString own = OpenMpi::otherPrefix(dir.filePath(u"bin/mpirun"_s));
        const QString other = OpenMpi::otherPrefix(u"/usr/bin/mpirun"_s);
        qunsetenv("OPAL_PREFIX");
        QCOMPARE(own, QString());
        QCOMPARE(other, dir.path());
        QCOMPARE(OpenMpi::otherPrefix(u"/usr/bin/mpirun"_s), QString());
    }

    /// Every study is noted in a file of the user's, wherever its library is.
    void theListOfOwnStudiesIsLookedAt()
    {
        const auto isTold = [](const QString& dataHome) {
            qputenv("XDG_DATA_HOME", dataHome.toUtf8());
            const QList<Finding> findings = runDoctor(QDir::tempPath());
            qunsetenv("XDG_DATA_HOME");
            return std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
                return f.id == u"studies"_s && f.level == Finding::Level::Problem &&
                       f.text.contains(u"own_studies.txt"_s);
            });
        };
        const QTemporaryDir dir;
        put(dir.filePath(u"file"_s), false);
        QVERIFY(!isTold(dir.path()));
        QVERIFY(isTold(dir.filePath(u"file"_s)));
        QVERIFY(QDir(dir.filePath(u"scalebench"_s)).isEmpty()); // looking makes nothing
    }
};

QTEST_GUILESS_MAIN(ThisComputerTest)
#include "this_computer_test.moc"
