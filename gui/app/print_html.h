// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A report as PDF.

#include "base/result.h"

#include <QString>

namespace scalebench {

/// Lays the HTML file out on A4 pages. Pictures are those beside it, by file name; nothing else is
/// read. Codes of readFile() and writeFileAtomically().
Result<void> printHtml(const QString& htmlFile, const QString& pdfFile);

/// `scalebench-gui --print FILE --out FILE`: the process exit code.
int runPrintCommand(const QString& htmlFile, const QString& pdfFile);

} // namespace scalebench
