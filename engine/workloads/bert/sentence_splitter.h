// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Running text into sentences, by rules that fit English and its neighbours: good enough to train
// on, no judge of grammar.

#include <string_view>
#include <vector>

namespace scalebench::workloads {

/// Parts of `paragraph` without white space around them, none empty. A sentence ends with . ! or ?
/// and the quotes and brackets behind, where white space and then something other than a small
/// letter follows; not behind an initial ("J. Smith") and common abbreviations ("e.g.", "Dr.").
std::vector<std::string_view> splitSentences(std::string_view paragraph);

} // namespace scalebench::workloads
