// SPDX-License-Identifier: GPL-3.0-or-later
// The words for sbatch and the batch script, which is really run with a stand-in for mpirun.
#include "supervise/slurm_script.h"
#include "support/campaign.h"
#include "support/slurm_stand_ins.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class SlurmScriptTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    static RunConfig config(int nodes = 2, int workers = 8)
    {
        RunConfig run;
        run.runId = u"r1"_s;
        run.study = u"demo"_s;
        run.device = u"cpu"_s;
        run.nodes = nodes;
        run.workers = workers;
        run.threadsPerWorker = 3;
        return run;
    }
    /// job.sh with a stand-in for mpirun, as Slurm would start it on a single node.
    QString prepareScript(const QByteArray& mpirun, const QString& name = u"it's a $folder"_s,
                          const QByteArray& version = "mpirun (Open MPI) 4.1.4\n")
    {
        const QString folder = m_folder.filePath(name);
        QDir(folder).removeRecursively();
        QDir().mkpath(folder + u"/engine/current/bin"_s);
        QDir().mkpath(folder + u"/run"_s);
        const qsizetype body = mpirun.indexOf('\n') + 1; // which need not know --version
        const QByteArray answer = "[ \"$1\" != --version ] || { cat version; exit; }\n";
        writeFile(folder + u"/version"_s, version);
        writeProgram(folder + u"/engine/current/bin/mpirun"_s,
                     mpirun.first(body) + answer + mpirun.mid(body));
        writeProgram(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n");
        writeFile(folder + u"/run/run.json"_s, "{}");
        TargetMachine m = slurmMachine(folder);
        m.environment.insert(u"WORDS"_s, u"two 'words' $HOME"_s);
        const RunConfig run = config(1, 2);
        writeFile(folder + u"/job.sh"_s, slurmScript({run, m, folder + u"/run"_s}).toUtf8());
        return folder;
    }
    static std::unique_ptr<QProcess> runScript(const QString& folder)
    {
        auto script = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SLURM_JOB_NUM_NODES"_s, u"1"_s);
        script->setProcessEnvironment(environment);
        script->setWorkingDirectory(folder);
        script->start(u"sh"_s, {folder + u"/job.sh"_s});
        return script;
    }

private slots:
    void wordsForSbatch()
    {
        TargetMachine m = slurmMachine();
        const RunConfig run = config();
        QCOMPARE(sbatchArguments({run, m, u"/s/runs/r1"_s}),
                 (QStringList{u"--parsable"_s, u"--no-requeue"_s, u"--job-name=scalebench-r1"_s,
                              u"--nodes=2"_s, u"--ntasks-per-node=4"_s, u"--cpus-per-task=3"_s,
                              u"--chdir=/s/runs/r1"_s, u"--output=/s/runs/r1/launcher.txt"_s,
                              u"--open-mode=append"_s, u"/s/runs/r1/job.sh"_s}));
        m.slurm = {u"gpu"_s, u"lab1"_s, u"1:30:00"_s, 4, {u"--mem=0"_s, u"--constraint=a b"_s}};
        QCOMPARE(sbatchArguments({run, m, u"/100%j/r1"_s}),
                 (QStringList{u"--parsable"_s, u"--no-requeue"_s, u"--job-name=scalebench-r1"_s,
                              u"--nodes=2"_s, u"--ntasks-per-node=4"_s, u"--cpus-per-task=3"_s,
                              u"--partition=gpu"_s, u"--account=lab1"_s, u"--time=1:30:00"_s,
                              u"--gpus-per-node=4"_s, u"--mem=0"_s, u"--constraint=a b"_s,
                              u"--chdir=/100%j/r1"_s, u"--output=/100%%j/r1/launcher.txt"_s,
                              u"--open-mode=append"_s, u"/100%j/r1/job.sh"_s}));
    }

    void script()
    {
        TargetMachine m = slurmMachine();
        RunConfig run = config();
        const QString begin = u"\nesac\n\"$mpirun\" \"$@\" --map-by ppr:4:node --bind-to none "_s;
        QString text = slurmScript({run, m, u"/s/r1"_s});
        QVERIFY2(text.contains(begin +
                               u"--mca btl_tcp_if_exclude 127.0.0.1/8,docker0,virbr0,lxcbr0,"
                               "podman0 --mca mpi_yield_when_idle 1 -x OMP_NUM_THREADS "
                               "/shared/sb/engine/current/bin/scalebench-engine --run "
                               "/s/r1 &\n"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u"\n*) set -- --mca oob_tcp_keepalive_time 8 --mca "
                               "oob_tcp_keepalive_intvl 3 --mca oob_tcp_keepalive_probes 3 ;;\n"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u".*) set -- --prtemca oob_tcp_keepalive_time 8 --prtemca "
                               "oob_tcp_keepalive_intvl 3 --prtemca oob_tcp_keepalive_probes 3 "
                               "--mca btl_tcp_disable_family 6 ;;\n"_s),
                 qPrintable(text));
        QVERIFY(text.startsWith(u"#!/bin/sh\n# Run r1 of study demo, "_s));
        QVERIFY(text.contains(u"\nmpirun=/shared/sb/engine/current/bin/mpirun\n"_s));
        QVERIFY(text.contains(u"\nexport OMP_NUM_THREADS=3\n"_s));
        QVERIFY(!text.contains(u"OMPI_ALLOW_RUN_AS_ROOT"_s));
        QVERIFY(!text.contains(u'@' + u"RUN"_s));

        run.device = u"cuda"_s;
        m.interface = u"ib0"_s;
        m.mpiPrefix = u"/opt/my mpi"_s;
        m.nccl.insert(u"SOCKET_IFNAME"_s, u"ib0"_s);
        text = slurmScript({run, m, u"/s/r1"_s, true, true});
        QVERIFY2(text.contains(u"probes 3 --mca btl_tcp_if_include ib0 ;;\nesac\n"_s) &&
                     text.contains(u"family 6 --mca btl_tcp_if_include ib0 ;;\n"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(begin + u"--prefix '/opt/my mpi' -x "
                                       "NCCL_SOCKET_IFNAME -x OMP_NUM_THREADS "
                                       "/shared/sb/engine/current/bin/scalebench-engine --run "
                                       "/s/r1 --resume &\n"_s),
                 qPrintable(text));
        QVERIFY(text.contains(u"\nmpirun='/opt/my mpi/bin/mpirun'\n"_s));
        QVERIFY(text.contains(u"\nunset OPAL_PREFIX "_s));
        QVERIFY(text.contains(u"\nexport OMPI_ALLOW_RUN_AS_ROOT=1 "_s));
        QVERIFY(text.contains(u"\nexport NCCL_SOCKET_IFNAME=ib0\n"_s));
    }

    /// The Open MPI over there is asked, and gets its own names.
    void scriptAsksForTheVersion()
    {
        for (const auto& [version, first] :
             {std::pair{"4.1.4", "--mca"}, std::pair{"5.0.7", "--prtemca"},
              std::pair{"10.1.0a1", "--prtemca"}, std::pair{"", "--mca"}}) {
            const QString folder = prepareScript(
                "#!/bin/sh\nfor w; do echo \"$w\"; done > arguments\n", u"it's a $folder"_s,
                QByteArray("mpirun (Open MPI) ") + version + "\n\nReport bugs\n");
            const auto script = runScript(folder);
            QVERIFY(script->waitForFinished(kHangMs));
            QCOMPARE(script->exitCode(), 0);
            QVERIFY2(contentOf(folder + u"/arguments"_s).startsWith(QByteArray(first) + '\n'),
                     version);
        }
    }

    void scriptReallyRun()
    {
        const QString folder = prepareScript("#!/bin/sh\necho \"$WORDS\" > words\nfor w; do echo "
                                             "\"$w\"; done > arguments\nexit 7\n");
        const auto script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs));
        QCOMPARE(script->exitCode(), 7);
        QCOMPARE(contentOf(folder + u"/run/job_exit"_s), QByteArray("7\n"));
        QCOMPARE(contentOf(folder + u"/words"_s), QByteArray("two 'words' $HOME\n"));
        QVERIFY(contentOf(folder + u"/arguments"_s)
                    .endsWith((u"\n--run\n"_s + folder + u"/run\n"_s).toUtf8()));
        QVERIFY(!QFile::exists(folder + u"/run/.job_exit"_s));
    }

    /// A value that looks like one of the script's places, which the next pass would have filled.
    void valuesAreNotLookedAtAgain_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"@ARGUMENTS@;touch PROOF;", "@ENVIRONMENT@", "@TITLE@@RUN@",
                                 "@MPIRUN@'; touch PROOF; '", "a\nb"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void valuesAreNotLookedAtAgain()
    {
        QFETCH(QString, name);
        const QString folder =
            prepareScript("#!/bin/sh\nfor w; do echo \"$w\"; done > arguments\n", name);
        const auto script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs));
        QCOMPARE(script->exitCode(), 0);
        QVERIFY(!QFile::exists(folder + u"/PROOF"_s));
        QVERIFY(contentOf(folder + u"/arguments"_s)
                    .endsWith((u"\n--run\n"_s + folder + u"/run\n"_s).toUtf8()));
    }

    void scriptHandsSignalsOn()
    {
        for (const auto& [signal, code] : {std::pair{SIGUSR1, 21}, std::pair{SIGTERM, 22}}) {
            // It needs a while to end, and the script must wait for that.
            const QString folder = prepareScript(
                "#!/bin/sh\ntrap 'sleep 0.3; exit 21' USR1\ntrap 'sleep 0.3; exit 22' TERM\n"
                "echo > begun\nwhile :; do sleep 0.05; done\n");
            const auto script = runScript(folder);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder + u"/begun"_s), kHangMs);
            ::kill(pid_t(script->processId()), signal);
            QVERIFY(script->waitForFinished(kHangMs));
            QCOMPARE(script->exitCode(), code);
            QCOMPARE(contentOf(folder + u"/run/job_exit"_s), QByteArray::number(code) + '\n');
        }
    }

    void scriptTellsWhatIsMissing()
    {
        const QString folder = prepareScript("#!/bin/sh\n");
        QFile::remove(folder + u"/engine/current/bin/scalebench-engine"_s);
        auto script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs));
        QVERIFY(contentOf(folder + u"/run/job_exit"_s).startsWith("127 engine_missing "));
        QFile::remove(folder + u"/run/run.json"_s);
        script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs)); // a network file system gets its time
        QVERIFY(contentOf(folder + u"/run/job_exit"_s).startsWith("127 folder_not_shared "));
    }
};

QTEST_GUILESS_MAIN(SlurmScriptTest)
#include "slurm_script_test.moc"
