// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/open_mpi.h"

#include "base/asked_program.h"
#include "base/shell_quote.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QRegularExpression>
#include <QSysInfo>

#include <csignal>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

OpenMpi::OpenMpi(const QString& version)
    : m_prrte(version.section(u'.', 0, 0).toInt() >= 5), m_version(version)
{
}

QString OpenMpi::versionIn(const QString& answer)
{
    static const QRegularExpression kNumber(u"(\\d+\\.\\d+\\.\\d+\\S*)"_s);
    const QString line = answer.section(u'\n', 0, 0).trimmed();
    const auto match = kNumber.match(line);
    return line.contains("Open MPI"_L1) && match.hasMatch() ? match.captured(1) : line;
}

/// How long mpirun may take to tell its version.
static constexpr int kVersionMs = 5000;

QString OpenMpi::versionOf(const QString& mpirunPath, QString* fault)
{
    static QMutex mutex;
    static QHash<QString, QString> known;
    if (mpirunPath.isEmpty())
        return {};
    const QFileInfo file(mpirunPath);
    const QString key = mpirunPath + u' ' + file.lastModified().toString(Qt::ISODateWithMs);
    const QMutexLocker lock(&mutex);
    if (const auto it = known.constFind(key); it != known.constEnd())
        return it.value();
    const ProgramAnswer answer = askProgram(mpirunPath, {u"--version"_s}, kVersionMs);
    const QString version = versionIn(QString::fromUtf8(answer.out));
    if (!version.isEmpty())
        known.insert(key, version);
    else if (fault)
        *fault = answer.fault();
    return version;
}

QString OpenMpi::otherPrefix(const QString& mpirunPath)
{
    const QString prefix = qEnvironmentVariable("OPAL_PREFIX");
    const QString real = QFileInfo(prefix).canonicalFilePath();
    if (prefix.isEmpty() || mpirunPath.isEmpty())
        return {};
    const auto holds = [&real](const QString& file) {
        return !real.isEmpty() && file.startsWith(real + u'/');
    };
    const QFileInfo mpirun(mpirunPath); // itself or what it links to
    return holds(QFileInfo(mpirun.absolutePath()).canonicalFilePath() + u'/') ||
                   holds(mpirun.canonicalFilePath())
               ? QString()
               : prefix;
}

bool OpenMpi::isTried() const
{
    const QString series = seriesOf(m_version);
    return series == "4.1"_L1 || series == "5.0"_L1;
}

QString OpenMpi::daemon() const
{
    return m_prrte ? u"prted"_s : u"orted"_s;
}

QStringList OpenMpi::runtime(const QString& name, const QString& value) const
{
    if (!m_prrte)
        return {u"--mca"_s, name, value};
    static const QHash<QString, QString> kNames{
        {u"orte_keep_fqdn_hostnames"_s, u"prte_keep_fqdn_hostnames"_s},
        {u"orte_launch_agent"_s, u"prte_launch_agent"_s},
        {u"plm_rsh_agent"_s, u"plm_ssh_agent"_s},
        {u"plm_rsh_no_tree_spawn"_s, u"plm_ssh_no_tree_spawn"_s}};
    return {u"--prtemca"_s, kNames.value(name, name), value};
}

/// 5.0 pairs the IPv6 addresses of two processes wrongly and says so for each worker, even where
/// they talk through shared memory. Host names and networks here are IPv4.
static QStringList withoutIpv6()
{
    return {u"--mca"_s, u"btl_tcp_disable_family"_s, u"6"_s};
}

QStringList OpenMpi::hereOnly() const
{
    return m_prrte ? withoutIpv6() : QStringList{u"--mca"_s, u"plm"_s, u"isolated"_s};
}

QStringList OpenMpi::startThrough(const QString& agent) const
{
    return runtime(u"plm"_s, m_prrte ? u"ssh"_s : u"rsh"_s) + runtime(u"plm_rsh_agent"_s, agent);
}

QStringList OpenMpi::startDaemon(const QString& program, const QString& prefix) const
{
    if (program.isEmpty())
        return {u"--prefix"_s, prefix};
    // 4.1 would put the prefix it was built for before the program's name.
    return (m_prrte ? QStringList() : QStringList{u"--noprefix"_s}) +
           runtime(u"orte_launch_agent"_s, program);
}

QStringList OpenMpi::keepAlive(int idle, int interval, int probes) const
{
    return runtime(u"oob_tcp_keepalive_time"_s, QString::number(idle)) +
           runtime(u"oob_tcp_keepalive_intvl"_s, QString::number(interval)) +
           runtime(u"oob_tcp_keepalive_probes"_s, QString::number(probes));
}

QStringList OpenMpi::networks(const QString& network, bool here) const
{
    QStringList words = m_prrte ? withoutIpv6() : QStringList();
    if (network.isEmpty())
        return words;
    words << u"--mca"_s << u"btl_tcp_if_include"_s << network;
    // Else the daemons of 4.1 try every address of this computer, bridges included. 5.0 does not
    // understand subnets here, and a name would have to be the same on all hosts; its daemons go
    // from one address to the next by themselves.
    if (here && !m_prrte)
        words << u"--mca"_s << u"oob_tcp_if_include"_s << network;
    return words;
}

QStringList OpenMpi::quiet() const
{
    return m_prrte ? runtime(u"prte_execute_quiet"_s, u"1"_s) : QStringList(u"--quiet"_s);
}

QString OpenMpi::shellChoice(const QStringList& words4, const QStringList& words5)
{
    const auto quoted = [](const QStringList& words) {
        QStringList all;
        for (const QString& word : words)
            all << shellQuoted(word);
        return all.join(u' ');
    };
    return u"case $(\"$mpirun\" --version 2>/dev/null) in\n"
           "*'(Open MPI) '[5-9].* | *'(Open MPI) '[1-9][0-9].*) set -- %1 ;;\n*) set -- %2 ;;\nesac"_s
               .arg(quoted(words5), quoted(words4));
}

QStringList OpenMpi::placeVariables()
{
    return {u"OPAL_PREFIX"_s,     u"OPAL_BINDIR"_s,
            u"OPAL_LIBDIR"_s,     u"OPAL_PKGLIBDIR"_s,
            u"OPAL_DATADIR"_s,    u"OPAL_PKGDATADIR"_s,
            u"OPAL_SYSCONFDIR"_s, u"PMIX_INSTALL_PREFIX"_s,
            u"PMIX_LIBDIR"_s,     u"PMIX_PKGLIBDIR"_s,
            u"PMIX_PKGDATADIR"_s, u"PMIX_SYSCONFDIR"_s,
            u"PMIX_PREFIX"_s,     u"PRTE_PREFIX"_s,
            u"PRTE_LIBDIR"_s,     u"PRTE_PKGLIBDIR"_s,
            u"PRTE_PKGDATADIR"_s, u"PRTE_SYSCONFDIR"_s,
            u"PRTE_BINDIR"_s,     u"HWLOC_PLUGINS_PATH"_s,
            u"OMPI_PRTERUN"_s,    u"OMPI_MCA_orte_launch_agent"_s,
            u"OMPI_MCA_plm"_s,    u"PRTE_MCA_prte_launch_agent"_s};
}

QStringList OpenMpi::sessionFolders(const QString& temporary, qint64 pid, uint user)
{
    const QDir dir(temporary);
    QStringList folders = dir.entryList({u"prterun.*.%1.%2"_s.arg(pid).arg(user)}, QDir::Dirs);
    for (const QString& name : dir.entryList({u"ompi.*.%1"_s.arg(user)}, QDir::Dirs))
        folders << name + u"/pid.%1"_s.arg(pid);
    QStringList own;
    for (const QString& name : std::as_const(folders)) {
        const QFileInfo info(dir.filePath(name));
        if (info.isDir() && !info.isSymLink() && info.ownerId() == user)
            own << info.filePath();
    }
    return own;
}

/// Takes away what a process of this computer has mapped.
static void keepUnmapped(QStringList& files)
{
    for (const QString& pid : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        QFile maps(u"/proc/%1/maps"_s.arg(pid));
        const QByteArray text =
            !files.isEmpty() && maps.open(QIODevice::ReadOnly) ? maps.readAll() : QByteArray();
        if (text.contains("/vader_segment."))
            files.removeIf([&text](const QString& file) {
                return text.contains(' ' + QFile::encodeName(file) + '\n');
            });
    }
}

QStringList OpenMpi::unusedSegments(const QString& folder, const QString& host, uint user)
{
    constexpr int kMadeMs = 2000; // one is mapped a moment after it was made
    const QDateTime young = QDateTime::currentDateTime().addMSecs(-kMadeMs);
    const QString name = u"vader_segment.%1*.%2.*"_s.arg(host).arg(user);
    QStringList files;
    for (const QFileInfo& info : QDir(folder).entryInfoList({name}, QDir::Files))
        if (!info.isSymLink() && info.ownerId() == user && info.lastModified() < young)
            files << info.filePath();
    keepUnmapped(files);
    return files;
}

void OpenMpi::removeLeft(qint64 pid)
{
    for (const QString& folder : sessionFolders(QDir::tempPath(), pid, ::getuid()))
        QDir(folder).removeRecursively();
    // A container may share the folder; its processes are not seen here, but it has another name.
    const QString host = QSysInfo::machineHostName().section(u'.', 0, 0);
    for (const QString& segment : unusedSegments(u"/dev/shm"_s, host, ::getuid()))
        QFile::remove(segment);
}

// ---- Messages

int signalOfExitCode(int exitCode)
{
    constexpr int kShellsSignals = 128, kLastSignal = 64;
    const int signal = exitCode - kShellsSignals;
    return signal > 0 && signal <= kLastSignal ? signal : 0;
}

bool saysRankEnded(const QString& text)
{
    return text.contains("process returned"_L1);
}

std::optional<RankEnding> rankEndingIn(const QString& text, int exitCode)
{
    static const QRegularExpression kSignal(u"process rank (\\d+) with PID \\d+ on node (\\S+) "
                                            "exited on\\s+signal (\\d+)"_s);
    static const QRegularExpression kAbort(
        u"MPI_ABORT was invoked on rank (\\d+)[\\s\\S]*?[Ee]rrorcode:? (-?\\d+)"_s);
    // 4.1 names a rank [[38817,1],1], 5.0 [prterun-HOST-PID@1,1].
    static const QRegularExpression kCode(
        u"Process name: \\[(?:\\[\\d+,\\d+\\]|\\S+@\\d+),(\\d+)\\]"
        "\\s+Exit code:\\s+(\\d+)"_s);
    if (const auto m = kSignal.match(text); m.hasMatch()) {
        const int signal = m.captured(3).toInt();
        // 5.0 says so of a program that the system cannot execute, 4.1 "Exec format error".
        const bool began = signal != SIGPIPE || !text.contains("prterun"_L1);
        return RankEnding{began ? RankEnding::How::Signal : RankEnding::How::NotStarted,
                          m.captured(1).toInt(), signal, m.captured(2)};
    }
    if (const auto m = kAbort.match(text); m.hasMatch())
        return RankEnding{RankEnding::How::Abort, m.captured(1).toInt(), m.captured(2).toInt(), {}};
    if (const auto m = kCode.match(text); m.hasMatch())
        return RankEnding{RankEnding::How::Code, m.captured(1).toInt(), m.captured(2).toInt(), {}};
    static const QRegularExpression kExited(
        u"exited due to process rank (\\d+) with PID \\d+ on node "
        "(\\S+) (calling\\s+\"abort\"|exiting\\s+improperly)"_s);
    if (const auto m = kExited.match(text); m.hasMatch()) {
        // A worker of 5.0 aborts when its connection to one that ended breaks, and hides that one.
        const RankEnding::How how =
            m.captured(3).startsWith("exiting"_L1)          ? RankEnding::How::Unfinished
            : text.contains("occurred in Socket closed"_L1) ? RankEnding::How::LostPeer
                                                            : RankEnding::How::Abort;
        return RankEnding{how, m.captured(1).toInt(), 1, m.captured(2)};
    }
    if (const int signal = signalOfExitCode(exitCode); signal > 0 && saysRankEnded(text))
        return RankEnding{RankEnding::How::Signal, -1, signal, {}};
    return {};
}

static constexpr char kDaemonNotStarted[] = "unable to reliably start one or more daemons";

QString lostHostIn(const QString& text)
{
    static const QRegularExpression kLost(
        u"lost communication with a remote daemon[\\s\\S]*?Remote daemon:.* on node (\\S+)"_s);
    return kLost.match(text).captured(1);
}

QString cannotConnectBack(const QString& text, bool hasTrained)
{
    const QString lost = lostHostIn(text);
    if (lost.isEmpty()) {
        // After the first step, or after mpirun gave up, it is a daemon that looks for an mpirun
        // that was ended.
        const qsizetype said = text.indexOf("unable to complete a TCP connection"_L1);
        const qsizetype gaveUp = text.indexOf(QLatin1StringView(kDaemonNotStarted));
        return !hasTrained && said >= 0 && (gaveUp < 0 || said < gaveUp) ? u"A host"_s : QString();
    }
    // A daemon of 5.0 that is refused ends with 1 and says nothing.
    const bool refused = !hasTrained && text.contains("PRTE has lost"_L1) &&
                         text.contains(u"@rsh-exit %1 1\n"_s.arg(lost));
    return refused ? lost : QString();
}

bool isMpirunNoise(const QString& line)
{
    for (const char* noise : {"Forwarding signal", "setpgid(", "Unable to find reachable pairing",
                              "PMIX_ERR_UNREACH", "Abort is in progress", "[warn] Epoll "})
        if (line.contains(QLatin1StringView(noise)))
            return true;
    return false;
}

QString withoutAftermath(const QString& text)
{
    static const QRegularExpression kSaid[] = {
        QRegularExpression(u"A process or daemon was unable to complete a TCP connection\\s+to "
                           "another process:[\\s\\S]*?try again\\."_s),
        QRegularExpression(u"An MPI communication peer process has unexpectedly disconnected\\."
                           "[\\s\\S]*?Peer host:[^\\n]*"_s),
        QRegularExpression(u"[^\\n]*sent help message help-(?:mpi-btl|oob)-tcp\\.txt[^\\n]*"_s),
        QRegularExpression(u"[^\\n]*Set MCA parameter \"orte_base_help_aggregate\"[^\\n]*"_s),
    };
    QString rest = text;
    for (const QRegularExpression& said : kSaid)
        rest.remove(said);
    return rest.trimmed();
}

std::span<const KnownMessage> launchMessages()
{
    static const KnownMessage kKnown[] = {
        {"not enough slots", "not_enough_slots",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "mpirun found fewer processors than workers. Use fewer workers or allow more than "
             "processors.")},
        {"unable to launch the specified application", "engine_not_started",
         QT_TRANSLATE_NOOP("Launcher",
                           "The engine could not be started: the program cannot be executed.")},
        {"unable to find the specified executable", "engine_not_started",
         QT_TRANSLATE_NOOP("Launcher",
                           "The engine could not be started: the program was not found.")},
        {"Exec format error", "engine_not_started",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "The engine could not be started: it was built for another kind of computer.")},
        {"unable to create the desired directory", "mpirun_not_started",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "mpirun could not make a folder where TMPDIR says (else in /tmp). Let TMPDIR name a "
             "folder that exists and that you may write to.")},
        {"attempt to run as root", "root_refused",
         QT_TRANSLATE_NOOP("Launcher", "mpirun refuses to run as root.")},
        {"unknown option", "mpirun_options",
         QT_TRANSLATE_NOOP("Launcher", "This mpirun does not know an option it was given.")},
        {"unrecognized argument", "mpirun_options",
         QT_TRANSLATE_NOOP("Launcher", "This mpirun does not know an option it was given.")},
        {"unrecognized option", "mpirun_options",
         QT_TRANSLATE_NOOP("Launcher", "This mpirun does not know an option it was given.")},
        {"requested component was not found", "mpirun_options",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "A part of Open MPI is missing, or its version is not the one that was asked.")},
        {"No available launching agents", "mpirun_options",
         QT_TRANSLATE_NOOP("Launcher", "mpirun found no way to start processes on other hosts.")},
        // ssh's own failures are told by its agent: here the agent itself died, in mid-run too.
        {kDaemonNotStarted, "mpi_daemon",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "The process on this computer that connects mpirun with a host was ended, most likely "
             "by somebody or because memory was full. Resume the run.")},
    };
    return kKnown;
}

} // namespace scalebench
