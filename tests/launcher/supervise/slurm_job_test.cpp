// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm jobs without Slurm: the words for sbatch, the batch script (really run), what Slurm's
// programs say and, with stand-ins for them, what a test cluster cannot do.
#include "machine/study_machine.h"
#include "run/own_studies.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "supervise/forgotten_job.h"
#include "supervise/run_end.h"
#include "supervise/slurm_processes.h"
#include "supervise/slurm_script.h"
#include "supervise/slurm_state.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QSaveFile>
#include <QTest>
#include <QThread>

#include <csignal>
#include <memory>
#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

/// Stands in for one of Slurm's programs.
static const char kFake[] = R"sh(#!/bin/sh
cd @DIR@
echo "$*" >> @NAME@.words
[ ! -e @NAME@.errors ] || { cat @NAME@.errors >&2; exit 1; }
[ ! -e hang ] || exec sleep 100
[ ! -e @NAME@.says ] || cat @NAME@.says
)sh";

static void write(const QString& path, const QByteArray& text, bool program = false)
{
    QSaveFile file(path); // a stand-in must not read half of it
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
        !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner |
                             (program ? QFile::ExeOwner : QFile::Permissions())) ||
        !file.commit())
        qFatal("%s", qPrintable(path));
}

static QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

static SlurmAnswer said(const char* output, const char* errors = "", int code = 0)
{
    SlurmAnswer answer;
    answer.started = true;
    answer.exitCode = code;
    answer.output = QString::fromLatin1(output);
    answer.errors = QString::fromLatin1(errors);
    return answer;
}

class SlurmJobTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");

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
    static TargetMachine machine(const QString& folder = u"/shared/sb"_s)
    {
        TargetMachine m;
        m.name = u"c"_s;
        m.kind = TargetMachine::Kind::Slurm;
        m.folder = folder;
        return m;
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
        write(folder + u"/version"_s, version);
        write(folder + u"/engine/current/bin/mpirun"_s,
              mpirun.first(body) + answer + mpirun.mid(body), true);
        write(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n", true);
        write(folder + u"/run/run.json"_s, "{}");
        TargetMachine m = machine(folder);
        m.environment.insert(u"WORDS"_s, u"two 'words' $HOME"_s);
        const RunConfig run = config(1, 2);
        write(folder + u"/job.sh"_s, slurmScript({run, m, folder + u"/run"_s}).toUtf8());
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

    /// Stand-ins for Slurm's programs that say what the files beside them hold.
    QString fakeSlurm()
    {
        const QString folder = m_folder.filePath(u"slurm"_s);
        QDir(folder).removeRecursively();
        QDir().mkpath(folder);
        for (const char* name :
             {"sbatch", "squeue", "scontrol", "scancel", "sacct", "sinfo", "srun"})
            write(folder + u'/' + QString::fromLatin1(name),
                  QByteArray(kFake).replace("@DIR@", folder.toUtf8()).replace("@NAME@", name),
                  true);
        write(folder + u"/sbatch.says"_s, "17\n");
        write(folder + u"/squeue.says"_s, "PENDING|Priority|N/A|\n");
        qputenv("PATH", folder.toUtf8() + ':' + m_path);
        return folder;
    }

    struct Job {
        Study study;
        QString runDir;
        RunStatus status() const { return readRunStatus(runDir).value(); }
    };
    Job startJob(TemporaryLibrary& library)
    {
        const QString folder = library.folder.filePath(u"sb"_s);
        QDir().mkpath(folder + u"/engine/current/bin"_s);
        write(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n", true);
        const Study study = library.create({1});
        if (!writeStudyMachine(study.dir, machine(folder)))
            qFatal("not written");
        rememberOwnStudy(study.dir); // with its machine
        if (!startSupervisor(study.dir))
            qFatal("not started");
        return {study, study.runs[0].runDir};
    }

private slots:
    void cleanup() { qputenv("PATH", m_path); }

    void wordsForSbatch()
    {
        TargetMachine m = machine();
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
        TargetMachine m = machine();
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
            QVERIFY2(read(folder + u"/arguments"_s).startsWith(QByteArray(first) + '\n'), version);
        }
    }

    void scriptReallyRun()
    {
        const QString folder = prepareScript("#!/bin/sh\necho \"$WORDS\" > words\nfor w; do echo "
                                             "\"$w\"; done > arguments\nexit 7\n");
        const auto script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs));
        QCOMPARE(script->exitCode(), 7);
        QCOMPARE(read(folder + u"/run/job_exit"_s), QByteArray("7\n"));
        QCOMPARE(read(folder + u"/words"_s), QByteArray("two 'words' $HOME\n"));
        QVERIFY(read(folder + u"/arguments"_s)
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
        QVERIFY(read(folder + u"/arguments"_s)
                    .endsWith((u"\n--run\n"_s + folder + u"/run\n"_s).toUtf8()));
    }

    /// The script holds the values of the machine's environment.
    void scriptIsPrivate()
    {
        fakeSlurm();
        const mode_t before = ::umask(0);
        TemporaryLibrary library;
        const Job job = startJob(library);
        ::umask(before);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(job.runDir + u"/job.sh"_s), kHangMs);
        for (const QString& path :
             {job.runDir + u"/job.sh"_s, job.study.dir + u"/machine.json"_s}) {
            struct stat info {
            };
            QCOMPARE(::stat(path.toUtf8().constData(), &info), 0);
            QCOMPARE(info.st_mode & 0777, mode_t(0600));
        }
        QTRY_VERIFY_WITH_TIMEOUT(lockHolder(job.study.dir).value_or(0) > 1, kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGTERM);
        write(m_folder.filePath(u"slurm/squeue.says"_s), "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
    }

    /// sbatch's answer becomes a word of scancel.
    void numberOfTheJobIsDigits()
    {
        const QString slurm = fakeSlurm();
        for (const char* answer : {"--user=anna\n", "-5\n", "+5\n", "5 6\n"}) {
            write(slurm + u"/sbatch.says"_s, answer);
            TemporaryLibrary library;
            const Job job = startJob(library);
            QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
            QVERIFY2(job.status().state == RunState::Failed, answer);
            QCOMPARE(job.status().slurmJob, QString());
        }
        QVERIFY(!QFile::exists(slurm + u"/scancel.words"_s));
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
            QCOMPARE(read(folder + u"/run/job_exit"_s), QByteArray::number(code) + '\n');
        }
    }

    void scriptTellsWhatIsMissing()
    {
        const QString folder = prepareScript("#!/bin/sh\n");
        QFile::remove(folder + u"/engine/current/bin/scalebench-engine"_s);
        auto script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs));
        QVERIFY(read(folder + u"/run/job_exit"_s).startsWith("127 engine_missing "));
        QFile::remove(folder + u"/run/run.json"_s);
        script = runScript(folder);
        QVERIFY(script->waitForFinished(kHangMs)); // a network file system gets its time
        QVERIFY(read(folder + u"/run/job_exit"_s).startsWith("127 folder_not_shared "));
    }

    void queue()
    {
        SlurmQueueState state =
            readQueueState(said("RUNNING|None|2026-03-01T14:05:00|gpu[01-02,07],login"));
        QVERIFY(state.known && !state.hasEnded());
        QCOMPARE(state.nodes, (QStringList{u"gpu01"_s, u"gpu02"_s, u"gpu07"_s, u"login"_s}));
        QVERIFY(readQueueState(said("")).hasEnded());
        QVERIFY(readQueueState(said("COMPLETED|None|N/A|sb1")).hasEnded());
        QVERIFY(!readQueueState(said("COMPLETING|None|N/A|sb1")).hasEnded());
        QVERIFY(readQueueState(said("", "slurm_load_jobs error: Invalid job id specified", 1))
                    .hasEnded());
        // No answer is not the end of a job.
        const SlurmAnswer silent =
            said("", "slurm_load_jobs error: Unable to contact slurm controller", 1);
        QVERIFY(!readQueueState(silent).known);
        QVERIFY(!readQueueState(silent).hasEnded());
    }

    void waiting_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* line, const char* text) {
            QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(text);
        };
        row("PENDING|Priority|2026-03-01T14:05:00|",
            "Waiting in Slurm's queue: other jobs come first (Priority); estimated start 14:05");
        row("PENDING|Resources|2026-03-03T04:05:00|",
            "Waiting in Slurm's queue: the nodes it needs are busy (Resources); estimated start "
            "2026-03-03 04:05");
        row("PENDING|None|N/A|(null)", "Waiting in Slurm's queue");
        row("PENDING|QOSMaxJobsPerUserLimit|N/A|",
            "Waiting in Slurm's queue: you may not use more at once in your quality of service "
            "(QOSMaxJobsPerUserLimit)");
        row("PENDING|ReqNodeNotAvail, UnavailableNodes:sb2|N/A|",
            "Waiting in Slurm's queue: nodes it needs are down or reserved (ReqNodeNotAvail, "
            "UnavailableNodes:sb2)");
        row("PENDING|SomethingNew|N/A|", "Waiting in Slurm's queue: SomethingNew");
        row("PENDING|PartitionTimeLimit|N/A|",
            "This job can never start: its time limit is above that of the partition "
            "(PartitionTimeLimit). Stop it and change the target machine or the plan");
        row("CONFIGURING|None|N/A|sb1", "Slurm prepares the nodes");
        row("SUSPENDED|None|N/A|sb1", "Slurm has suspended the job");
    }
    void waiting()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, text);
        const QDateTime now(QDate(2026, 3, 1), QTime(12, 0));
        QCOMPARE(waitingText(readQueueState(said(line.constData())), now), text);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* errors, const char* code) {
            QTest::newRow(errors) << QByteArray(errors) << QString::fromLatin1(code);
        };
        // In Slurm's own words (22.05 and 23.11).
        row("sbatch: error: invalid partition specified: foo\nsbatch: error: Batch job submission "
            "failed: Invalid partition name specified",
            "slurm_partition");
        row("sbatch: error: Batch job submission failed: Invalid account or account/partition "
            "combination specified",
            "slurm_account");
        row("sbatch: error: Batch job submission failed: User's group not permitted to use this "
            "partition",
            "slurm_account");
        row("sbatch: error: Batch job submission failed: Invalid generic resource (gres) "
            "specification",
            "slurm_gres");
        row("sbatch: error: Batch job submission failed: Requested time limit is invalid (missing "
            "or exceeds some limit)",
            "slurm_time_limit");
        row("sbatch: error: Invalid --time specification", "slurm_time_limit");
        row("sbatch: error: Batch job submission failed: Requested node configuration is not "
            "available",
            "slurm_nodes");
        row("sbatch: error: Batch job submission failed: Unable to contact slurm controller "
            "(connect failure)",
            "slurm_unreachable");
        row("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
            "slurm_unreachable");
        row("sbatch: fatal: Could not establish a configuration source", "slurm_unreachable");
        row("sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job "
            "submit limit, user's size and/or time limits)",
            "slurm_refused");
    }
    void refusals()
    {
        QFETCH(QByteArray, errors);
        QFETCH(QString, code);
        const Failure failure = submitFailure(said("", errors.constData(), 1));
        QCOMPARE(failure.code, code);
        QCOMPARE(failure.details, QString::fromLatin1(errors));
    }

    void endings_data()
    {
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("jobExit");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* shown, const char* jobExit, const char* code) {
            QTest::addRow("%s|%s", shown, jobExit)
                << QByteArray(shown) << QByteArray(jobExit) << QString::fromLatin1(code);
        };
        row("JobState=COMPLETED Reason=None ExitCode=0:0", "0", "");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=137:0", "137", "");
        row("JobState=TIMEOUT Reason=TimeLimit ExitCode=0:0", "143", "slurm_timeout");
        row("JobState=COMPLETING Reason=TimeLimit ExitCode=0:0", "", "slurm_timeout");
        row("JobState=PREEMPTED Reason=None ExitCode=0:0", "143", "slurm_preempted");
        row("JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125", "", "slurm_out_of_memory");
        row("JobState=NODE_FAIL Reason=NodeDown ExitCode=0:0", "", "slurm_node_fail");
        row("JobState=CANCELLED Reason=None ExitCode=0:15", "143", "slurm_cancelled");
        row("JobState=FAILED Reason=JobLaunchFailure ExitCode=0:53", "", "folder_not_shared");
        row("JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9", "", "slurm_failed");
        row("JobState=COMPLETED Reason=None ExitCode=0:0", "", "folder_not_shared");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=127:0", "", "folder_not_shared");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=127:0", "127 engine_missing sb2",
            "engine_missing");
        row("", "", "slurm_failed");
        row("", "0", "");
    }
    void endings()
    {
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, jobExit);
        QFETCH(QString, code);
        SlurmEnding ending;
        ending.jobId = u"17"_s;
        ending.end = readJobEnd(said(("JobId=17 " + shown).constData()));
        ending.jobExit = QString::fromLatin1(jobExit);
        ending.runDir = u"/s/r1"_s;
        const Failure failure = endingFailure(ending, u"in epoch 3, \"%1\""_s);
        QCOMPARE(failure.code, code);
        if (code.startsWith("slurm_"_L1))
            QVERIFY2(failure.message.contains(u" in epoch 3, \"%1\""_s),
                     qPrintable(failure.message));
    }

    /// Slurm's nodes say it in several lines, of which any may be the last before the kill.
    void memoryByTheJobsOwnWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("the first line")
            << u"slurmstepd-sb1: error: StepId=1.batch exceeded memory limit (427020288 > "
               "157286400), being killed"_s;
        QTest::newRow("the second") << u"slurmstepd-sb1: error: Exceeded job memory limit"_s;
        QTest::newRow("control groups") << u"slurmstepd: error: Detected 1 oom_kill event in "
                                           "StepId=9.0. Some of the step tasks have been OOM "
                                           "Killed."_s;
    }
    void memoryByTheJobsOwnWords()
    {
        QFETCH(QString, text);
        SlurmEnding ending;
        ending.end =
            readJobEnd(said("JobId=17 JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9"));
        ending.launcherText = text;
        QCOMPARE(endingFailure(ending, u"in epoch 3"_s).code, u"slurm_out_of_memory"_s);
    }

    void schedulerInTheVerdict()
    {
        RunRecord record;
        StepPoint point;
        point.epoch = 3.2;
        record.steps << point;
        record.epochs = QList<EpochSummary>(3);
        RunEnd end;
        end.exitCode = 143;
        SlurmEnding timeout, other;
        timeout.end = readJobEnd(said("JobId=17 JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15"));
        other.end =
            readJobEnd(said("JobId=17 JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9"));
        end.slurm = timeout;
        QVERIFY2(judgeRunEnd(end, record)
                     .failure.message.contains(
                         u"time limit in Slurm at epoch 3.2; 3 complete epochs are kept."_s),
                 qPrintable(judgeRunEnd(end, record).failure.message));
        record.streamError = Failure{u"rank_lost"_s, u"Rank 1 is lost."_s, {}};
        QCOMPARE(judgeRunEnd(end, record).failure.code, u"slurm_timeout"_s);
        end.slurm = other;
        QCOMPARE(judgeRunEnd(end, record).failure.code, u"rank_lost"_s);
        end.slurm = timeout;
        record.stopStatus = u"success"_s;
        QVERIFY(judgeRunEnd(end, record).state == RunState::Completed);
        record.stopStatus.clear();
        end.stopRequested = true;
        QVERIFY(judgeRunEnd(end, record).state == RunState::Cancelled);
    }

    // With stand-ins for Slurm's programs

    void outOfMemory()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_COMPARE_WITH_TIMEOUT(job.status().waiting,
                                  u"Waiting in Slurm's queue: other jobs come first (Priority)"_s,
                                  kHangMs);
        QVERIFY(job.status().state == RunState::Starting);
        QCOMPARE(job.status().slurmJob, u"17"_s);
        write(slurm + u"/squeue.says"_s, "RUNNING|None|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Running, kHangMs);
        QCOMPARE(job.status().hosts, (QStringList{u"sb1"_s, u"sb2"_s}));
        write(slurm + u"/scontrol.says"_s,
              "JobId=17 JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125\n");
        write(slurm + u"/squeue.says"_s, "OUT_OF_MEMORY|OutOfMemory|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_out_of_memory"_s);
        QVERIFY(job.status().error.details.contains(u"ExitCode=0:125"_s));
    }

    void jobByItsFolder()
    {
        const auto squeue = said("5|/s/runs/r10\n6 |/s/runs/r1\n7|/s/runs/r1");
        QCOMPARE(jobOfFolder(squeue, u"/s/runs/r1"_s), u"6"_s);
        QVERIFY(jobOfFolder(squeue, u"/s/runs/r2"_s).isEmpty());
        QVERIFY(jobOfFolder(said("--user=anna|/s/r1"), u"/s/r1"_s).isEmpty());
        QVERIFY(jobOfFolder(said("6|/s/r1", "", 1), u"/s/r1"_s).isEmpty());
    }

    void suspendedProcesses()
    {
        const auto found = readSuspended(said("warning: be nice\nsuspended=sb1 77\nsuspended=-o 5\n"
                                              "suspended=sb2 1\nsuspended=sb2 x\nsuspended=sb2\n"
                                              "suspended=sb2 78"));
        QCOMPARE(found, (QList<SuspendedProcess>{{u"sb1"_s, 77}, {u"sb2"_s, 78}}));
        const QString slurm = fakeSlurm();
        write(slurm + u"/srun.says"_s, "suspended=sb1 77\n");
        SlurmProcesses processes;
        QVERIFY(processes.suspended(u"17"_s, 0).isEmpty()); // it waits
        QCOMPARE(processes.suspended(u"17"_s, 2), (QList<SuspendedProcess>{{u"sb1"_s, 77}}));
        QVERIFY(read(slurm + u"/srun.words"_s).startsWith("--jobid=17 --overlap "));
        // Each is a step to Slurm: there are not a thousand of them in a long quiet phase.
        write(slurm + u"/srun.says"_s, "");
        for (int i = 0; i < 100; ++i)
            QVERIFY(processes.suspended(u"17"_s, 2).isEmpty());
        QVERIFY(read(slurm + u"/srun.words"_s).count("--jobid=17") < 20);
    }

    /// What the nodes write is seen late here, so that the run seems to stand still.
    void stopWaitsForTheNetworkFileSystem()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        write(slurm + u"/squeue.says"_s, "RUNNING|None|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Running, kHangMs);
        const QByteArray golden =
            read(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_2_workers.txt"));
        const qsizetype step = golden.indexOf('\n', golden.indexOf("\"key\":\"step\""));
        write(job.runDir + u"/result_0.txt"_s, golden.first(step + 1));
        QTest::qWait(500);
        const pid_t supervisor = pid_t(*lockHolder(job.study.dir));
        ::kill(supervisor, SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(read(slurm + u"/scancel.words"_s),
                                  QByteArray("--batch --signal=USR1 17\n"), kHangMs);
        QTest::qWait(14'000); // a run on this computer has 10 s and some steps
        const QByteArray asked = read(slurm + u"/scancel.words"_s); // again, but no more than that
        QCOMPARE(asked.count("--batch --signal=USR1 17\n"), asked.count('\n'));
        ::kill(supervisor, SIGTERM); // who asks again does not wait
        QTRY_VERIFY_WITH_TIMEOUT(
            read(slurm + u"/scancel.words"_s).contains("--batch --signal=TERM 17\n"), 5000);
        write(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
    }

    void controllerThatIsAwayForAWhile()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(job.status().waiting.contains("Priority"_L1), kHangMs);
        write(slurm + u"/squeue.errors"_s, "Unable to contact slurm controller\n");
        QTRY_COMPARE_WITH_TIMEOUT(job.status().waiting,
                                  u"Waiting: Slurm does not answer at the moment"_s, kHangMs);
        QFile::remove(slurm + u"/squeue.errors"_s);
        QTRY_VERIFY_WITH_TIMEOUT(job.status().waiting.contains("Priority"_L1), kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(read(slurm + u"/scancel.words"_s), QByteArray("17\n"),
                                  kHangMs); // no signal: it waits
        write(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Cancelled, kHangMs);
    }

    void forgottenJob()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(!job.status().slurmJob.isEmpty(), kHangMs);
        write(slurm + u"/sacct.says"_s, "CANCELLED by 1000|0:15\n");
        write(slurm + u"/scontrol.errors"_s, "slurm_load_jobs error: Invalid job id specified\n");
        write(slurm + u"/squeue.errors"_s, "slurm_load_jobs error: Invalid job id specified\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_cancelled"_s);
    }

    /// The follower asks; the window that closes does not wait for it.
    void lookingForAForgottenJobEndsWithItsThread()
    {
        const QString slurm = fakeSlurm();
        write(slurm + u"/squeue.says"_s, "");
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(!job.status().slurmJob.isEmpty(), kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!lockHolder(job.study.dir), kHangMs);
        RunStatus status = job.status(); // as it was before sbatch answered
        status.slurmJob.clear();
        status.state = RunState::Starting;
        QVERIFY(writeRunStatus(job.runDir, status));
        write(slurm + u"/squeue.words"_s, "");
        bool recovered = true;
        const std::unique_ptr<QThread> thread(
            QThread::create([&] { recovered = recoverRun(job.runDir); }));
        QElapsedTimer clock;
        clock.start();
        thread->start();
        QTRY_VERIFY_WITH_TIMEOUT(!read(slurm + u"/squeue.words"_s).isEmpty(), kHangMs);
        thread->requestInterruption();
        QVERIFY(thread->wait(kHangMs));
        QVERIFY(!recovered);
        QVERIFY(job.status().state == RunState::Starting); // nothing was concluded
        QVERIFY(recoverRun(job.runDir));                   // the next one does
        QCOMPARE(job.status().error.code, u"supervisor_lost"_s);
    }

    void hangingController()
    {
        const QString slurm = fakeSlurm();
        write(slurm + u"/hang"_s, "");
        TemporaryLibrary library;
        const Job job = startJob(library);
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QVERIFY(clock.elapsed() > 8000);
        QCOMPARE(job.status().error.code, u"slurm_unreachable"_s);
    }

    void withoutSlurm()
    {
        const QString bin = m_folder.filePath(u"bin"_s);
        QDir().mkpath(bin);
        qputenv("PATH", bin.toUtf8());
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_missing"_s);
    }

    void homeFolderInTheDataPath()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const QString folder = library.folder.filePath(u"sb"_s);
        QDir().mkpath(folder + u"/engine/current/bin"_s);
        write(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n", true);
        const Study study = library.create({1});
        const QString runJson = study.runs[0].runDir + u"/run.json"_s;
        QByteArray text = read(runJson);
        const QByteArray path = library.library->generatedDataDir().toUtf8();
        QVERIFY(text.contains('"' + path));
        write(runJson, text.replace('"' + path, "\"~/data"));
        QVERIFY(writeStudyMachine(study.dir, machine(folder)));
        rememberOwnStudy(study.dir);
        QVERIFY(startSupervisor(study.dir));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(slurm + u"/sbatch.words"_s), kHangMs);
        QVERIFY(read(runJson).contains('"' + QDir::homePath().toUtf8() + "/data"));
        QVERIFY(isOwnStudy(study.dir)); // changed by ourselves
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        write(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(readRunStatus(study.runs[0].runDir).value().state),
                                 kHangMs);
    }
};

QTEST_GUILESS_MAIN(SlurmJobTest)
#include "slurm_job_test.moc"
