// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages of resources/help, compiled in: how the workbench is used, and what each error code
// means and what to do about it. Codes of one kind share a page.

#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

struct HelpPage {
    QString chapter;
    QString title;
    QStringList codes; ///< empty: no page of errors
    QString text;      ///< Markdown, without the title
};

/// In the order of the files; in English where there are none in `language` ("de").
QList<HelpPage> helpPages(const QString& language);
std::optional<HelpPage> helpOnError(const QString& code, const QString& language);

} // namespace scalebench
