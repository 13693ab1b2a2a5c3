// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Evaluation pictures of a run, which the engine draws: how it is asked, and what it answers.

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

/// Whether the run's last evaluation left pictures (pictures.json, an ordinary file).
bool hasPictures(const QString& runDir);

/// Arguments of scalebench-engine: the pictures go to `outDir`, which is made.
QStringList drawPicturesArguments(const QString& runDir, const QString& outDir);

struct DrawnPicture {
    QString file; ///< its name in the folder; empty: a remark on all of them
    QString text; ///< without control characters
};
/// What the engine printed: a line each. Lines that are not its own are left out.
QList<DrawnPicture> parseDrawnPictures(const QByteArray& output);

} // namespace scalebench
