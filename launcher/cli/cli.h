// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the commands of `scalebench` share: exit codes, option parsing with one clear message, and
// writing to the terminal. One command_*.cpp per command.

#include "base/result.h"
#include "library/library.h"
#include "study/run_config.h"
#include "supervise/launch_command.h"

#include <QCommandLineParser>
#include <QJsonDocument>
#include <QString>
#include <QStringList>

#include <csignal>
#include <memory>
#include <optional>

namespace scalebench {
class WorkloadCatalog;
}

namespace scalebench::cli {

enum ExitCode { kOk = 0, kUsage = 2, kFailed = 3, kNotReached = 4, kCancelled = 130 };

/// Each takes the arguments behind its name and returns the exit code.
int commandRun(const QStringList& arguments);
int commandStudy(const QStringList& arguments);
int commandResume(const QStringList& arguments);
int commandFollow(const QStringList& arguments);
int commandWorkloads(const QStringList& arguments);
int commandData(const QStringList& arguments);
int commandImport(const QStringList& arguments);
int commandResults(const QStringList& arguments);
int commandMachines(const QStringList& arguments);
int commandDoctor(const QStringList& arguments);
int commandBench(const QStringList& arguments);
int commandBenchStep(const QStringList& arguments); ///< those behind "bench step"
int commandClaim(const QStringList& arguments);
int commandCompare(const QStringList& arguments);
int commandAdvice(const QStringList& arguments);
int commandVerify(const QStringList& arguments);
int commandReport(const QStringList& arguments);
int commandSelftest(const QStringList& arguments);

/// To stdout, as UTF-8, flushed. Control characters are shown, not obeyed: the text may hold what
/// other people or hosts wrote.
void out(const QString& text);
/// "1 file", "2 files"; `many` where an s is not enough.
QString counted(qint64 count, const QString& one, const QString& many = {});
void outRaw(const QString& text); ///< the same with the terminal's own codes, which only we write
void error(const QString& text);  ///< to stderr, one line, prefixed with the program's name
void printJson(const QJsonDocument& document);
/// To stderr, which of the user's recipes were left out and why.
void reportRecipeProblems(const WorkloadCatalog& catalog);
/// Prints the failure and returns the exit code that fits its code.
int report(const Failure& failure);

/// Waits for the engine, or mpirun with engines, which has the terminal: passes SIGINT, SIGTERM and
/// SIGHUP on as `stopSignal`, upon which it finishes, and then returns kCancelled. A second one, or
/// 5 s in which it does not end, becomes SIGTERM. Else its exit code.
int runProgram(const LaunchCommand& command, int stopSignal = SIGTERM);
/// An engine's own exit code; of any other, which is the loader's or mpirun's, or a signal's, tells
/// and returns kFailed.
int exitCodeOf(const QString& program, int code);

/// QCommandLineParser whose errors and help are ours.
class CommandParser : public QCommandLineParser
{
public:
    /// `usage`: "run WORKLOAD [options]".
    CommandParser(const QString& usage, const QString& description);
    /// An exit code when the command is done already (help shown, wrong usage).
    std::optional<int> parseArguments(const QStringList& arguments);
    /// A folder that was named and holds none is refused, unless results are to be kept there.
    std::shared_ptr<Library>
    openLibrary(int* exitCode, Library::IfMissing missing = Library::IfMissing::Fail) const;

    void addLibraryOption();
    void addJsonOption();
    bool json() const { return isSet(QStringLiteral("json")); }

private:
    QString m_usage;
};

} // namespace scalebench::cli
