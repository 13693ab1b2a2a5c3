// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/help_pages.h"

#include <QFile>
#include <QRegularExpression>

using namespace Qt::Literals::StringLiterals;

namespace scalebench {

namespace {

QString helpText(const QString& name, const QString& language)
{
    for (const QString& ending : {u"_"_s + language, QString()}) {
        QFile file(u":/help/%1%2.md"_s.arg(name, ending));
        if (file.open(QIODevice::ReadOnly))
            return QString::fromUtf8(file.readAll());
    }
    return {};
}

} // namespace

/// "# chapter", "## title", of errors a line of `codes`, then text until the next heading.
QList<HelpPage> helpPages(const QString& language)
{
    static const QRegularExpression kCodes(u"^(`[a-z0-9_]+` ?)+$"_s);
    QList<HelpPage> pages;
    for (const QString& name : {u"using"_s, u"errors"_s}) {
        QString chapter;
        bool inPage = false; // what stands under a chapter is for readers of the file
        for (const QString& line : helpText(name, language).split(u'\n')) {
            if (line.startsWith("## "_L1)) {
                pages.append({chapter, line.mid(3), {}, {}});
                inPage = true;
            } else if (line.startsWith("# "_L1)) {
                chapter = line.mid(2);
                inPage = false;
            } else if (inPage && kCodes.match(line).hasMatch()) {
                pages.last().codes += QString(line).remove(u'`').split(u' ', Qt::SkipEmptyParts);
            } else if (inPage) {
                pages.last().text += line + u'\n';
            }
        }
    }
    for (HelpPage& page : pages)
        page.text = page.text.trimmed();
    return pages;
}

std::optional<HelpPage> helpOnError(const QString& code, const QString& language)
{
    for (const HelpPage& page : helpPages(language))
        if (page.codes.contains(code))
            return page;
    return std::nullopt;
}

} // namespace scalebench
