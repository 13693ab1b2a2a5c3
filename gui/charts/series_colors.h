// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Colours that a person gave to runs, machines and lines, before those of the theme. They hold in
// every chart that shows the same, and with the next start. May be asked from any thread.

#include <QColor>
#include <QHash>
#include <QIcon>
#include <QObject>
#include <QReadWriteLock>
#include <QString>
#include <QUndoCommand>

class QMenu;
class QUndoStack;

namespace scalebench {

struct ChartData;
struct Theme;

class SeriesColors : public QObject
{
    Q_OBJECT
public:
    static SeriesColors& instance();

    /// A choice is "#rrggbb", or a place among the theme's colours, which each theme has in its
    /// own shade; empty: none was made.
    QString choice(const QString& subject) const;
    static QString slotChoice(int slot);
    /// Empty takes the choice back. Kept.
    void choose(const QString& subject, const QString& choice);
    /// Not valid: none was chosen.
    QColor of(const QString& subject, const Theme& theme) const;

    /// What a choice for a line of a chart belongs to: the same run or line, wherever it is shown.
    static QString subjectOf(const ChartData& chart, int series);
    static QString machineSubject(const QString& machine);
    /// The line's own, else its machine's where that has no other line in this chart, else the
    /// theme's.
    QColor colorOf(const ChartData& chart, int series, const Theme& theme) const;

Q_SIGNALS:
    void changed();

private:
    SeriesColors();
    void keep();

    mutable QReadWriteLock m_lock;
    QHash<QString, QString> m_choices;
};

/// A choice that can be taken back.
class SeriesColorEdit : public QUndoCommand
{
public:
    SeriesColorEdit(const QString& name, QString subject, QString after);
    void undo() override;
    void redo() override;

private:
    QString m_subject;
    QString m_before, m_after;
};

/// A square of that colour, for buttons and menus.
QIcon colorSwatch(const QColor& color);
/// The theme's colours, "Another…" and "As usual", for that subject; choices go to the stack, or
/// hold at once where there is none.
void fillColorMenu(QMenu* menu, const QString& subject, const QString& name, QUndoStack* undo);

} // namespace scalebench
