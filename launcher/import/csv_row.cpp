// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_row.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

/// For messages: the cell or column as one short line.
QString shortened(const QString& text)
{
    return visibleLine(text.simplified().left(40));
}

QString limit(double value)
{
    return QString::number(value, 'g', 12);
}

} // namespace

qsizetype CsvRow::columnOf(const QString& field) const
{
    const auto column = m_mapping.constFind(field);
    return column == m_mapping.cend() ? -1 : m_table.column(column.value());
}

QString CsvRow::text(const QString& field, qsizetype longest) const
{
    const qsizetype column = columnOf(field);
    return column < 0 ? QString() : m_table.rows[m_row][column].simplified().left(longest);
}

bool CsvRow::tells(const QString& field) const
{
    static const QSet<QString> kNothing{u"-"_s,  u"\u2013"_s, u"\u2014"_s, u"?"_s,    u"n/a"_s,
                                        u"na"_s, u"nan"_s,    u"none"_s,   u"null"_s, u"unknown"_s};
    const QString told = text(field);
    return !told.isEmpty() && !kNothing.contains(told.toLower());
}

std::optional<double> CsvRow::plainNumber(const QString& field) const
{
    return m_table.number(m_row, columnOf(field));
}

QString CsvRow::quoted(const QString& field) const
{
    return Launcher::tr("\"%1\" in the column \"%2\"")
        .arg(shortened(text(field)), shortened(m_mapping.value(field)));
}

std::optional<double> CsvRow::number(const QString& field, double least, double most)
{
    if (!tells(field))
        return {};
    const auto value = plainNumber(field);
    if (value && *value >= least && *value <= most)
        return value;
    complain(Launcher::tr("%1 is no number from %2 to %3: it was left out")
                 .arg(quoted(field), limit(least), limit(most)));
    return {};
}

std::optional<qint64> CsvRow::whole(const QString& field, qint64 least, qint64 most)
{
    if (!tells(field))
        return {};
    const auto value = plainNumber(field);
    if (value && *value >= double(least) && *value <= double(most) && *value == std::floor(*value))
        return qint64(*value);
    complain(Launcher::tr("%1 is no whole number from %2 to %3: it was left out")
                 .arg(quoted(field), QString::number(least), QString::number(most)));
    return {};
}

/// The first row in which two columns have different numbers; -1: none.
static qsizetype firstDifference(const CsvTable& table, qsizetype one, qsizetype other)
{
    for (qsizetype row = 0; row < table.rows.size(); ++row) {
        const auto a = table.number(row, one), b = table.number(row, other);
        if (a && b && std::abs(*a - *b) > 1e-6 * std::abs(*a))
            return row;
    }
    return -1;
}

QStringList doubledColumns(const CsvTable& table, const CsvMapping& found, const CsvMapping& given)
{
    QStringList doubled;
    QSet<QString> seen, told;
    for (const QString& column : table.header)
        if (const QString name = column.toLower(); !name.isEmpty()) {
            if (seen.contains(name) && !told.contains(name))
                doubled << Launcher::tr("several columns are called \"%1\": the first one is read")
                               .arg(shortened(column));
            if (seen.contains(name))
                told << name;
            seen << name;
        }
    for (const QString& field : {u"workers"_s, u"nodes"_s, u"global_batch"_s, u"seconds"_s,
                                 u"minutes"_s, u"samples_per_s"_s}) {
        const qsizetype read = given.contains(field) ? -1 : table.column(found.value(field));
        for (const QString& other : read < 0 ? QStringList() : csvColumnsOf(field)) {
            const qsizetype column = table.column(other);
            if (column < 0 || column == read || found.values().contains(table.header[column]))
                continue;
            if (const qsizetype row = firstDifference(table, read, column); row >= 0)
                doubled << Launcher::tr("the columns \"%1\" and \"%2\" mean the same and differ, "
                                        "first in line %3: \"%1\" is read; say with --columns "
                                        "which one counts")
                               .arg(shortened(table.header[read]), shortened(table.header[column]),
                                    QString::number(table.lines[row]));
        }
    }
    return doubled;
}

} // namespace scalebench::imports
