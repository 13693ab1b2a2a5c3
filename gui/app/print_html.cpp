// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/print_html.h"

#include "base/file_io.h"
#include "base/plain_text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <QtMath>

#include <cmath>
#include <cstdio>

namespace scalebench {

namespace {

constexpr int kDpi = 96; ///< of HTML's pixels
constexpr qint64 kMostHtmlBytes = 64 << 20;
constexpr double kMarginMm = 15;
constexpr double kAfterHeading = 110; ///< pixels that a heading wants below it
constexpr int kFooter = 24;           ///< for the page number, in pixels

constexpr int kNameShown = 60; ///< of a picture that is written into its own address

void tell(const QString& text)
{
    std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(text)), stderr);
}

class LocalDocument : public QTextDocument
{
public:
    explicit LocalDocument(const QString& folder) : m_folder(folder) {}

protected:
    QVariant loadResource(int type, const QUrl& name) override
    {
        const QString file = name.toString();
        if (type != QTextDocument::ImageResource)
            return {};
        const QVariant image =
            name.scheme() == QLatin1String("data") ? embedded(file) : beside(file);
        if (image.value<QImage>().isNull())
            tell(QStringLiteral("the picture “%1” is not in the PDF: it is no file beside the page "
                                "and no picture inside it that can be drawn.")
                     .arg(visibleLine(file.left(kNameShown))));
        addResource(type, name, image); // else it is asked for again by each layout of its line
        return image;
    }

private:
    QVariant beside(const QString& file) const
    {
        if (file.contains(QLatin1Char('/')) || file.contains(QLatin1Char(':')))
            return {};
        const auto bytes = readFileBelow(m_folder, file);
        return bytes ? QVariant(QImage::fromData(bytes.value())) : QVariant();
    }
    /// "data:image/svg+xml;base64,…", as reports have them.
    static QVariant embedded(const QString& address)
    {
        const qsizetype comma = address.indexOf(QLatin1Char(','));
        const QString kind = address.left(comma);
        if (comma < 0 || !kind.endsWith(QLatin1String(";base64")))
            return {};
        const QByteArray bytes = QByteArray::fromBase64(address.mid(comma + 1).toLatin1());
        return kind.contains(QLatin1String("image/svg+xml")) ? drawSvg(bytes)
                                                             : QVariant(QImage::fromData(bytes));
    }
    static QVariant drawSvg(const QByteArray& bytes)
    {
        // A picture out of a page must not read files of whoever prints it.
        static const QRegularExpression elsewhere(
            QStringLiteral("(?:href\\s*=\\s*[\"']\\s*(?!data:|#))|<!DOCTYPE|<!ENTITY"),
            QRegularExpression::CaseInsensitiveOption);
        QSvgRenderer svg;
        if (elsewhere.match(QString::fromUtf8(bytes)).hasMatch() || !svg.load(bytes))
            return {};
        constexpr int kDrawnWidth = 2000; // about 300 dpi over a page
        const QSizeF size = svg.defaultSize();
        if (size.isEmpty() || size.height() > 10 * size.width())
            return {};
        QImage image(kDrawnWidth, qCeil(kDrawnWidth * size.height() / size.width()),
                     QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        svg.render(&painter);
        return image;
    }

    QString m_folder;
};

/// Pictures over the page's width, as high as that makes them.
void fitPictures(QTextDocument& document, double width)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            QTextImageFormat format = it.fragment().charFormat().toImageFormat();
            if (!format.isValid())
                continue;
            const auto image = document.resource(QTextDocument::ImageResource, QUrl(format.name()))
                                   .value<QImage>();
            format.setWidth(width);
            format.setHeight(image.isNull() ? 0 : width * image.height() / image.width());
            QTextCursor cursor(&document);
            cursor.setPosition(it.fragment().position());
            cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break; // the iterator is of the old format; one picture a block
        }
    }
}

/// A heading goes to the next page rather than stand alone at the end of one.
void keepHeadings(QTextDocument& document)
{
    const double height = document.pageSize().height();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QRectF at = document.documentLayout()->blockBoundingRect(block);
        if (block.blockFormat().headingLevel() == 0 ||
            std::fmod(at.bottom(), height) < height - kAfterHeading)
            continue;
        QTextBlockFormat format = block.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).setBlockFormat(format);
    }
}

} // namespace

Result<void> printHtml(const QString& htmlFile, const QString& pdfFile)
{
    const Result<QByteArray> html = readFile(htmlFile, kMostHtmlBytes);
    if (!html)
        return html.failure();
    QByteArray pdf; // whole before it is a file: the writer tells of no full disk
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Scalebench " SB_VERSION));
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm),
                              QPageLayout::Millimeter);
        writer.setResolution(kDpi);
        LocalDocument document(QFileInfo(htmlFile).absolutePath());
        document.setDefaultStyleSheet(
            QStringLiteral("body { font-size: 9pt; } td, th { font-size: 7pt; }"));
        QTextOption words;
        words.setWrapMode(QTextOption::WordWrap); // columns are as wide as their longest word
        document.setDefaultTextOption(words);
        document.documentLayout()->setPaintDevice(&writer);
        static const QRegularExpression style(QStringLiteral("<style>[^<]*</style>"));
        document.setHtml(QString::fromUtf8(html.value()).remove(style)); // that is for browsers
        QSizeF page = writer.pageLayout().paintRectPixels(kDpi).size();
        page.rheight() -= kFooter;
        document.setPageSize(page);
        (void)document.pageCount(); // lays all out; behind a change nothing else would
        fitPictures(document, page.width());
        keepHeadings(document);
        writer.setTitle(document.metaInformation(QTextDocument::DocumentTitle));
        QPainter painter(&writer);
        const int pages = document.pageCount();
        for (int i = 0; i < pages; ++i) {
            if (i > 0)
                writer.newPage();
            painter.save();
            painter.translate(0, -i * page.height());
            document.drawContents(&painter,
                                  QRectF(0, i * page.height(), page.width(), page.height()));
            painter.restore();
            painter.drawText(QRectF(0, page.height(), page.width(), kFooter),
                             Qt::AlignRight | Qt::AlignBottom,
                             QStringLiteral("%1 / %2").arg(i + 1).arg(pages));
        }
    }
    return writeFileAtomically(pdfFile, pdf);
}

int runPrintCommand(const QString& htmlFile, const QString& pdfFile)
{
    const Result<void> done = printHtml(htmlFile, pdfFile);
    if (done)
        return 0;
    tell(done.failure().message);
    return 3;
}

} // namespace scalebench
