// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small files, such as those of /proc.

#include <fstream>
#include <iterator>
#include <string>

namespace scalebench {

/// Empty where it cannot be read.
inline std::string contentOf(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace scalebench
