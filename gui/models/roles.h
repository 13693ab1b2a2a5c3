// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Roles that all item models share: raw values, so that sorting never parses displayed text.

#include <Qt>

namespace scalebench {

inline constexpr int kSortRole = Qt::UserRole + 1;
inline constexpr int kIdRole = Qt::UserRole + 2;       ///< folder or id of the row's subject
inline constexpr int kProgressRole = Qt::UserRole + 3; ///< 0..1, for ProgressDelegate
inline constexpr int kSearchRole = Qt::UserRole + 5;   ///< of column 0: what a filter also looks at
/// Of a column, what its raw numbers are in where its head does not say so: "s".
inline constexpr int kUnitRole = Qt::UserRole + 6;
/// A cell in a file, where the raw value that it is sorted by is not all of it.
inline constexpr int kFileRole = Qt::UserRole + 7;
inline constexpr int kChipRole = Qt::UserRole + 4; ///< "good", "warn", "bad", "accent", "neutral"

} // namespace scalebench
