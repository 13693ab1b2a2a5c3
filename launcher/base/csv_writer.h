// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one way in which the product writes CSV: RFC 4180 (UTF-8, comma, CR LF); numbers in the C
// locale, in the shortest form that reads back exactly; texts as csvField() has them.

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace scalebench {

class CsvWriter
{
public:
    explicit CsvWriter(const QStringList& columns);

    CsvWriter& add(const QString& text);
    CsvWriter& add(qint64 value);
    CsvWriter& add(int value);
    CsvWriter& add(quint64 value);
    CsvWriter& add(bool value);   ///< "true" or "false"
    CsvWriter& add(double value); ///< not finite: an empty field
    CsvWriter& addRow(const QStringList& texts);
    void endRow();
    const QByteArray& text() const { return m_text; }

private:
    CsvWriter& raw(const QByteArray& field);

    QByteArray m_text;
    bool m_rowBegun = false;
};

} // namespace scalebench
