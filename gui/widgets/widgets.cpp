// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/widgets.h"

#include "settings/theme_manager.h"
#include "widgets/plain_labels.h"

#include <QCoreApplication>
#include <QMimeData>
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

} // namespace scalebench
