// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Criteo's text: a row a line, 40 fields between tabs: label, 13 whole numbers, 26 texts (of 8
// hexadecimal digits in Criteo's own); numbers and texts may be missing.

#include "engine/workloads/dlrm/clicks.h"

#include <string_view>

namespace scalebench::workloads {

/// The file stays open and is read again for every batch; every row is looked at here. CR LF and
/// an end without LF are accepted. InvalidArgument: `data_missing`; `data_empty` without a row;
/// `data_damaged` names the line.
std::unique_ptr<ClickLog> openClickText(const std::string& path);

/// One line, without its end. Returns what is wrong with it, empty if nothing.
std::string parseClick(std::string_view line, Click& click);

} // namespace scalebench::workloads
