// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Aligned columns for the terminal, and how numbers look in them.

#include "base/plain_text.h"
#include <QList>

#include <QString>
#include <QStringList>

namespace scalebench::cli {

class TextTable
{
public:
    /// `leftAligned`: how many columns from the left are texts; the others are numbers.
    TextTable(QStringList header, int leftAligned) : m_leftAligned(leftAligned)
    {
        m_rows << header;
    }
    void add(const QStringList& row) { m_rows << row; }
    QString text() const;

private:
    int m_leftAligned;
    QList<QStringList> m_rows;
};

QString formatNumber(double value, int digits); ///< "-" where there is none
QString formatPercent(double fraction);         ///< "81.3 %"

} // namespace scalebench::cli
