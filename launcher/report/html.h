// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pieces of a report's HTML. Whatever a run, a host or a person wrote comes out as plain text.

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench::report {

/// Plain text for HTML, also inside quotes; control characters made visible.
QString htmlText(const QString& text);
/// <TAG>text</TAG>
QString element(const char* tag, const QString& text);
QString bulletList(const QStringList& items);
/// The whole file around its body.
QString htmlPage(const QString& title, const QString& body);

/// A table of texts, with what it is of above; columns that hold only numbers are set to the right.
class HtmlTable
{
public:
    HtmlTable(const QString& caption, const QStringList& columns)
        : m_caption(caption), m_columns(columns)
    {
    }
    void add(const QStringList& row) { m_rows << row; }
    bool isEmpty() const { return m_rows.isEmpty(); }
    /// Columns without any text are left out.
    QString html() const;

private:
    QString m_caption;
    QStringList m_columns;
    QList<QStringList> m_rows;
};

} // namespace scalebench::report
