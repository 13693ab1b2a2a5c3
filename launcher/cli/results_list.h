// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench results list`.

#include "cli.h"
#include "library/library.h"

namespace scalebench::cli {

int listStudies(const CommandParser& parser, Library& library);

} // namespace scalebench::cli
