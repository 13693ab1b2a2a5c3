// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files that a finished study leaves behind: what the CLI writes, and the pictures beside it.

#include "launcher/library.h"
#include "launcher/result.h"

namespace scalebench {

/// accuracy_vs_epoch and speedup as .png, .svg and .pdf in `outDir` (created when missing).
Result<void> writeStudyPictures(const Study& study, const QString& outDir);
/// The CSV files and the pictures.
Result<void> exportStudy(const Study& study, const QString& outDir);
/// `scalebench-gui --export STUDYDIR --out DIR`: loads and writes; the process exit code.
int runExportCommand(const QString& studyDir, const QString& outDir);

} // namespace scalebench
