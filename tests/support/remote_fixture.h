// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Four hosts with a light engine installed (the fake engine under the real Open MPI) and studies
// that run on them: for tests of remote runs.

#include "follow/study_controller.h"
#include "library/library.h"
#include "machine/machines.h"
#include "mirror/folder_protocol.h"
#include "run/checkpoints.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_files.h"
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <functional>

namespace scalebench::test {

/// A study that is followed, and what was heard about it.
struct Followed {
    QString dir;
    StudyController controller;
    QList<ConnectionState> connections;
    bool finished = false;

    explicit Followed(const QString& studyDir) : dir(studyDir)
    {
        QObject::connect(&controller, &StudyController::connectionChanged, &controller,
                         [this](const ConnectionState& state) { connections << state; });
        QObject::connect(&controller, &StudyController::finished, &controller,
                         [this] { finished = true; });
    }
    /// Started, or (`attach`) found going on.
    bool begin(bool attach = false)
    {
        return (attach ? controller.attach(dir) : controller.start(dir)).ok();
    }
    const RunRecord& run(int index = 0) const { return controller.study().runs[index]; }
    int disconnections() const
    {
        int times = 0;
        for (qsizetype i = 1; i < connections.size(); ++i)
            times += connections[i - 1].connected && !connections[i].connected;
        return times;
    }
    bool isConnected() const { return !connections.isEmpty() && connections.last().connected; }

    /// `seconds` is what it takes on an idle machine.
    static bool waitFor(const std::function<bool()>& what, int seconds = 30)
    {
        return QTest::qWaitFor(what, std::max(seconds * 1000, test::kHangMs));
    }
    bool trains(int index = 0, int seconds = 30)
    {
        return waitUnlessOver([&] { return run(index).steps.size() >= 3; }, seconds) ||
               complain("does not train");
    }
    /// Something is there that must not be lost.
    bool hasAnEpoch(int seconds = 30)
    {
        return waitUnlessOver([&] { return !run().epochs.isEmpty(); }, seconds) ||
               complain("has no complete epoch");
    }
    /// Of so many epochs, on this computer.
    bool hasCheckpoint(int epochs = 1, int seconds = 30)
    {
        const auto isHere = [&] {
            const auto here = newestCheckpoint(run().runDir);
            return here && here->epochs >= epochs;
        };
        return waitUnlessOver(isHere, seconds) || complain("has no checkpoint here");
    }
    bool ends(int seconds = 60)
    {
        return waitFor([&] { return finished; }, seconds) || complain("does not end");
    }

private:
    /// Nothing more comes from a study that has ended.
    bool waitUnlessOver(const std::function<bool()>& what, int seconds) const
    {
        return waitFor([&] { return finished || what(); }, seconds) && what();
    }
    bool complain(const char* what) const
    {
        qWarning("%s %s: %s, %s %s", qPrintable(dir), what, qPrintable(runStateName(run().state)),
                 qPrintable(run().failure.message),
                 connections.isEmpty() ? "" : qPrintable(connections.last().text));
        return false;
    }
};

inline void bothMachineKinds()
{
    QTest::addColumn<TargetMachine::Kind>("kind");
    QTest::newRow("ssh") << TargetMachine::Kind::Ssh;
    QTest::newRow("login") << TargetMachine::Kind::Login;
}
/// What is the same code for both kinds: the full campaign alone has the other one.
inline void oneMachineKind(TargetMachine::Kind which)
{
    if (fullCampaign())
        return bothMachineKinds();
    QTest::addColumn<TargetMachine::Kind>("kind");
    QTest::addRow("%s", qPrintable(machineKindName(which))) << which;
}

class RemoteCluster
{
public:
    /// `further` options of `cluster up`: {"--slurm"} makes a Slurm of the hosts, which then share
    /// `folder`.
    explicit RemoteCluster(const QStringList& further = {})
        : cluster(QStringList{QStringLiteral("--hosts"), QStringLiteral("4"),
                              QStringLiteral("--read-only"),
                              QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/.."))} +
                  further +
                  (further.isEmpty() ? QStringList()
                                     : QStringList{QStringLiteral("--shared"), folder.path()}))
    {
        // Own settings, and own ssh connections that can be cut without hurting anybody else.
        qputenv("XDG_CONFIG_HOME", folder.filePath(QStringLiteral("config")).toUtf8());
        qputenv("XDG_CACHE_HOME", folder.filePath(QStringLiteral("cache")).toUtf8());
        qputenv("XDG_DATA_HOME", folder.filePath(QStringLiteral("data")).toUtf8());
        qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
        library = Library::open(folder.filePath(QStringLiteral("library"))).value();
        for (const QString& host : cluster.hosts())
            install(host, engineFolder());
    }
    ~RemoteCluster()
    {
        for (const qint64 pid : processesMentioning(folder.path()))
            ::kill(pid_t(pid), SIGKILL);
    }

    QTemporaryDir folder{QStringLiteral("/tmp/sbr-XXXXXX")};
    Cluster cluster;
    std::shared_ptr<Library> library;

    /// A machine folder on a host, as `scalebench machines deploy` leaves it.
    void install(const QString& host, const QString& where, const QByteArray& contentId = "abc0")
    {
        installHere(cluster.fileOf(host, where), contentId);
    }
    /// Where this computer sees the folder.
    static void installHere(const QString& where, const QByteArray& contentId = "abc0")
    {
        const QString engine = where + QStringLiteral("/engine");
        QDir().mkpath(engine + QStringLiteral("/b/bin"));
        QFile::link(QStringLiteral("b"), engine + QStringLiteral("/current"));
        const QString bin = engine + QStringLiteral("/b/bin/");
        // ranks say where they are: their stderr is collected at the end
        writeProgram(bin + QStringLiteral("scalebench-engine"),
                     "[ \"$1\" = --run ] && echo \"rank $OMPI_COMM_WORLD_RANK of "
                     "$OMPI_COMM_WORLD_SIZE on $(hostname) threads $OMP_NUM_THREADS nccl "
                     "$NCCL_DEBUG\" >> \"$2/stderr_$OMPI_COMM_WORLD_RANK.txt\"\n"
                     "exec '" SB_BIN_DIR "/../tests/fake_engine' \"$@\"\n");
        writeProgram(bin + QStringLiteral("scalebench"),
                     "exec '" SB_BIN_DIR "/scalebench' \"$@\"\n");
        for (const char* program : {"orted", "prted", "mpirun"})
            writeProgram(bin + QString::fromLatin1(program),
                         QByteArray("exec /usr/bin/") + program + " \"$@\"\n");
        write(engine + QStringLiteral("/b/manifest.json"),
              "{\n  \"content_id\": \"" + contentId + "\"\n}\n");
    }

    /// With `epochs` of five steps.
    TargetMachine machine(TargetMachine::Kind kind, int epochs = 3, int stepMs = 10,
                          const char* mode = "ok") const
    {
        TargetMachine m;
        m.name = QStringLiteral("c");
        m.kind = kind;
        m.hosts = cluster.hosts().join(u',');
        m.sshConfig = cluster.sshConfig();
        if (kind == TargetMachine::Kind::Login)
            m.login = cluster.host(0);
        m.environment = {{QStringLiteral("FAKE_ENGINE_MODE"), QString::fromLatin1(mode)},
                         {QStringLiteral("FAKE_ENGINE_EPOCHS"), QString::number(epochs)},
                         {QStringLiteral("FAKE_ENGINE_STEP_MS"), QString::number(stepMs)}};
        return m;
    }

    Study create(const TargetMachine& machine, const QList<Shape>& shapes = {{4, 1}},
                 const QString& dirName = {}, int retries = 0)
    {
        StudySpec spec;
        spec.machine = machine.name;
        spec.shapes = shapes;
        spec.target = 0.8;
        spec.data = QStringLiteral("generated");
        spec.retries = retries;
        spec.oversubscribe = true;
        return createFrom(machine, spec, machine.folder + QStringLiteral("/data"), dirName);
    }
    /// `data`: where generated pictures go. Of this computer where the machine is Local.
    Study createFrom(const TargetMachine& machine, const StudySpec& spec, const QString& data,
                     const QString& dirName = {})
    {
        const Result<MachineInfo> info = planningInfo(machine);
        if (!info)
            qFatal("%s", qPrintable(info.failure().message));
        // The process makes it one of a kind: the kill campaign finds its victims by this name.
        const QString id =
            QStringLiteral("s%1-%2").arg(++m_number).arg(QCoreApplication::applicationPid());
        const auto runs = planRuns(spec, info.value(), id, data);
        if (!runs)
            qFatal("%s", qPrintable(runs.failure().message));
        const QString dir = folder.filePath(dirName.isEmpty() ? id : dirName);
        const auto study = library->createStudy(spec, runs.value(), id, dir, machine);
        if (!study)
            qFatal("%s", qPrintable(study.failure().message));
        return study.value();
    }

    /// A command of the cluster that has to work.
    bool fault(const char* words) const
    {
        const Said said = cluster.command(QString::fromLatin1(words).split(u' '));
        if (!said.ok())
            qWarning("cluster %s: %s", words, said.errors.constData());
        return said.ok();
    }
    /// Ends every ssh connection that is shared, its master included; how many processes.
    int cutSsh() const
    {
        int ended = 0;
        for (const qint64 pid : processesMentioning(folder.path() + QStringLiteral("/scalebench/")))
            ended += ::kill(pid_t(pid), SIGKILL) == 0;
        return ended;
    }
    static QString engineFolder() { return QStringLiteral("/root/.local/share/scalebench"); }
    /// A study on the login node; on other hosts the folder of a run that goes on.
    QString remoteStudy(const QString& host, const QString& id) const
    {
        return cluster.fileOf(host, engineFolder() + QStringLiteral("/remote/") + id);
    }
    /// Ranks, daemons, supervisors and servers left on the hosts.
    QStringList left(const QString& host = {}) const
    {
        QStringList lines;
        for (const QString& line : cluster.processesLeft(host))
            if (line.contains(QStringLiteral("[mux]"))) // a shared ssh connection, for 30 s
                continue;
            else if (line.contains(QStringLiteral("orted")) ||
                     line.contains(QStringLiteral("prte")) ||
                     line.contains(QStringLiteral("engine")) ||
                     line.contains(QStringLiteral("mpirun")) ||
                     line.contains(QStringLiteral("scalebench")))
                lines << line;
        return lines;
    }
    /// In seconds: what a cut link leaves on a host hears no follower and ends.
    static constexpr int kAfterCut = kFollowerGoneMs / 1000;
    /// None after `seconds` at most.
    bool nothingLeft(const QString& host = {}, int seconds = 5) const
    {
        const bool clean = waitWithPrograms([&] { return left(host).isEmpty(); }, seconds);
        if (!clean)
            qWarning("left: %s", qPrintable(left(host).join(u'\n')));
        return clean;
    }

    /// Names of files that differ between the login node's study and the copy. run.json, whose "~/"
    /// is another folder over there, stays as it was planned here: it is not taken back.
    QString differences(const Study& study) const
    {
        const QString there = remoteStudy(cluster.host(0), study.id);
        QStringList differ;
        for (const QString& file : filesBelow(there))
            if (file.startsWith(QLatin1StringView("runs/")) &&
                !file.endsWith(QLatin1StringView("/run.json")) &&
                read(there + u'/' + file) != read(study.dir + u'/' + file))
                differ << file;
        return filesBelow(there).isEmpty() ? QStringLiteral("nothing there") : differ.join(u' ');
    }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s", qPrintable(path));
    }
    static void writeProgram(const QString& path, const QByteArray& text)
    {
        test::writeProgram(path, "#!/bin/sh\n" + text);
    }

private:
    int m_number = 0;
};

/// The stream of a run is whole, in order, and nothing is in it twice: else what is wrong.
inline QByteArray streamFault(const Followed& f, int index = 0)
{
    const RunRecord& run = f.run(index);
    const QByteArray text = RemoteCluster::read(run.runDir + QStringLiteral("/result_0.txt"));
    if (run.sequenceGaps || run.sequenceRepeats || run.foreignLines || run.stopStatus.isEmpty())
        return "gaps " + QByteArray::number(run.sequenceGaps) + ", repeats " +
               QByteArray::number(run.sequenceRepeats) + ", ended \"" + run.stopStatus.toUtf8() +
               "\", " + QByteArray::number(text.size()) + " bytes";
    return text.count("\"run_stop\"") == 1 ? QByteArray() : QByteArray("not one run_stop");
}

} // namespace scalebench::test
