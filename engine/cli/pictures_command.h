// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench-engine pictures FOLDER --out DIR`: draws the evaluation pictures of a run's folder
// (pictures.json) with what was found and what is there, picture_1.png and so on. The pictures are
// read from the run's data set, which must be on this computer.

#include <functional>

namespace CLI {
class App;
}

namespace scalebench::cli {

/// Adds the subcommand; the returned function runs it after parsing and gives the exit code. It
/// prints a line for each picture: the file, a tab, what is to be seen.
std::function<int()> addPicturesCommand(CLI::App& app);

} // namespace scalebench::cli
