// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text that may be somebody else's, for the window, the terminal and spreadsheets: what would act
// there is shown instead.

#include <QByteArray>
#include <QJsonDocument>
#include <QString>

namespace scalebench {

/// Control characters and marks that turn the direction of text as `\x1b` or `\u202e`; line breaks
/// and tabs stay.
QString visibleText(const QString& text);
/// The same for one line: breaks and tabs are shown too.
QString visibleLine(const QString& text);

/// For a terminal: JSON keeps its meaning, with the characters that would act written as escapes.
QString jsonText(const QJsonDocument& document);

/// One field of a CSV file (RFC 4180, UTF-8). A text that a spreadsheet would run as a formula gets
/// an apostrophe before it; numbers stay numbers.
QByteArray csvField(const QString& text);
/// One cell for the clipboard as lines of tab-separated cells: tabs and breaks become blanks, and
/// formulas are quoted as above.
QString tsvField(const QString& text);

/// "1:02:03", "2:03", "12.3 s"; "-" where there is none.
QString formatDuration(double seconds);

} // namespace scalebench
