// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html.h"

#include "base/plain_text.h"
#include "base/sentences_language.h"

#include <QRegularExpression>

#include <algorithm>

namespace scalebench::report {

using namespace Qt::Literals::StringLiterals;

static constexpr const char* kStyle =
    ":root{color-scheme:light dark}"
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 "
    "1em}p,li{line-height:1.45}"
    "table{border-collapse:collapse;margin:1em 0;font-size:90%}"
    "caption{text-align:left;padding:3px 9px;opacity:.75}"
    "th,td{border-bottom:1px solid #8886;padding:3px 9px;vertical-align:top}"
    "th{border-bottom:2px solid #888}img{max-width:100%}.note{opacity:.75;font-size:90%}";

QString htmlPage(const QString& title, const QString& body)
{
    return u"<!DOCTYPE html>\n<html lang=\"%3\"><head><meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<title>%1</title>\n<style>%2</style></head>\n<body>\n"_s.arg(
               htmlText(title), QLatin1StringView(kStyle), sentencesLanguage()) +
           body + u"</body></html>\n"_s;
}

QString htmlText(const QString& text)
{
    return visibleText(text).toHtmlEscaped().replace(u'\'', u"&#39;"_s);
}

QString element(const char* tag, const QString& text)
{
    const QLatin1StringView name(tag);
    return u'<' + name + u'>' + htmlText(text) + u"</"_s + name + u">\n"_s;
}

QString bulletList(const QStringList& items)
{
    QString html;
    for (const QString& item : items)
        html += element("li", item);
    return items.isEmpty() ? QString() : u"<ul>\n"_s + html + u"</ul>\n"_s;
}

/// With a short unit, if any: "28:25", "76.1 %", "5.1 s", "9.71×". A run's id is none.
static bool isNumber(const QString& text)
{
    static const QRegularExpression kNumber(
        u"^-?\\d[\\d.,:\\x{a0}\\x{202f}]*(?:\\s?[%\\x{d7}a-z]{1,3})?$"_s);
    return kNumber.match(text).hasMatch();
}

QString HtmlTable::html() const
{
    QString head, body;
    QList<qsizetype> shown;
    QList<bool> right;
    for (qsizetype column = 0; column < m_columns.size(); ++column) {
        const auto any = [&](auto is) {
            return std::any_of(m_rows.begin(), m_rows.end(),
                               [&](const QStringList& row) { return is(row.value(column)); });
        };
        if (!any([](const QString& text) { return !text.isEmpty(); }))
            continue;
        shown << column;
        right << !any([](const QString& text) { return !text.isEmpty() && !isNumber(text); });
    }
    const auto cell = [&](const char* tag, qsizetype i, const QString& text) {
        const QLatin1StringView name(tag);
        return u'<' + name + (name == "th"_L1 ? u" scope=\"col\""_s : QString()) +
               (right[i] ? u" align=\"right\">"_s : u" align=\"left\">"_s) +
               // Qt sets the next heading right below a table that ends in an empty cell.
               (text.isEmpty() ? u"&#160;"_s : htmlText(text)) + u"</"_s + name + u'>';
    };
    for (qsizetype i = 0; i < shown.size(); ++i)
        head += cell("th", i, m_columns[shown[i]]);
    for (const QStringList& row : m_rows) {
        body += u"<tr>"_s;
        for (qsizetype i = 0; i < shown.size(); ++i)
            body += cell("td", i, row.value(shown[i]));
        body += u"</tr>\n"_s;
    }
    return u"<table cellspacing=\"0\" cellpadding=\"3\">\n"_s + element("caption", m_caption) +
           u"<tr>%1</tr>\n%2</table>\n"_s.arg(head, body);
}

} // namespace scalebench::report
