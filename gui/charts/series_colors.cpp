// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/series_colors.h"

#include "figures/chart_data.h"
#include "settings/app_settings.h"
#include "settings/theme_manager.h"

#include <QActionGroup>
#include <QColorDialog>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace scalebench {

namespace {

constexpr qsizetype kMostColors = 2000;

class SeriesColorsTexts
{
    Q_DECLARE_TR_FUNCTIONS(SeriesColors)
};

const QString kSlot = QStringLiteral("slot ");

/// Not valid: what was kept is no choice.
QColor colorOfChoice(const QString& choice, const Theme& theme)
{
    if (!choice.startsWith(kSlot))
        return choice.isEmpty() ? QColor() : QColor(choice);
    bool ok = false;
    const int slot = choice.mid(kSlot.size()).toInt(&ok);
    return ok && slot >= 0 && slot < theme.series.size() ? theme.seriesColor(slot) : QColor();
}

void choose(const QString& subject, const QString& name, const QString& choice, QUndoStack* undo)
{
    if (SeriesColors::instance().choice(subject) == choice)
        return;
    auto* edit = new SeriesColorEdit(name, subject, choice);
    if (undo)
        return undo->push(edit);
    edit->redo();
    delete edit;
}

} // namespace

QIcon colorSwatch(const QColor& color)
{
    constexpr int kSize = 32; // drawn smaller: sharp on dense screens too
    QPixmap pixmap(kSize, kSize);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ThemeManager::instance().theme().borderStrong, 2));
    painter.setBrush(color);
    painter.drawRoundedRect(2, 2, kSize - 4, kSize - 4, 6, 6);
    return pixmap;
}

SeriesColors& SeriesColors::instance()
{
    static SeriesColors colors;
    return colors;
}

SeriesColors::SeriesColors()
{
    const auto kept = QJsonDocument::fromJson(AppSettings::instance().subjectColors()).object();
    for (auto it = kept.begin(); it != kept.end() && m_choices.size() < kMostColors; ++it)
        if (const QString choice = it.value().toString();
            colorOfChoice(choice, Theme::day()).isValid())
            m_choices.insert(it.key(), choice);
}

QString SeriesColors::choice(const QString& subject) const
{
    const QReadLocker lock(&m_lock);
    return m_choices.value(subject);
}

QString SeriesColors::slotChoice(int slot)
{
    return kSlot + QString::number(slot);
}

QColor SeriesColors::of(const QString& subject, const Theme& theme) const
{
    return colorOfChoice(choice(subject), theme);
}

void SeriesColors::choose(const QString& subject, const QString& choice)
{
    {
        const QWriteLocker lock(&m_lock);
        if (choice.isEmpty())
            m_choices.remove(subject);
        else if (m_choices.contains(subject) || m_choices.size() < kMostColors)
            m_choices.insert(subject, choice);
    }
    keep();
    Q_EMIT changed();
}

void SeriesColors::keep()
{
    QJsonObject object;
    for (auto it = m_choices.cbegin(); it != m_choices.cend(); ++it)
        object.insert(it.key(), it.value());
    AppSettings::instance().setSubjectColors(
        object.isEmpty() ? QByteArray() : QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QString SeriesColors::subjectOf(const ChartData& chart, int series)
{
    const ChartSeries& line = chart.series[series];
    return line.subject.isEmpty() ? QStringLiteral("series/%1/%2").arg(chart.id, line.id)
                                  : line.subject;
}

QString SeriesColors::machineSubject(const QString& machine)
{
    return QStringLiteral("machine/") + machine;
}

QColor SeriesColors::colorOf(const ChartData& chart, int series, const Theme& theme) const
{
    const ChartSeries& line = chart.series[series];
    if (const QColor own = of(subjectOf(chart, series), theme); own.isValid())
        return theme.seenOnSurface(own);
    const QColor machine =
        line.machine.isEmpty() ? QColor() : of(machineSubject(line.machine), theme);
    const bool alone =
        machine.isValid() &&
        std::none_of(chart.series.begin(), chart.series.end(), [&line](const ChartSeries& other) {
            return other.machine == line.machine && other.slot != line.slot;
        });
    return theme.seenOnSurface(alone ? machine : theme.seriesColor(line.slot));
}

SeriesColorEdit::SeriesColorEdit(const QString& name, QString subject, QString after)
    : QUndoCommand(SeriesColorsTexts::tr("colour of “%1”").arg(name)),
      m_subject(std::move(subject)),
      m_before(SeriesColors::instance().choice(m_subject)),
      m_after(std::move(after))
{
}

void SeriesColorEdit::undo()
{
    SeriesColors::instance().choose(m_subject, m_before);
}

void SeriesColorEdit::redo()
{
    SeriesColors::instance().choose(m_subject, m_after);
}

void fillColorMenu(QMenu* menu, const QString& subject, const QString& name, QUndoStack* undo)
{
    const Theme& theme = ThemeManager::instance().theme();
    const QString now = SeriesColors::instance().choice(subject);
    auto* group = new QActionGroup(menu);
    bool found = false;
    const auto add = [&](const QString& text, const QString& choice) {
        QAction* item = menu->addAction(text);
        item->setCheckable(true);
        item->setChecked(choice == now);
        found |= choice == now;
        group->addAction(item);
        if (const QColor color = colorOfChoice(choice, theme); color.isValid())
            item->setIcon(colorSwatch(color));
        QObject::connect(item, &QAction::triggered, menu,
                         [subject, name, choice, undo] { choose(subject, name, choice, undo); });
    };
    add(SeriesColorsTexts::tr("As &usual"), {});
    menu->addSeparator();
    for (int slot = 0; slot < theme.series.size(); ++slot)
        add(SeriesColorsTexts::tr("Colour &%1").arg(slot + 1), SeriesColors::slotChoice(slot));
    menu->addSeparator();
    if (!found)
        add(now, now);
    QAction* other = menu->addAction(SeriesColorsTexts::tr("&Another…"));
    QObject::connect(other, &QAction::triggered, menu, [menu, subject, name, now, undo] {
        auto* dialog =
            new QColorDialog(colorOfChoice(now, ThemeManager::instance().theme()),
                             menu->parentWidget() ? menu->parentWidget()->window() : nullptr);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(SeriesColorsTexts::tr("Colour of “%1”").arg(name));
        QObject::connect(dialog, &QColorDialog::colorSelected, dialog,
                         [subject, name, undo](const QColor& color) {
                             choose(subject, name, color.name(), undo);
                         });
        dialog->open();
    });
}

} // namespace scalebench
