// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What people pinned and wrote on points of charts. A note belongs to what a chart is about, not to
// a widget: the same chart of the same study has it wherever it is shown. What was written is there
// again with the next start; a pinned read-out is not.

#include <QList>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QUndoCommand>

#include <optional>

namespace scalebench {

struct ChartNote {
    int id = 0;     ///< ChartNotes::newId()
    QString place;  ///< which chart, of which study, over which quantity
    QString series; ///< its id
    double x = 0;   ///< of the point
    QString text;   ///< empty: the point's read-out
    /// Of the box's upper left corner from the point, in pixels; nothing: where there is room.
    std::optional<QPointF> offset;

    bool operator==(const ChartNote& other) const = default;
};

constexpr qsizetype kLongestChartNote = 280; ///< characters

class ChartNotes : public QObject
{
    Q_OBJECT
public:
    static ChartNotes& instance();

    QList<ChartNote> at(const QString& place) const;
    std::optional<ChartNote> find(int id) const;
    int newId() { return ++m_lastId; }
    /// Those of `gone` go, those of `come` are there, in place of what had their ids.
    void replace(const QList<ChartNote>& gone, const QList<ChartNote>& come);

Q_SIGNALS:
    void changed(const QString& place);

private:
    ChartNotes();
    void keep() const;

    QList<ChartNote> m_notes; ///< the oldest first
    int m_lastId = 0;
};

/// Notes that a person adds, changes or takes away. Moves of one note in a row are one edit.
class ChartNoteEdit : public QUndoCommand
{
public:
    ChartNoteEdit(const QString& text, QList<ChartNote> before, QList<ChartNote> after);
    void undo() override;
    void redo() override;
    int id() const override { return 2; }
    bool mergeWith(const QUndoCommand* next) override;

private:
    bool isMove() const;

    QList<ChartNote> m_before, m_after;
    qint64 m_whenMs;
};

} // namespace scalebench
