// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_table.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

QString TextTable::text() const
{
    QList<qsizetype> widths;
    for (const QStringList& row : m_rows)
        for (int c = 0; c < row.size(); ++c) {
            if (c >= widths.size())
                widths << 0;
            widths[c] = std::max(widths[c], row[c].size());
        }
    QString text;
    for (const QStringList& row : m_rows) {
        QString line;
        for (int c = 0; c < row.size(); ++c) {
            const int width = int(widths[c]);
            line += c < m_leftAligned ? row[c].leftJustified(width) : row[c].rightJustified(width);
            line += u"  "_s;
        }
        while (line.endsWith(u' '))
            line.chop(1);
        text += line + u'\n';
    }
    return text;
}

QString formatNumber(double value, int digits)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : u"-"_s;
}

QString formatPercent(double fraction)
{
    return std::isfinite(fraction) ? QLocale().toString(fraction * 100, 'f', 1) + u" %"_s : u"-"_s;
}

} // namespace scalebench::cli
