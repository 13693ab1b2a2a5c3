// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/restyle.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace scalebench {

namespace {
constexpr int kSliceMs = 8;
constexpr int kRedrawnMs = 90; ///< until charts are, which are drawn at most 15 times a second
} // namespace

Restyle::Restyle(QObject* parent) : QObject(parent)
{
    connect(&m_timer, &QTimer::timeout, this, &Restyle::step);
}

void Restyle::start(const QPalette& palette, const QString& sheet,
                    const std::function<void()>& shown, const std::function<bool()>& work)
{
    if (m_stage == Stage::Undress && !m_work &&
        !work) { // nothing of the last choice is to be seen yet
        m_palette = palette;
        m_sheet = sheet;
        m_whenShown = shown;
        return;
    }
    settle();
    m_palette = palette;
    m_sheet = sheet;
    m_whenShown = shown;
    m_work = work;
    collectAll();
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget* window : windows) {
        if (window->isVisible() && window->updatesEnabled()) {
            window->setUpdatesEnabled(false);
            m_frozen << window;
        }
    }
    qApp->installEventFilter(this);
    m_stage = Stage::Undress;
    m_timer.start(0);
}

void Restyle::collectAll()
{
    m_next = 0;
    m_inSight.clear();
    m_hidden.clear();
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget* window : windows)
        collect(window, true);
}

/// What was never shown has no style yet, and gets it when it is.
void Restyle::collect(QWidget* widget, bool shown)
{
    const bool inSight = shown && (widget->isWindow() ? widget->isVisible() : !widget->isHidden());
    if (widget->testAttribute(Qt::WA_WState_Polished) || m_undressed.contains(widget))
        (inSight ? m_inSight : m_hidden) << widget;
    for (QObject* child : widget->children())
        if (auto* inside = qobject_cast<QWidget*>(child); inside && !inside->isWindow())
            collect(inside, inSight);
}

/// Layouts that were asked for between two styles would be made twice, and scroll to nowhere.
bool Restyle::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::LayoutRequest || !watched->isWidgetType())
        return false;
    m_toLayOut << watched;
    return true;
}

void Restyle::undress(QWidget* widget)
{
    if (!widget->testAttribute(Qt::WA_WState_Polished))
        return;
    widget->style()->unpolish(widget);
    widget->setAttribute(Qt::WA_WState_Polished, false);
    m_undressed << widget;
}

void Restyle::dress(QWidget* widget)
{
    m_undressed.remove(widget);
    if (widget->testAttribute(Qt::WA_WState_Polished))
        return;
    QEvent polish(QEvent::Polish);
    QCoreApplication::sendEvent(widget, &polish);
    QEvent change(QEvent::StyleChange);
    QCoreApplication::sendEvent(widget, &change);
}

/// Nothing wears a style now, so that this is quick. Each widget hears of its new one when it gets
/// it: Qt tells at once all that have no style of their own.
void Restyle::setSheet(const QString& sheet)
{
    Widgets quiet;
    const auto widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        if (widget->testAttribute(Qt::WA_SetStyle))
            continue;
        widget->setAttribute(Qt::WA_SetStyle);
        quiet << widget;
    }
    qApp->setStyleSheet({});
    QApplication::setPalette(m_palette);
    qApp->setStyleSheet(sheet);
    for (const QPointer<QWidget>& widget : std::as_const(quiet)) {
        if (!widget)
            continue;
        widget->setAttribute(Qt::WA_SetStyle, false);
        if (!widget->testAttribute(Qt::WA_WState_Polished))
            continue;
        QEvent change(QEvent::StyleChange); // it came meanwhile and has just been styled
        QCoreApplication::sendEvent(widget, &change);
    }
}

void Restyle::step()
{
    QElapsedTimer clock;
    clock.start();
    const Stage stage = m_stage;
    while (m_stage == stage && clock.elapsed() < kSliceMs && stepOnce()) {
    }
}

/// False: the next thing wants an event of its own.
bool Restyle::stepOnce()
{
    const qsizetype shown = m_inSight.size();
    switch (m_stage) {
    case Stage::Idle:
        m_timer.stop();
        return false;
    case Stage::Undress:
        if (m_next == shown + m_hidden.size()) {
            m_stage = m_work ? Stage::Work : Stage::Switch;
            if (m_work)
                setSheet({});
            return false;
        }
        if (QWidget* widget = m_next < shown ? m_inSight[m_next] : m_hidden[m_next - shown])
            undress(widget);
        ++m_next;
        return true;
    case Stage::Work:
        if (m_work()) {
            m_work = {};
            collectAll(); // what has come, too
            m_stage = Stage::Undress;
        }
        return false;
    case Stage::Switch:
        setSheet(m_sheet);
        m_next = 0;
        m_stage = Stage::Dress;
        return false;
    case Stage::Dress:
        if (m_next == shown) {
            m_stage = Stage::Show;
            m_whenShown();
            release();
            m_timer.start(kRedrawnMs);
            return false;
        }
        if (QWidget* widget = m_inSight[m_next])
            dress(widget);
        ++m_next;
        return true;
    case Stage::Show:
        show();
        m_next = 0;
        m_stage = Stage::DressHidden;
        m_timer.start(0);
        return false;
    case Stage::DressHidden:
        if (m_next == m_hidden.size()) {
            m_undressed.clear();
            m_stage = Stage::Idle;
            return false;
        }
        if (QWidget* widget = m_hidden[m_next])
            dress(widget);
        ++m_next;
        return true;
    }
    return false;
}

/// Layouts are made again, each once.
void Restyle::release()
{
    qApp->removeEventFilter(this);
    const auto widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets)
        if (m_toLayOut.contains(widget))
            QCoreApplication::postEvent(widget, new QEvent(QEvent::LayoutRequest));
    m_toLayOut.clear();
}

void Restyle::show()
{
    for (const QPointer<QWidget>& window : std::exchange(m_frozen, {}))
        if (window)
            window->setUpdatesEnabled(true);
}

void Restyle::settle(const QWidget* widget)
{
    while (!widget && m_stage != Stage::Idle)
        stepOnce();
    if (!widget)
        return m_timer.stop();
    for (qsizetype i = m_next; m_stage == Stage::DressHidden && i < m_hidden.size(); ++i)
        if (QWidget* one = m_hidden[i]; one && (one == widget || widget->isAncestorOf(one)))
            dress(one);
}

} // namespace scalebench
