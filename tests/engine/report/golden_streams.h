// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The golden streams of tests/fixtures/streams, as calls of the writer. Numbers are made up but
// plausible; the clock advances by a fixed step per record.

#include <string>
#include <vector>

namespace scalebench::test {

/// File names below tests/fixtures/streams.
std::vector<std::string> goldenStreamNames();

/// Writes the stream of that name to `path`.
void writeGoldenStream(const std::string& name, const std::string& path);

} // namespace scalebench::test
