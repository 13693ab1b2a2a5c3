// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Why an item of a verification says nothing, is slower, or must be read with care. Sentences.

#include "analysis/run_cells.h"
#include "analysis/verification.h"

namespace scalebench {

QStringList whyNotComparable(const VerifiedItem& item, const RunList& runs,
                             const RunList& reference);
/// What likely makes it slower or keeps it open; the likeliest first.
QStringList whySlower(const VerifiedItem& item, const RunList& runs, const RunList& reference,
                      double margin);
QStringList whatToSay(const VerifiedItem& item, const RunList& runs, const RunList& reference);

} // namespace scalebench
