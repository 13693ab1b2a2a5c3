// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A verification for people who were not there.

#include "analysis/verification.h"
#include "report/study_report.h"

namespace scalebench::report {

/// `picture`: its chart's source; empty: none.
QString verificationHtml(const Verification& verification, const Study& study,
                         const Study& reference, const QJsonObject& system,
                         const QString& picture = {});

/// Writes verification.html and verification.pdf into `outDir`, which is created, and the chart
/// beside them; all of them or, where it was interrupted, none. `png`: the chart drawn; empty: the
/// files have none. Codes of result_files.h and staged_folder.h.
Result<ReportWritten> writeVerification(const Verification& verification, const Study& study,
                                        const Study& reference, const QString& outDir,
                                        const QByteArray& png = {});

} // namespace scalebench::report
