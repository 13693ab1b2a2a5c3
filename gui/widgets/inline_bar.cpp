// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inline_bar.h"

#include "base/help_pages.h"
#include "base/result.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "widgets/widgets.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kMaxDetailLines = 10;
}

InlineBar::InlineBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel),
      m_text(new QLabel),
      m_action(new QToolButton),
      m_otherAction(new QToolButton),
      m_detailsButton(new QToolButton),
      m_help(new QToolButton),
      m_close(new QToolButton),
      m_details(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("inlineBar"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 6, 6);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    column->addWidget(m_details);
    row->setSpacing(8);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    for (QToolButton* button : {m_action, m_otherAction, m_detailsButton, m_help, m_close})
        row->addWidget(button, 0, Qt::AlignTop);
    m_text->setTextFormat(Qt::PlainText); // others' words: no markup
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setText(tr("Show"));
    m_action->setProperty("outlined", true);
    m_otherAction->setText(tr("Show"));
    m_otherAction->setProperty("outlined", true);
    m_detailsButton->setText(tr("Details"));
    m_detailsButton->setCheckable(true);
    m_help->setText(tr("Help"));
    m_help->setToolTip(tr("What this means and what to do"));
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    setThemeIcon(m_close, QStringLiteral("close"));
    m_details->setReadOnly(true);
    m_details->setProperty("mono", true);
    m_details->setAccessibleName(tr("Details"));
    connect(m_detailsButton, &QToolButton::toggled, this, [this](bool on) {
        // As high as its text, within limits.
        const int lines = std::clamp(m_details->blockCount(), 2, kMaxDetailLines);
        m_details->setFixedHeight(lines * m_details->fontMetrics().lineSpacing() + 20);
        m_details->setVisible(on);
    });
    connect(m_close, &QToolButton::clicked, this, &InlineBar::clear);
    connect(m_action, &QToolButton::clicked, this, [this] {
        // A copy: what it does may put another message, and another action, in its place.
        if (const auto run = m_run)
            run();
    });
    connect(m_otherAction, &QToolButton::clicked, this, [this] {
        if (const auto run = m_runOther)
            run();
    });
    connect(m_help, &QToolButton::clicked, this, [this] { askForHelp(this, m_code); });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &InlineBar::updateIcon);
    clear();
}

void InlineBar::showMessage(Level level, const QString& text, const QString& details)
{
    static const char* const kNames[] = {"info", "warning", "error"};
    m_level = level;
    setStyleProperty(this, "level", QString::fromLatin1(kNames[static_cast<int>(level)]));
    m_text->setText(text);
    m_text->setAccessibleName(text);
    m_details->setPlainText(details);
    m_detailsButton->setChecked(false);
    m_details->hide();
    m_detailsButton->setVisible(!details.isEmpty());
    m_action->hide();
    m_otherAction->hide();
    m_run = nullptr;
    m_runOther = nullptr;
    setCode({});
    updateIcon();
    show();
}

void InlineBar::showFailure(const Failure& failure)
{
    showMessage(Level::Error, failure.message, failure.details);
    setCode(failure.code);
}

void InlineBar::setCode(const QString& code)
{
    m_code = helpOnError(code, currentLanguage()) ? code : QString();
    m_help->setVisible(!m_code.isEmpty());
}

void InlineBar::setAction(const QString& text, const std::function<void()>& action)
{
    m_action->setText(text);
    m_action->show();
    m_run = action;
}

void InlineBar::setOtherAction(const QString& text, const std::function<void()>& action)
{
    m_otherAction->setText(text);
    m_otherAction->show();
    m_runOther = action;
}

void InlineBar::clear()
{
    hide();
    m_text->clear();
    m_code.clear();
}

void InlineBar::keepEnglish()
{
    m_english = englishText(text());
    m_englishDetails = englishText(m_details->toPlainText());
}

void InlineBar::takeOver(const InlineBar& before)
{
    if (before.isHidden() || !text().isEmpty()) // what it says of itself is newer
        return;
    const QString code = before.m_code;
    showMessage(before.m_level, translatedText(before.m_english),
                translatedText(before.m_englishDetails));
    setCode(code);
}

QString InlineBar::text() const
{
    return m_text->text();
}

void InlineBar::updateIcon()
{
    static const char* const kIcons[] = {"info", "warning", "error"};
    m_icon->setPixmap(
        ThemeManager::icon(QString::fromLatin1(kIcons[static_cast<int>(m_level)])).pixmap(18, 18));
}

} // namespace scalebench
