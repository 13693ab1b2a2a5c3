// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/picture_file.h"

#include "base/file_io.h"
#include "base/plain_text.h"
#include "charts/clipped_svg.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFontInfo>
#include <QPageSize>
#include <QPdfWriter>

#include <utility>

namespace scalebench {

namespace {

QByteArray png(QImage image, const QString& title)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.setText(QStringLiteral("Title"), title);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(const Picture& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    ClippedSvg generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size);
    generator.setViewBox(QRect(QPoint(0, 0), picture.size));
    generator.setResolution(kCssDpi);
    // Whether Qt escapes these differs between its versions: it gets words that need none.
    const QString title = QStringLiteral("scalebench-title"),
                  description = QStringLiteral("scalebench-description");
    generator.setTitle(title);
    generator.setDescription(description);
    picture.paint(&generator, 1, true);
    for (const auto& [word, text] :
         {std::pair{title, picture.title}, std::pair{description, picture.description}})
        bytes.replace('>' + word.toUtf8() + '<',
                      '>' + visibleText(text).toHtmlEscaped().toUtf8() + '<');
    // No XML holds them, as whatever; Qt passes on those of drawn texts.
    for (char& c : bytes)
        if (uchar(c) < 0x20 && c != '\n' && c != '\t' && c != '\r')
            c = ' ';
    // Qt writes the name of the desktop's alias; other programs need real families to choose from.
    const QByteArray family = QFontInfo(picture.font).family().toUtf8();
    bytes.replace("font-family=\"" + picture.font.family().toUtf8() + '"',
                  "font-family=\"" + family + ", Verdana, Helvetica, Arial, sans-serif\"");
    return bytes;
}

QByteArray pdf(const Picture& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(picture.title);
        writer.setCreator(QStringLiteral("Scalebench " SB_VERSION));
        // At 96 dpi a pixel of the layout is a unit of the page, and fonts keep their size.
        writer.setResolution(kCssDpi);
        const double toPoints = 72.0 / kCssDpi;
        writer.setPageSize(QPageSize(QSizeF(picture.size) * toPoints, QPageSize::Point));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        picture.paint(&writer, 1, true);
    }
    return bytes;
}

class PictureFileTexts
{
    Q_DECLARE_TR_FUNCTIONS(ChartExport)
};

} // namespace

QImage pictureImage(const Picture& picture, double scale)
{
    QImage image((QSizeF(picture.size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(picture.background);
    // Text is measured at 96 dpi while painting, then scaled as a whole.
    image.setDotsPerMeterX(qRound(kCssDpi / 0.0254));
    image.setDotsPerMeterY(qRound(kCssDpi / 0.0254));
    picture.paint(&image, scale, false);
    const int dotsPerMeter = qRound(kCssDpi * scale / 0.0254);
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    return image;
}

Result<void> savePictureBytes(const QByteArray& bytes, const QString& file)
{
    return writeFileAtomically(file, bytes);
}

FileJob drawPicture(const Picture& picture, const QString& file, double pngScale)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return [image = pictureImage(picture, pngScale), title = picture.title, file] {
            return savePictureBytes(png(image, title), file);
        };
    if (suffix == QLatin1String("svg"))
        return [bytes = svg(picture), file] { return savePictureBytes(bytes, file); };
    if (suffix == QLatin1String("pdf"))
        return [bytes = pdf(picture), file] { return savePictureBytes(bytes, file); };
    return [file]() -> Result<void> {
        return Failure{
            QStringLiteral("format_unknown"),
            PictureFileTexts::tr("“%1” has no known ending: use .png, .svg, .pdf, .csv or .json.")
                .arg(file)};
    };
}

} // namespace scalebench
