// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What differs between Open MPI 4.1, whose runtime is ORTE, and 5.0, whose runtime is PRRTE: names
// of parameters, of the daemon, of what is left behind, and the words of messages. Nothing else
// asks for a version. How each was found: resources/docs/open_mpi.md.

#include <QString>
#include <QStringList>

#include <optional>
#include <span>

namespace scalebench {

class OpenMpi
{
public:
    /// `version`: "5.0.7". Empty or no number: taken for 4.1.
    explicit OpenMpi(const QString& version);
    /// The number in what Open MPI's `mpirun --version` says; of any other answer its first line.
    static QString versionIn(const QString& answer);
    /// Asks this mpirun, once per process and file (some 20 ms). Empty: it does not answer, for
    /// the reason that `fault` becomes.
    static QString versionOf(const QString& mpirunPath, QString* fault = nullptr);
    /// What OPAL_PREFIX says where this mpirun does not lie in it; else empty.
    static QString otherPrefix(const QString& mpirunPath);

    /// Scalebench was tried with this series.
    bool isTried() const;
    /// Two of the same series understand each other.
    static QString seriesOf(const QString& version) { return version.section(u'.', 0, 1); }

    /// Of the program that mpirun starts on each host.
    QString daemon() const;
    /// A parameter of the runtime by its name in 4.1, as words for mpirun.
    QStringList runtime(const QString& name, const QString& value) const;
    /// Workers on this computer only, whether ssh is installed or not.
    QStringList hereOnly() const;
    /// Starts daemons through `agent` instead of ssh.
    QStringList startThrough(const QString& agent) const;
    /// `program` is started on each host as it is written; empty: what lies in `prefix`.
    QStringList startDaemon(const QString& program, const QString& prefix) const;
    /// A host that is cut off is noticed after idle + probes x interval seconds.
    QStringList keepAlive(int idle, int interval, int probes) const;
    /// The networks of daemons (empty: any) and of workers; only workers' where `here` is false.
    QStringList networks(const QString& network, bool here) const;
    /// mpirun itself says nothing about ranks that end with a code.
    QStringList quiet() const;

    /// Lines for sh: words4 or words5 become $@, by what "$mpirun" says.
    static QString shellChoice(const QStringList& words4, const QStringList& words5);
    /// By which a bundle points Open MPI to its own folders.
    static QStringList placeVariables();
    /// What a killed mpirun with this pid left in `temporary`; removed by nobody else.
    static QStringList sessionFolders(const QString& temporary, qint64 pid, uint user);
    /// Its ranks' shared memory in `folder` that no process of the user has any more.
    static QStringList unusedSegments(const QString& folder, const QString& host, uint user);
    /// Both, of this user on this computer, once nothing of that mpirun lives.
    static void removeLeft(qint64 pid);

private:
    bool m_prrte;
    QString m_version;
};

// ---- Messages, of either series: a run may have been started anywhere.

/// How a rank ended, in mpirun's words.
struct RankEnding {
    enum class How {
        Signal,
        Abort,
        Code,
        NotStarted, ///< the system could not execute it
        Unfinished, ///< it exited in the midst of its work
        LostPeer,   ///< another ended before
    };
    How how;
    int rank;     ///< -1: mpirun's sentence on which one it was is lost
    int code;     ///< signal, exit or abort code
    QString host; ///< where it is said
};
/// `exitCode`: mpirun's own; the sentence on a rank that a signal ended is lost now and then, and
/// that "a process returned" is left of it.
std::optional<RankEnding> rankEndingIn(const QString& text, int exitCode);
/// Whichever it was, and however it ended; the first thing that mpirun says then.
bool saysRankEnded(const QString& text);
/// The signal of which an exit code tells as a shell's does, 128 and more; 0: none.
int signalOfExitCode(int exitCode);

/// The host whose daemon is gone; empty: none.
QString lostHostIn(const QString& text);
/// A daemon could not connect back to mpirun, of which "A host" or its name is the subject; empty:
/// none. `hasTrained`: all daemons had come up.
QString cannotConnectBack(const QString& text, bool hasTrained);
/// Says nothing about how the run went.
bool isMpirunNoise(const QString& line);
/// Without what daemons and ranks say once others of a run that was going on are gone. Of a rank or
/// a host that was lost mpirun says more; where nothing remains, mpirun itself was ended.
QString withoutAftermath(const QString& text);

struct KnownMessage {
    const char* text; ///< part of one line
    const char* code;
    const char* message; ///< our sentence
};
/// Of mpirun before any rank began; the first that fits is the reason.
std::span<const KnownMessage> launchMessages();

} // namespace scalebench
