// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of results that are no MLPerf logs: told by their content, read whole.

#include "import_files.h"

#include <QString>

#include <optional>

namespace scalebench::imports {

/// Nothing where it is none of those known: TensorBoard events, reference convergence points,
/// nccl-tests, our own benchmarks, tables. What is one but cannot be read is Damaged with its
/// reason.
std::optional<ImportedFile> readOtherFile(const QString& path, const QString& sha256,
                                          const ImportOptions& options);

} // namespace scalebench::imports
