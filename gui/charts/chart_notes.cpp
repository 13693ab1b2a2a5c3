// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_notes.h"

#include "settings/app_settings.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench {

namespace {

constexpr qsizetype kMostNotes = 500;
const QString kOfAWidget = QStringLiteral("widget "); ///< which means nothing with the next start
constexpr double kFarthest = 10000;                   ///< pixels
constexpr qint64 kOneMoveMs = 1000;

QJsonObject jsonOf(const ChartNote& note)
{
    QJsonObject object{{QStringLiteral("place"), note.place},
                       {QStringLiteral("series"), note.series},
                       {QStringLiteral("x"), note.x},
                       {QStringLiteral("text"), note.text}};
    if (note.offset)
        object.insert(QStringLiteral("offset"), QJsonArray{note.offset->x(), note.offset->y()});
    return object;
}

ChartNote noteOf(const QJsonObject& object)
{
    ChartNote note;
    note.place = object[QStringLiteral("place")].toString();
    note.series = object[QStringLiteral("series")].toString();
    note.x = object[QStringLiteral("x")].toDouble();
    note.text = object[QStringLiteral("text")].toString().left(kLongestChartNote);
    const QJsonArray offset = object[QStringLiteral("offset")].toArray();
    const QPointF at(offset.at(0).toDouble(), offset.at(1).toDouble());
    if (offset.size() == 2 && std::abs(at.x()) < kFarthest && std::abs(at.y()) < kFarthest)
        note.offset = at;
    return note;
}

} // namespace

ChartNotes& ChartNotes::instance()
{
    static ChartNotes notes;
    return notes;
}

ChartNotes::ChartNotes()
{
    const auto kept = QJsonDocument::fromJson(AppSettings::instance().chartNotes()).array();
    for (const QJsonValue& value : kept) {
        ChartNote note = noteOf(value.toObject());
        if (note.place.isEmpty() || note.text.isEmpty() || m_notes.size() >= kMostNotes)
            continue;
        note.id = newId();
        m_notes << note;
    }
}

void ChartNotes::keep() const
{
    QJsonArray array;
    for (const ChartNote& note : m_notes)
        if (!note.text.isEmpty() && !note.place.startsWith(kOfAWidget))
            array << jsonOf(note);
    AppSettings::instance().setChartNotes(
        array.isEmpty() ? QByteArray() : QJsonDocument(array).toJson(QJsonDocument::Compact));
}

QList<ChartNote> ChartNotes::at(const QString& place) const
{
    QList<ChartNote> found;
    for (const ChartNote& note : m_notes)
        if (note.place == place)
            found << note;
    return found;
}

std::optional<ChartNote> ChartNotes::find(int id) const
{
    for (const ChartNote& note : m_notes)
        if (note.id == id)
            return note;
    return std::nullopt;
}

void ChartNotes::replace(const QList<ChartNote>& gone, const QList<ChartNote>& come)
{
    QStringList places;
    for (const ChartNote& note : gone + come) {
        if (!places.contains(note.place))
            places << note.place;
        m_notes.removeIf([&note](const ChartNote& other) { return other.id == note.id; });
    }
    m_notes << come;
    while (m_notes.size() > kMostNotes)
        m_notes.removeFirst();
    keep();
    for (const QString& place : std::as_const(places))
        Q_EMIT changed(place);
}

ChartNoteEdit::ChartNoteEdit(const QString& text, QList<ChartNote> before, QList<ChartNote> after)
    : QUndoCommand(text),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_whenMs(QDateTime::currentMSecsSinceEpoch())
{
}

void ChartNoteEdit::undo()
{
    ChartNotes::instance().replace(m_after, m_before);
}

void ChartNoteEdit::redo()
{
    ChartNotes::instance().replace(m_before, m_after);
}

bool ChartNoteEdit::isMove() const
{
    if (m_before.size() != 1 || m_after.size() != 1)
        return false;
    ChartNote moved = m_before.first();
    moved.offset = m_after.first().offset;
    return moved == m_after.first();
}

bool ChartNoteEdit::mergeWith(const QUndoCommand* next)
{
    const auto* other = static_cast<const ChartNoteEdit*>(next);
    if (!isMove() || !other->isMove() || other->m_before != m_after ||
        other->m_whenMs - m_whenMs > kOneMoveMs)
        return false;
    m_after = other->m_after;
    m_whenMs = other->m_whenMs;
    return true;
}

} // namespace scalebench
