// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench results tag` and `note`: what a person says of a study.

#include "cli.h"

namespace scalebench::cli {

/// `tag STUDY +TAG ~TAG…`: adds and takes away; with nothing behind, shows them.
int tagStudy(const CommandParser& parser, Library& library, const QStringList& words);
/// `note STUDY TEXT`; without a text shows it, with an empty one takes it away.
int noteStudy(const CommandParser& parser, Library& library, const QStringList& words);

} // namespace scalebench::cli
