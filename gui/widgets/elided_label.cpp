// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/elided_label.h"

#include <QEvent>

namespace scalebench {

namespace {
constexpr int kMinCharacters = 12;
}

ElidedLabel::ElidedLabel(const char* role, QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setIndent(0); // one of its own comes with a border
    setProperty("role", QString::fromLatin1(role));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text)
{
    if (m_full == text)
        return;
    m_full = text;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

/// Margins, and the padding of a style sheet.
int ElidedLabel::besideText() const
{
    return width() - contentsRect().width() + 2;
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_full) + besideText(), QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(),
                     fontMetrics().averageCharWidth() * kMinCharacters + besideText()),
            QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        elide();
}

void ElidedLabel::elide()
{
    const QString shown = fontMetrics().elidedText(m_full, m_mode, contentsRect().width());
    if (shown != text())
        setText(shown);
    setToolTip(shown == m_full ? QString() : m_full);
}

} // namespace scalebench
