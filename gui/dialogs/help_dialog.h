// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The help pages (resources/help): a list that can be searched, and the page beside it. Stays open
// beside the window.

#include "base/help_pages.h"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace scalebench {

class HelpDialog : public QDialog
{
    Q_OBJECT
public:
    explicit HelpDialog(QWidget* parent = nullptr);

    /// The page on an error code; the first page where there is none.
    void showError(const QString& code);
    QString currentTitle() const;

private:
    void filter(const QString& words);
    void showPage(int index);

    QList<HelpPage> m_pages;
    QLineEdit* m_filter;
    QListWidget* m_list; ///< a row for each page
    QTextBrowser* m_text;
};

} // namespace scalebench
