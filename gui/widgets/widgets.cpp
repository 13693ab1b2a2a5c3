// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/widgets.h"

#include "settings/theme_manager.h"
#include "widgets/plain_labels.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QUrl>
#include <QWhatsThisClickedEvent>

namespace scalebench {

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent)
{
    makeLabelsPlain(QCoreApplication::instance()); // before the first one is shown
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    if (role)
        label->setProperty("role", QString::fromLatin1(role));
    return label;
}

QLabel* makeChip(const QString& text, const QString& kind, QWidget* parent)
{
    auto* chip = new QLabel(parent);
    chip->setTextFormat(Qt::PlainText);
    chip->setText(text);
    chip->setProperty("chip", kind);
    chip->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    return chip;
}

void setChip(QLabel* chip, const QString& text, const QString& kind)
{
    chip->setText(text);
    chip->setVisible(!text.isEmpty());
    setStyleProperty(chip, "chip", kind);
}

QFrame* makeCard(QWidget* parent)
{
    auto* card = new QFrame(parent);
    card->setProperty("card", true);
    return card;
}

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void setThemeIcon(QAbstractButton* button, const QString& name, bool onAccent)
{
    button->setIcon(ThemeManager::icon(name, onAccent));
}

void acceptCopy(QDropEvent* event)
{
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

QStringList droppedFiles(const QMimeData& data)
{
    QStringList files;
    const auto urls = data.urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

QString menuText(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

void askForHelp(QWidget* widget, const QString& code)
{
    for (QWidget* asked = widget; asked; asked = asked->parentWidget()) {
        QWhatsThisClickedEvent event(code);
        event.ignore();
        QCoreApplication::sendEvent(asked, &event);
        if (event.isAccepted())
            return;
    }
}

QScrollArea* makeScrolled(QWidget* body)
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its controls have the focus, and it has their keys
    body->setObjectName(QStringLiteral("scrollBody"));
    scroll->setWidget(body);
    return scroll;
}

QVBoxLayout* addCentredColumn(QWidget* page, int maxWidth)
{
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* body = new QWidget;
    outer->addWidget(makeScrolled(body));
    auto* centre = new QHBoxLayout(body);
    centre->setContentsMargins(28, 26, 28, 20);
    auto* content = new QWidget;
    content->setMaximumWidth(maxWidth);
    centre->addStretch(1);
    centre->addWidget(content, 100);
    centre->addStretch(1);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    return column;
}

QVBoxLayout* addScrolledColumn(QStackedWidget* stack)
{
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(9);
    stack->addWidget(makeScrolled(body));
    return column;
}

void addEmptyState(QStackedWidget* stack, const QString& title, const QStringList& lines,
                   const QList<QPushButton*>& buttons)
{
    auto* empty = new QWidget;
    auto* column = new QVBoxLayout(empty);
    column->addStretch(2);
    column->addWidget(makeLabel(title, "title"), 0, Qt::AlignHCenter);
    for (const QString& line : lines)
        column->addWidget(makeLabel(line, "muted"), 0, Qt::AlignHCenter);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    for (QPushButton* button : buttons)
        row->addWidget(button);
    row->addStretch(1);
    buttons.first()->setProperty("primary", true);
    column->addSpacing(10);
    column->addLayout(row);
    column->addStretch(3);
    stack->addWidget(empty);
}

} // namespace scalebench
