// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Gives all widgets another palette and style sheet in events of a few milliseconds each, where Qt
// does it in one of half a second. Meanwhile the windows stand still; what is in sight is done
// first and then shown at once, what is hidden after that.

#include <QList>
#include <QPalette>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace scalebench {

class Restyle : public QObject
{
    Q_OBJECT
public:
    explicit Restyle(QObject* parent = nullptr);

    /// `shown`: all that is in sight is styled, though not painted yet. `work`: widgets are made or
    /// taken away while nothing has a style, which is when that is quick; called again, each time
    /// in an event of its own, until it says true.
    void start(const QPalette& palette, const QString& sheet, const std::function<void()>& shown,
               const std::function<bool()>& work = {});
    /// What of a widget and of those in it waits for its turn gets it now; of none: all.
    void settle(const QWidget* widget = nullptr);
    bool isBusy() const { return m_stage != Stage::Idle; }
    /// Something in sight still waits.
    bool isHolding() const { return m_stage != Stage::Idle && m_stage != Stage::DressHidden; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Stage { Idle, Undress, Work, Switch, Dress, Show, DressHidden };
    using Widgets = QList<QPointer<QWidget>>;

    void step();
    bool stepOnce();
    void collectAll();
    void collect(QWidget* widget, bool shown);
    void setSheet(const QString& sheet);
    void show();
    void release();
    void undress(QWidget* widget);
    void dress(QWidget* widget);

    Stage m_stage = Stage::Idle;
    QTimer m_timer;
    QPalette m_palette;
    QString m_sheet;
    std::function<void()> m_whenShown;
    std::function<bool()> m_work;
    Widgets m_inSight, m_hidden; ///< parents before their children
    qsizetype m_next = 0;
    Widgets m_frozen; ///< windows
    QSet<const QObject*> m_undressed;
    QSet<QObject*> m_toLayOut;
};

} // namespace scalebench
