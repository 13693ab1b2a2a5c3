// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/csv_writer.h"

#include "base/plain_text.h"

#include <QLocale>

#include <cmath>

namespace scalebench {

CsvWriter::CsvWriter(const QStringList& columns)
{
    addRow(columns);
}

CsvWriter& CsvWriter::add(const QString& text)
{
    return raw(csvField(text));
}

CsvWriter& CsvWriter::add(qint64 value)
{
    return raw(QByteArray::number(value));
}

CsvWriter& CsvWriter::add(int value)
{
    return raw(QByteArray::number(value));
}

CsvWriter& CsvWriter::add(quint64 value)
{
    return raw(QByteArray::number(value));
}

CsvWriter& CsvWriter::add(bool value)
{
    return raw(value ? "true" : "false");
}

CsvWriter& CsvWriter::add(double value)
{
    return raw(std::isfinite(value) ? QByteArray::number(value, 'g', QLocale::FloatingPointShortest)
                                    : QByteArray());
}

CsvWriter& CsvWriter::addRow(const QStringList& texts)
{
    for (const QString& text : texts)
        add(text);
    endRow();
    return *this;
}

void CsvWriter::endRow()
{
    m_text += "\r\n";
    m_rowBegun = false;
}

CsvWriter& CsvWriter::raw(const QByteArray& field)
{
    if (m_rowBegun)
        m_text += ',';
    m_rowBegun = true;
    m_text += field;
    return *this;
}

} // namespace scalebench
