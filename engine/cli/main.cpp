// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/bench_command.h"
#include "engine/cli/data_command.h"
#include "engine/cli/pictures_command.h"
#include "engine/cli/probe.h"
#include "engine/cli/run_command.h"
#include "engine/cli/selftest_command.h"
#include "engine/core/visible_text.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace {

int runArguments(int argc, char** argv)
{
    CLI::App app{
        "Scalebench's training engine. mpirun starts one process of it per worker; the workbench "
        "and the\n"
        "`scalebench` command write the run folder that it reads (see resources/protocol)."};
    std::string folder;
    bool probe = false, selftest = false, resume = false;
    auto* run = app.add_option("--run", folder, "Run folder: run.json in, result_0.txt out")
                    ->type_name("FOLDER");
    app.add_flag("--resume", resume, "Go on from the newest checkpoint of the run folder")
        ->needs(run);
    app.add_flag("--probe", probe, "Print what this engine can do here, as JSON")->excludes(run);
    app.add_flag("--selftest", selftest, "As the command selftest, with its defaults")
        ->excludes(run);
    const auto runBench = scalebench::cli::addBenchCommand(app, argc, argv);
    const auto runSelftest = scalebench::cli::addSelftestCommand(app, argc, argv);
    const auto runData = scalebench::cli::addDataCommand(app);
    const auto runPictures = scalebench::cli::addPicturesCommand(app);
    app.set_version_flag("--version", std::string("scalebench-engine ") + SB_VERSION);
    app.failure_message([](const CLI::App*, const CLI::Error& e) {
        return "scalebench-engine: " + std::string(e.what()) + " (see --help)\n";
    });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    try {
        if (probe) {
            std::puts(scalebench::cli::probeJson().c_str());
            return 0;
        }
        if (app.got_subcommand("bench"))
            return runBench();
        if (app.got_subcommand("data"))
            return runData();
        if (app.got_subcommand("pictures"))
            return runPictures();
        if (app.got_subcommand("selftest"))
            return runSelftest();
        if (selftest)
            return scalebench::cli::selftestCommand({}, argc, argv);
        if (folder.empty()) {
            std::fputs("scalebench-engine: give --run FOLDER, --probe, --selftest, bench, data, "
                       "pictures or selftest (see --help)\n",
                       stderr);
            return 2;
        }
        return scalebench::cli::runCommand(folder, resume);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "scalebench-engine: %s\n", scalebench::visibleLine(e.what()).c_str());
        return 3;
    }
}

} // namespace

int main(int argc, char** argv)
{
    const int code = runArguments(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return code;
    std::fputs("scalebench-engine: the output could not be written to where standard output "
               "leads; is the disk full?\n",
               stderr);
    return code == 0 ? 3 : code;
}
