// SPDX-License-Identifier: GPL-3.0-or-later
// What a person leaves on a chart: pinned read-outs, notes, the legend where it is wanted. Each is
// an edit that the window's Undo takes back.
#include "charts/chart_cursor.h"
#include "charts/chart_history.h"
#include "charts/chart_plot.h"
#include "charts/series_colors.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "widgets/widgets.h"

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QMenu>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <utility>

namespace scalebench {

namespace {
const QString kMarksLayer = QStringLiteral("overlay");
} // namespace

void ChartWidget::setSubject(const QString& subject)
{
    if (m_cursor->subject == subject)
        return;
    m_cursor->subject = subject;
    m_cursor->place.clear();
    updatePlace();
}

/// Which chart this is, in no language.
void ChartWidget::updatePlace()
{
    const ChartData& chart = m_plot->chart();
    Cursor& c = *m_cursor;
    if (!c.place.isEmpty() && c.chartId == chart.id && c.xColumn == chart.xColumn)
        return;
    c.chartId = chart.id;
    c.xColumn = chart.xColumn;
    c.place = QStringList{c.subject, chart.id, englishText(chart.xColumn)}.join(u'\n');
    takeNotes();
}

/// Those that there are for this chart now.
void ChartWidget::takeNotes()
{
    for (const ShownNote& shown : std::as_const(m_cursor->notes))
        removeMark(*m_plot, shown.mark);
    m_cursor->notes.clear();
    for (const ChartNote& note : ChartNotes::instance().at(m_cursor->place))
        m_cursor->notes << ShownNote{note, {}};
    showNotes();
    markDirty();
}

void ChartWidget::showNotes()
{
    const Theme& theme = ThemeManager::instance().theme();
    for (ShownNote& shown : m_cursor->notes)
        showNote(*m_plot, shown.mark, shown.note, theme);
}

QList<ChartNote> ChartWidget::notes() const
{
    QList<ChartNote> notes;
    for (const ShownNote& shown : std::as_const(m_cursor->notes))
        notes << shown.note;
    return notes;
}

int ChartWidget::pinCount() const
{
    return static_cast<int>(m_cursor->notes.size());
}

QRectF ChartWidget::noteRect(int id) const
{
    for (const ShownNote& shown : std::as_const(m_cursor->notes))
        if (shown.note.id == id)
            return shown.mark.rect();
    return {};
}

int ChartWidget::noteAt(const QPoint& at) const
{
    // The last one lies on top.
    for (auto it = m_cursor->notes.crbegin(); it != m_cursor->notes.crend(); ++it)
        if (it->mark.rect().contains(at))
            return it->note.id;
    return 0;
}

bool ChartWidget::isOverLegend(const QPoint& at) const
{
    return m_plot->legend->visible() && m_plot->legend->outerRect().contains(at) &&
           m_plot->legend->itemCount() > 0;
}

void ChartWidget::editNotes(const QString& text, const QList<ChartNote>& before,
                            const QList<ChartNote>& after)
{
    auto edit = std::make_unique<ChartNoteEdit>(text, before, after);
    if (m_undo)
        m_undo->push(edit.release());
    else
        edit->redo();
}

/// Of the point under the cursor; without one there, nothing.
std::optional<ChartNote> ChartWidget::noteAtCursor() const
{
    if (m_cursor->series < 0)
        return std::nullopt;
    const ChartSeries& series = m_plot->chart().series[m_cursor->series];
    ChartNote note{0, m_cursor->place, series.id, series.x[m_cursor->point], {}, {}};
    for (const ShownNote& shown : std::as_const(m_cursor->notes))
        if (shown.note.series == note.series && shown.note.x == note.x)
            return shown.note;
    return note;
}

void ChartWidget::pinAtCursor()
{
    auto note = noteAtCursor();
    if (!note)
        return;
    if (!note->text.isEmpty())
        return;        // what was written goes only where it is asked to
    if (note->id != 0) // once more takes it away
        return removeNote(*note);
    note->id = ChartNotes::instance().newId();
    editNotes(tr("pin on “%1”").arg(accessibleName()), {}, {*note});
}

void ChartWidget::removeNote(const ChartNote& note)
{
    if (note.id != 0)
        editNotes(note.text.isEmpty() ? tr("pin on “%1”").arg(accessibleName())
                                      : tr("note on “%1”").arg(accessibleName()),
                  {note}, {});
}

/// Pins go with Escape; what was written goes only where it is asked to.
void ChartWidget::clearPins()
{
    QList<ChartNote> pins = notes();
    pins.removeIf([](const ChartNote& note) { return !note.text.isEmpty(); });
    if (!pins.isEmpty())
        editNotes(tr("pins of “%1”").arg(accessibleName()), pins, {});
}

/// A new one, or what is written on the point already; empty takes it away.
void ChartWidget::writeNote(const ChartNote& note)
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Note on a point"));
    dialog->setLabelText(
        tr("Shown beside the point, here and in exported pictures; up to %1 characters.")
            .arg(kLongestChartNote));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setTextValue(note.text);
    dialog->resize(420, 180);
    connect(dialog, &QInputDialog::textValueChanged, dialog, [dialog](const QString& text) {
        if (text.size() > kLongestChartNote)
            dialog->setTextValue(text.left(kLongestChartNote));
    });
    connect(dialog, &QInputDialog::textValueSelected, this, [this, note](const QString& typed) {
        const QString text = typed.trimmed().left(kLongestChartNote);
        if (text == note.text)
            return;
        if (text.isEmpty())
            return removeNote(note);
        ChartNote written = note;
        written.text = text;
        if (written.id == 0)
            written.id = ChartNotes::instance().newId();
        editNotes(tr("note on “%1”").arg(accessibleName()),
                  note.id == 0 ? QList<ChartNote>() : QList<ChartNote>{note}, {written});
        // Keys go on with this point.
        setFocus(Qt::OtherFocusReason);
        if (const auto [series, point] = pointOf(*m_plot, written); series >= 0)
            showCursor(series, point);
    });
    dialog->open();
}

/// By the keyboard: the note of the point under the cursor.
void ChartWidget::nudgeNote(const QPointF& by)
{
    const auto note = noteAtCursor();
    if (!note || note->id == 0)
        return;
    const auto [series, point] = pointOf(*m_plot, *note);
    if (series < 0)
        return;
    ChartNote moved = *note;
    const QPointF corner = noteRect(note->id).topLeft() - pixelOf(series, point);
    moved.offset = corner + by;
    editNotes(tr("place of a note on “%1”").arg(accessibleName()), {*note}, {moved});
}

QPointF ChartWidget::pixelOf(int series, qsizetype point) const
{
    const QPointF at = m_plot->placeOf(series, point);
    return {m_plot->xAxis->coordToPixel(at.x()), m_plot->yAxis->coordToPixel(at.y())};
}

void ChartWidget::hold(const QPoint& at)
{
    Cursor& c = *m_cursor;
    c.held = Cursor::Held::Nothing;
    c.moved = false;
    if (const int id = noteAt(at); id != 0) {
        c.held = Cursor::Held::Note;
        c.heldNote = id;
        c.grip = QPointF(at) - noteRect(id).topLeft();
    } else if (isOverLegend(at)) {
        c.held = Cursor::Held::Legend;
        c.grip = QPointF(at - m_plot->legend->outerRect().topLeft());
    }
}

void ChartWidget::dragTo(const QPoint& at)
{
    Cursor& c = *m_cursor;
    const QPointF corner = QPointF(at) - c.grip;
    if (c.held == Cursor::Held::Legend) {
        if (!c.moved)
            c.legendBefore = m_plot->legendPlace();
        const bool inRow = !m_plot->legendPlace();
        m_plot->setLegendPlace(m_plot->legendPlaceAt(corner));
        if (inRow && m_plot->legendPlace()) // narrower now than where it was taken hold of
            c.grip = {std::min(c.grip.x(), 14.0), std::min(c.grip.y(), 9.0)};
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        c.moved = true;
        return;
    }
    for (ShownNote& shown : c.notes) {
        if (shown.note.id != c.heldNote)
            continue;
        const auto [series, point] = pointOf(*m_plot, shown.note);
        if (series < 0)
            return;
        shown.note.offset = corner - pixelOf(series, point);
        c.moved = true;
    }
    showNotes();
    m_plot->layer(kMarksLayer)->replot();
}

void ChartWidget::letGo()
{
    Cursor& c = *m_cursor;
    m_plot->setInteraction(QCP::iRangeDrag, true);
    const Cursor::Held held = std::exchange(c.held, Cursor::Held::Nothing);
    if (!std::exchange(c.moved, false))
        return;
    if (held == Cursor::Held::Legend) {
        Look before = look();
        before.legend = c.legendBefore;
        if (before.legend != m_plot->legendPlace())
            pushEdit(tr("legend of “%1”").arg(accessibleName()), before);
        markDirty();
        return;
    }
    const auto before = ChartNotes::instance().find(c.heldNote);
    for (const ShownNote& shown : QList<ShownNote>(c.notes)) {
        if (shown.note.id == c.heldNote && before && shown.note != *before)
            editNotes(tr("place of a note on “%1”").arg(accessibleName()), {*before}, {shown.note});
    }
}

void ChartWidget::setLegendPlace(const std::optional<QPointF>& place)
{
    const Look before = look();
    if (before.legend == place)
        return;
    m_plot->setLegendPlace(place);
    if (m_following)
        m_plot->fit();
    markDirty();
    pushEdit(tr("legend of “%1”").arg(accessibleName()), before);
}

std::optional<QPointF> ChartWidget::legendPlace() const
{
    return m_plot->legendPlace();
}

void ChartWidget::showPointMenu(const QPoint& at)
{
    const int id = noteAt(m_plot->mapFromGlobal(at));
    const auto note = id != 0 ? ChartNotes::instance().find(id) : noteAtCursor();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* write = menu->addAction(note && !note->text.isEmpty() ? tr("&Change the note… (N)")
                                                                   : tr("Write a &note… (N)"));
    QAction* pin = menu->addAction(tr("&Pin what this point says"));
    QAction* away = menu->addAction(tr("&Take away (Delete)"));
    write->setEnabled(note.has_value());
    pin->setEnabled(note && note->id == 0);
    away->setEnabled(note && note->id != 0);
    if (note) {
        connect(write, &QAction::triggered, this, [this, note] { writeNote(*note); });
        connect(away, &QAction::triggered, this, [this, note] { removeNote(*note); });
        connect(pin, &QAction::triggered, this, [this, pinned = *note]() mutable {
            pinned.id = ChartNotes::instance().newId();
            editNotes(tr("pin on “%1”").arg(accessibleName()), {}, {pinned});
        });
    }
    const int atLegend = m_plot->seriesAtLegend(m_plot->mapFromGlobal(at));
    if (const int series = atLegend >= 0 ? atLegend : m_cursor->series;
        series >= 0 && series < m_plot->chart().series.size()) {
        const ChartSeries& line = m_plot->chart().series[series];
        const QString name =
            line.legend.isEmpty() || line.legend == QLatin1String("-") ? line.name : line.legend;
        menu->addSeparator();
        QMenu* colors = menu->addMenu(tr("&Colour of “%1”").arg(menuText(name)));
        fillColorMenu(colors, SeriesColors::subjectOf(m_plot->chart(), series), name, m_undo);
    }
    if (!actions().isEmpty()) { // what the panel offers for the whole chart
        menu->addSeparator();
        menu->addActions(actions());
    }
    menu->popup(at);
}

void ChartWidget::contextMenuEvent(QContextMenuEvent* event)
{
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard && m_cursor->series >= 0)
        at = m_plot->mapToGlobal(pixelOf(m_cursor->series, m_cursor->point).toPoint());
    showPointMenu(at);
    event->accept();
}

} // namespace scalebench
