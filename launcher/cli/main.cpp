// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/english_plurals.h"
#include "base/file_io.h"
#include "base/help_pages.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/user_account.h"
#include "cli.h"
#include "follow/folder_server.h"
#include "ssh/rsh_agent.h"
#include "supervise/supervisor.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <cstdio>
#include <cstdlib>

#include <poll.h>
#include <unistd.h>

using namespace Qt::Literals::StringLiterals;
using namespace scalebench;

static QString usage()
{
    return u"Usage: scalebench COMMAND [options]\n"
           "\n"
           "Measures how deep-learning training scales.\n"
           "\n"
           "Commands:\n"
           "  run WORKLOAD       train a workload with 1, 2, … workers and compare\n"
           "  study FILE.json    run the study that a file describes\n"
           "  resume STUDY       go on with its failed and cancelled runs\n"
           "  follow STUDY       show a study that is going on, here or elsewhere; stop, pause\n"
           "  workloads          list what can be trained\n"
           "  data               look at, check or make a workload's data\n"
           "  results            list, show and export studies; rebuild the index\n"
           "  import             take results of other origin into the library: logs, tables, "
           "bundles\n"
           "  machines           where studies run: list, add, check, deploy\n"
           "  doctor             check this machine\n"
           "  selftest           verify the arithmetic of this machine\n"
           "  compare A B        two studies or more: times, and what differs\n"
           "  claim TEXT         check a sentence about scaling: \"8→32 GPUs, 31.5→10.67 min\"\n"
           "  advice STUDY       how many workers to use, why, and what would change that\n"
           "  verify STUDY       is it as fast as a reference? PASS, LOW or INVALID, and why\n"
           "  report STUDY       write a study as HTML and PDF, with charts, CSV and a bundle\n"
           "  bench BENCHMARK    measure single operations, collectives, memory and storage\n"
           "  help CODE|COMMAND  what an error code means and what to do; a command's options\n"
           "\n"
           "\"scalebench COMMAND --help\" lists a command's options. --version shows the version.\n"
           "\n"
           "Exit codes:\n"
           "  0    done; of runs: all reached their target, or their epochs where none was set\n"
           "  2    wrong usage: an option, a name or a file that is not right\n"
           "  3    a run failed, or something of this machine did: a disk, a program, a library\n"
           "  4    a target was not reached; nothing to advise or compare; verify: not all pass\n"
           "  130  cancelled\n"_s;
}

/// Of an error, as status.json and the window tell it.
static int explainCode(const QString& code)
{
    const auto page = helpOnError(code, u"en"_s);
    if (!page) {
        QStringList known;
        for (const HelpPage& each : helpPages(u"en"_s))
            known += each.codes;
        cli::error(u"There is no code \"%1\"%2. A run's status.json and the window name it."_s.arg(
            visibleLine(code), didYouMean(code, known)));
        return cli::kUsage;
    }
    cli::out(u"%1\n%2\n\n%3\n"_s.arg(page->title, page->codes.join(u", "_s), page->text));
    return cli::kOk;
}

/// In a locale without UTF-8, as ssh and Slurm start us, Qt takes C.UTF-8 and tells so in four
/// lines, which among mpirun's words would pass for the reason why a run failed.
static void withoutLocaleWarning(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (!text.startsWith("Detected locale"_L1))
        std::fprintf(stderr, "%s\n", qPrintable(text));
    if (type == QtFatalMsg)
        std::abort();
}

static int runArguments(QStringList arguments)
{
    const QString command = arguments.isEmpty() ? QString() : arguments.takeFirst();
    if (arguments.contains(u"--version"_s) || command == "--version"_L1 || command == "-v"_L1) {
        cli::out(u"scalebench %1\n"_s.arg(QCoreApplication::applicationVersion()));
        return cli::kOk;
    }
    struct Command {
        const char* name;
        int (*run)(const QStringList&);
    };
    static constexpr Command kCommands[] = {
        {"run", &cli::commandRun},
        {"study", &cli::commandStudy},
        {"resume", &cli::commandResume},
        {"follow", &cli::commandFollow},
        {"workloads", &cli::commandWorkloads},
        {"data", &cli::commandData},
        {"results", &cli::commandResults},
        {"import", &cli::commandImport},
        {"machines", &cli::commandMachines},
        {"doctor", &cli::commandDoctor},
        {"selftest", &cli::commandSelftest},
        {"compare", &cli::commandCompare},
        {"claim", &cli::commandClaim},
        {"advice", &cli::commandAdvice},
        {"verify", &cli::commandVerify},
        {"report", &cli::commandReport},
        {"bench", &cli::commandBench},
    };
    QStringList known;
    for (const Command& one : kCommands) {
        if (command == QLatin1StringView(one.name))
            return one.run(arguments);
        if (command == "help"_L1 && arguments.value(0) == QLatin1StringView(one.name))
            return one.run({u"--help"_s});
        known << QString::fromLatin1(one.name);
    }
    if (command == "supervise"_L1 && arguments.size() == 2) {
        if (!QFileInfo(arguments[0]).isDir()) {
            cli::error(u"There is no study in %1."_s.arg(visibleLine(arguments[0])));
            return cli::kUsage;
        }
        return superviseRun(arguments[0], arguments[1]);
    }
    if (command == "rsh"_L1)
        return runRshAgent(arguments);
    if (command == "serve"_L1 && arguments.size() == 2)
        return serveFolder(arguments[0], arguments[1]);
    if (command == "help"_L1 && !arguments.isEmpty() && !arguments[0].startsWith(u'-'))
        return explainCode(arguments.first());
    if (command == "--help"_L1 || command == "-h"_L1 || command == "help"_L1) {
        cli::out(usage());
        return cli::kOk;
    }
    cli::error(command.isEmpty()
                   ? u"Which command? \"scalebench --help\" lists them."_s
                   : u"The command \"%1\" is not known%2. \"scalebench --help\" lists them."_s.arg(
                         visibleLine(command), didYouMean(command, known)));
    return cli::kUsage;
}

/// Whoever reads the pipe that standard output is, as head, has closed it and wants no more.
static bool isReaderGone()
{
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

int main(int argc, char** argv)
{
    setMissingHome();
    const QtMessageHandler usual = qInstallMessageHandler(withoutLocaleWarning);
    QCoreApplication application(argc, argv);
    qInstallMessageHandler(usual);
    keepSystemTextsEnglish();
    QCoreApplication::setApplicationName(u"scalebench"_s);
    QCoreApplication::setApplicationVersion(QString::fromLatin1(SB_VERSION));
    QLocale::setDefault(QLocale::English); // throughout, numbers too
    QCoreApplication::installTranslator(new EnglishPlurals(&application));
    const int code = runArguments(application.arguments().mid(1));
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return code;
    if (isReaderGone())
        return code;
    cli::error(u"The output could not be written to where standard output leads. Is the disk "
               "full?"_s);
    return code == cli::kOk ? cli::kFailed : code;
}
