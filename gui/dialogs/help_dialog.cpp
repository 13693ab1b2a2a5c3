// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/help_dialog.h"

#include "settings/language.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace scalebench {

HelpDialog::HelpDialog(QWidget* parent)
    : QDialog(parent),
      m_pages(helpPages(currentLanguage())),
      m_filter(new QLineEdit),
      m_list(new QListWidget),
      m_text(new QTextBrowser)
{
    setWindowTitle(tr("Help"));
    auto* column = new QVBoxLayout(this);
    auto* parts = new QSplitter;
    auto* left = new QWidget;
    auto* index = new QVBoxLayout(left);
    index->setContentsMargins(0, 0, 0, 0);
    m_filter->setPlaceholderText(tr("Words or an error code"));
    m_filter->setAccessibleName(tr("Filter the help pages"));
    m_filter->setClearButtonEnabled(true);
    index->addWidget(m_filter);
    m_list->setAccessibleName(tr("Help pages"));
    m_list->setWordWrap(true);
    m_list->setTextElideMode(Qt::ElideNone); // or a title that wraps is cut all the same
    m_list->setResizeMode(QListView::Adjust);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const HelpPage& page : std::as_const(m_pages)) {
        auto* item = new QListWidgetItem(page.title, m_list);
        item->setToolTip(page.chapter);
    }
    index->addWidget(m_list, 1);
    m_text->setAccessibleName(tr("Help page"));
    m_text->setOpenLinks(false);
    parts->addWidget(left);
    parts->addWidget(m_text);
    const int letter = fontMetrics().averageCharWidth();
    parts->setSizes({letter * 38, letter * 78});
    parts->setChildrenCollapsible(false);
    column->addWidget(parts, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_filter, &QLineEdit::textChanged, this, &HelpDialog::filter);
    connect(m_filter, &QLineEdit::returnPressed, m_list, qOverload<>(&QWidget::setFocus));
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpDialog::showPage);
    resize(letter * 120, letter * 75);
    m_list->setCurrentRow(0);
    m_filter->setFocus();
}

/// Every word somewhere in the page.
void HelpDialog::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int i = 0; i < m_pages.size(); ++i) {
        const HelpPage& page = m_pages[i];
        const QString all =
            QStringList{page.chapter, page.title, page.codes.join(QLatin1Char(' ')), page.text}
                .join(QLatin1Char('\n'));
        const bool fits = std::all_of(wanted.begin(), wanted.end(), [&all](const QString& word) {
            return all.contains(word, Qt::CaseInsensitive);
        });
        m_list->item(i)->setHidden(!fits);
        if (fits && first < 0)
            first = i;
    }
    if (first >= 0 && (m_list->currentRow() < 0 || m_list->currentItem()->isHidden()))
        m_list->setCurrentRow(first);
}

void HelpDialog::showPage(int index)
{
    if (index < 0 || index >= m_pages.size())
        return;
    const HelpPage& page = m_pages[index];
    QString text = QStringLiteral("## %1\n\n%2").arg(page.title, page.text);
    if (!page.codes.isEmpty())
        text +=
            QStringLiteral("\n\n---\n\n") +
            tr("Codes: %1")
                .arg(QLatin1Char('`') + page.codes.join(QStringLiteral("` `")) + QLatin1Char('`'));
    m_text->setMarkdown(text);
}

void HelpDialog::showError(const QString& code)
{
    m_filter->clear();
    int row = 0;
    for (int i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].codes.contains(code))
            row = i;
    m_list->setCurrentRow(row);
    m_list->scrollToItem(m_list->item(row));
    m_text->setFocus();
}

QString HelpDialog::currentTitle() const
{
    return m_list->currentItem() ? m_list->currentItem()->text() : QString();
}

} // namespace scalebench
