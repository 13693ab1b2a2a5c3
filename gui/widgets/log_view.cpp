// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log_view.h"
#include "widgets/choice_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QVBoxLayout>

namespace scalebench {

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      m_run(new ChoiceBox),
      m_source(new ChoiceBox),
      m_errors(new QCheckBox),
      m_search(new QLineEdit),
      m_text(new QPlainTextEdit)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 6);
    column->setSpacing(5);
    setupTools();
    m_text->setReadOnly(true);
    m_text->setProperty("mono", true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setMaximumBlockCount(kMaxLines);
    column->addWidget(m_text, 1);
    retranslate();
}

void LogView::retranslate()
{
    m_errors->setText(tr("Errors onl&y"));
    m_text->setAccessibleName(tr("Log"));
    m_text->setPlaceholderText(tr("What mpirun and the workers print appears here."));
    m_run->setAccessibleName(tr("Run"));
    m_source->setAccessibleName(tr("Source"));
    m_run->setItemText(0, tr("All runs"));
    m_source->setItemText(0, tr("All sources"));
    m_search->setPlaceholderText(tr("Search, Enter for next"));
    m_search->setAccessibleName(tr("Search in the log"));
}

void LogView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void LogView::setupTools()
{
    auto* row = new QHBoxLayout;
    m_run->addItem(QString());
    m_source->addItem(QString());
    for (QComboBox* box : {m_run, m_source}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &LogView::refill);
    }
    row->addWidget(m_errors);
    row->addStretch(1);
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(260);
    row->addWidget(m_search, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_errors, &QCheckBox::toggled, this, &LogView::refill);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
}

bool LogView::looksLikeError(const QString& line)
{
    static const QRegularExpression pattern(
        QStringLiteral("error|fail|abort|signal|denied|not found|cannot|no space|exception|killed"),
        QRegularExpression::CaseInsensitiveOption);
    return pattern.match(line).hasMatch();
}

void LogView::clear()
{
    m_lines.clear();
    m_text->clear();
    while (m_run->count() > 1)
        m_run->removeItem(1);
    while (m_source->count() > 1)
        m_source->removeItem(1);
}

void LogView::addChoice(QComboBox* box, const QString& text)
{
    if (box->findText(text) < 0)
        box->addItem(text);
}

bool LogView::isShown(const Line& line) const
{
    return (m_run->currentIndex() == 0 || line.run == m_run->currentText()) &&
           (m_source->currentIndex() == 0 || line.source == m_source->currentText()) &&
           (!m_errors->isChecked() || line.error);
}

QString LogView::formatted(const Line& line) const
{
    return QStringLiteral("[%1 · %2] %3").arg(line.run, line.source, line.text);
}

void LogView::append(const QString& run, const QString& source, const QString& text)
{
    addChoice(m_run, run);
    addChoice(m_source, source);
    QStringList shown;
    const auto parts = QStringView(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QStringView part : parts) {
        m_lines.append({run, source, part.toString(), looksLikeError(part.toString())});
        if (isShown(m_lines.last()))
            shown << formatted(m_lines.last());
    }
    if (m_lines.size() > kMaxLines)
        m_lines.remove(0, m_lines.size() - kMaxLines);
    if (!shown.isEmpty())
        m_text->appendPlainText(shown.join(QLatin1Char('\n')));
}

void LogView::setErrorsOnly(bool on)
{
    m_errors->setChecked(on);
}

QString LogView::shownText() const
{
    return m_text->toPlainText();
}

void LogView::refill()
{
    QStringList shown;
    for (const Line& line : std::as_const(m_lines)) {
        if (isShown(line))
            shown << formatted(line);
    }
    m_text->setPlainText(shown.join(QLatin1Char('\n')));
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void LogView::find(bool forward)
{
    const auto flags = forward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
    if (!m_text->find(m_search->text(), flags)) {
        m_text->moveCursor(QTextCursor::Start);
        m_text->find(m_search->text(), flags);
    }
}

} // namespace scalebench
