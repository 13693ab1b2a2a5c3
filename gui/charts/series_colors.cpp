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

QIcon swatch(const QColor& color)
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

void chooseColor(const QString& subject, const QString& name, const QColor& color, QUndoStack* undo)
{
    if (SeriesColors::instance().of(subject) == color)
        return;
    auto* edit = new SeriesColorEdit(name, subject, color);
    if (undo)
        return undo->push(edit);
    edit->redo();
    delete edit;
}

} // namespace

SeriesColors& SeriesColors::instance()
{
    static SeriesColors colors;
    return colors;
}

SeriesColors::SeriesColors()
{
    const auto kept = QJsonDocument::fromJson(AppSettings::instance().subjectColors()).object();
    for (auto it = kept.begin(); it != kept.end() && m_colors.size() < kMostColors; ++it)
        if (const QColor color(it.value().toString()); color.isValid())
            m_colors.insert(it.key(), color);
}

QColor SeriesColors::of(const QString& subject) const
{
    const QReadLocker lock(&m_lock);
    return m_colors.value(subject);
}

void SeriesColors::choose(const QString& subject, const QColor& color)
{
    {
        const QWriteLocker lock(&m_lock);
        if (!color.isValid())
            m_colors.remove(subject);
        else if (m_colors.contains(subject) || m_colors.size() < kMostColors)
            m_colors.insert(subject, color);
    }
    keep();
    Q_EMIT changed();
}

void SeriesColors::keep()
{
    QJsonObject object;
    for (auto it = m_colors.cbegin(); it != m_colors.cend(); ++it)
        object.insert(it.key(), it.value().name());
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
    if (const QColor own = of(subjectOf(chart, series)); own.isValid())
        return own;
    const QColor machine = line.machine.isEmpty() ? QColor() : of(machineSubject(line.machine));
    const bool alone =
        machine.isValid() &&
        std::none_of(chart.series.begin(), chart.series.end(), [&line](const ChartSeries& other) {
            return other.machine == line.machine && other.slot != line.slot;
        });
    return alone ? machine : theme.seriesColor(line.slot);
}

SeriesColorEdit::SeriesColorEdit(const QString& name, QString subject, const QColor& after)
    : QUndoCommand(SeriesColorsTexts::tr("colour of “%1”").arg(name)),
      m_subject(std::move(subject)),
      m_before(SeriesColors::instance().of(m_subject)),
      m_after(after)
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
    const QColor now = SeriesColors::instance().of(subject);
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& text, const QColor& color, bool chosen) {
        QAction* item = menu->addAction(text);
        item->setCheckable(true);
        item->setChecked(chosen);
        group->addAction(item);
        if (color.isValid())
            item->setIcon(swatch(color));
        QObject::connect(item, &QAction::triggered, menu,
                         [subject, name, color, undo] { chooseColor(subject, name, color, undo); });
        return item;
    };
    add(SeriesColorsTexts::tr("As &usual"), {}, !now.isValid());
    menu->addSeparator();
    bool found = false;
    for (int slot = 0; slot < theme.series.size(); ++slot) {
        const QColor color = theme.seriesColor(slot);
        add(SeriesColorsTexts::tr("Colour &%1").arg(slot + 1), color, color == now);
        found |= color == now;
    }
    menu->addSeparator();
    if (now.isValid() && !found)
        add(now.name(), now, true);
    QAction* other = menu->addAction(SeriesColorsTexts::tr("&Another…"));
    QObject::connect(other, &QAction::triggered, menu, [menu, subject, name, now, undo] {
        auto* dialog =
            new QColorDialog(now, menu->parentWidget() ? menu->parentWidget()->window() : nullptr);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(SeriesColorsTexts::tr("Colour of “%1”").arg(name));
        QObject::connect(dialog, &QColorDialog::colorSelected, dialog,
                         [subject, name, undo](const QColor& color) {
                             chooseColor(subject, name, color, undo);
                         });
        dialog->open();
    });
}

} // namespace scalebench
