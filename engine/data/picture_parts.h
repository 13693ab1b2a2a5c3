// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the formats of picture sets share.

#include "engine/data/file_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::data {

/// The part behind the last slash.
std::string baseName(const std::string& name);

/// Read when all are: of a compressed tar nothing, PictureFiles::bytesRead() counts that.
int64_t storedBytes(const std::vector<StoredFile>& files);

[[noreturn]] void noEvalPart(const std::string& path, const std::string& lookedFor);

} // namespace scalebench::data
