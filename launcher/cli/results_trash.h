// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench results trash|restore|empty-trash`.

#include "cli.h"

namespace scalebench::cli {

/// `words`: what stands after "trash"; nothing: lists what is in it.
int trashStudies(const CommandParser& parser, Library& library, const QStringList& words);
int restoreStudies(const CommandParser& parser, const Library& library, const QStringList& words);
int emptyTheTrash(const CommandParser& parser, const Library& library, bool sure);

} // namespace scalebench::cli
