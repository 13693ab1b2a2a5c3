// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Somebody's sentence about scaling, checked: "8→32 GPUs, 31.5→10.67 min".

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

struct Claim {
    double fromCount = 0, toCount = 0;
    QString unit;                    ///< "GPUs", "nodes", "workers"
    double fromTime = 0, toTime = 0; ///< both in timeUnit
    QString timeUnit;                ///< "min", "s", "h", "days"
    double speedup() const { return fromTime / toTime; }
    double ideal() const { return toCount / fromCount; }
    double efficiency() const { return speedup() / ideal(); }
    QStringList missing; ///< facts without which it says little, as questions
    QString fair;        ///< what can be said with what is there
};

/// Counts first or times first; arrows "→", "->", "to". Code "usage" with what is expected.
Result<Claim> checkClaim(const QString& text);

} // namespace scalebench
