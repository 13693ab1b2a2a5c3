// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The charts that an export or a report left in a folder, told by their names.

#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

/// Where a report has the chart of that file stem, the first lowest; nothing: it is no chart of
/// ours.
std::optional<qsizetype> chartPlace(const QString& stem);
/// Names of the files that writePictures() made there earlier, whatever the study: of a known
/// chart, and in all its formats, so that no file of a person's own is among them.
QStringList chartFilesIn(const QString& dir);

} // namespace scalebench
