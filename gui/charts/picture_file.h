// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Anything that can be painted, as a PNG, SVG or PDF file.

#include "base/result.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QPaintDevice>
#include <QSize>
#include <QString>

#include <functional>

namespace scalebench {

inline constexpr int kCssDpi = 96; ///< CSS pixels of an inch

struct Picture {
    QString title;
    QString description; ///< for screen readers, in SVG
    QSize size;          ///< in CSS pixels
    QFont font;
    QColor background;
    /// Paints `size` pixels; `vector` where the device keeps lines and texts as such.
    std::function<void(QPaintDevice* device, double scale, bool vector)> paint;
};

/// What is left of writing a file: encoding and the disk, in whatever thread.
using FileJob = std::function<Result<void>()>;

QImage pictureImage(const Picture& picture, double scale);
/// Paints at once, in the window's thread as painting must be. Format by the file's ending: png,
/// svg, pdf. Written to a temporary name, then renamed. Codes: "not_writable", "disk_full",
/// "format_unknown".
FileJob drawPicture(const Picture& picture, const QString& file, double pngScale);
Result<void> savePictureBytes(const QByteArray& bytes, const QString& file);

} // namespace scalebench
