// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"

#include <QLocale>

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// Makes a line look like another one: U+202A to U+202E and U+2066 to U+2069 turn what follows.
static bool turnsDirection(QChar c)
{
    const char16_t u = c.unicode();
    return (u >= 0x202a && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069);
}

static bool acts(QChar c)
{
    return c.category() == QChar::Other_Control || c == QChar::LineSeparator ||
           c == QChar::ParagraphSeparator || turnsDirection(c);
}

static QString shown(QChar c)
{
    const int code = c.unicode();
    return code < 0x100 ? u"\\x%1"_s.arg(code, 2, 16, QChar(u'0'))
                        : u"\\u%1"_s.arg(code, 4, 16, QChar(u'0'));
}

static QString visible(const QString& text, bool keepBreaks)
{
    const auto stays = [&](QChar c) {
        return !acts(c) || (keepBreaks && (c == u'\n' || c == u'\t'));
    };
    qsizetype first = 0;
    while (first < text.size() && stays(text[first]))
        ++first;
    if (first == text.size())
        return text;
    QString result = text.first(first);
    for (qsizetype i = first; i < text.size(); ++i) {
        // Windows' line ends are line ends.
        if (keepBreaks && text[i] == u'\r' && i + 1 < text.size() && text[i + 1] == u'\n')
            continue;
        result += stays(text[i]) ? QString(text[i]) : shown(text[i]);
    }
    return result;
}

QString visibleText(const QString& text)
{
    return visible(text, true);
}

QString visibleLine(const QString& text)
{
    return visible(text, false);
}

QString jsonText(const QJsonDocument& document)
{
    // Outside its strings JSON has no such character, and inside them an escape means the same.
    const QString text = QString::fromUtf8(document.toJson());
    QString result;
    for (const QChar c : text)
        result += acts(c) && c != u'\n' ? u"\\u%1"_s.arg(int(c.unicode()), 4, 16, QChar(u'0'))
                                        : QString(c);
    return result;
}

/// Spreadsheets run a cell that begins like this, some also behind blanks; the wide forms are those
/// of East Asian keyboards.
static bool beginsFormula(const QString& text)
{
    static const QString kFirst = u"=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"_s;
    if (text.isEmpty())
        return false;
    const QString inner = text.trimmed();
    if (!kFirst.contains(text.front()) && (inner.isEmpty() || !kFirst.contains(inner.front())))
        return false;
    bool isNumber = false;
    (void)inner.toDouble(&isNumber);
    return !isNumber;
}

static QString quotedFormula(const QString& text)
{
    return beginsFormula(text) ? u'\'' + text : text;
}

QByteArray csvField(const QString& text)
{
    QByteArray field = quotedFormula(visibleText(text)).toUtf8();
    if (field.contains(',') || field.contains('"') || field.contains('\n') ||
        field.contains('\t') || field.contains(';') || field.startsWith('\''))
        field = '"' + field.replace('"', "\"\"") + '"';
    return field;
}

QString tsvField(const QString& text)
{
    QString cell = text;
    for (QChar& c : cell)
        if (c == u'\t' || c == u'\n' || c == u'\r')
            c = u' ';
    return quotedFormula(visibleLine(cell));
}

QString formatDuration(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return u"-"_s;
    if (seconds < 60)
        return QLocale().toString(seconds, 'f', 1) + u" s"_s;
    const qint64 whole = std::llround(seconds);
    const QString rest =
        u"%1:%2"_s.arg(whole / 60 % 60, whole >= 3600 ? 2 : 1, 10, QLatin1Char('0'))
            .arg(whole % 60, 2, 10, QLatin1Char('0'));
    return whole >= 3600 ? u"%1:%2"_s.arg(whole / 3600).arg(rest) : rest;
}

} // namespace scalebench
