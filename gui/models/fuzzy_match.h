// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How well a title fits what was typed: its letters in their order, better where they stand
// together or begin words.

#include <QList>
#include <QString>

#include <optional>

namespace scalebench {

struct FuzzyMatch {
    int score = 0;       ///< higher is better
    QList<int> position; ///< of each letter in the title
};

/// None where a letter is missing. Case does not matter; blanks in
/// `typed` are left out. An empty `typed` fits everything alike.
std::optional<FuzzyMatch> fuzzyMatch(const QString& title, const QString& typed);

} // namespace scalebench
