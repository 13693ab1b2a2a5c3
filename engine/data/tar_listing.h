// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What lies in a tar, compressed or not.

#include "engine/data/file_source.h"

namespace scalebench::data {

/// As listFiles(), of the tar at `path`; links are files and folders of their own name, as where
/// the tar is unpacked. Throws InvalidArgument: `data_damaged`, `unsupported`.
FileListing listTar(const std::string& path, const std::function<bool(const std::string&)>& wanted,
                    const BytesProgress& progress, bool namesOnly);

} // namespace scalebench::data
