// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies of one training that ran side by side: what they took together, where it was measured.
// Definition: resources/docs/analysis.md.

#include "run/run_record.h"

#include <QList>
#include <QSet>

namespace scalebench {

struct CopiesTogether {
    int workers = 1; ///< of each
    int copies = 2;  ///< at once
    int runs = 0;
    double timeS = 0; ///< mean of a copy
};
struct CopiesFound {
    QList<CopiesTogether> measured;
    QSet<const RunRecord*> runs; ///< that were not alone
};
/// Completed runs of one series that trained on the same first host for nearly all of their time
/// while as many others with the same number of workers did.
CopiesFound copiesTogether(const QList<const RunRecord*>& runs);

} // namespace scalebench
