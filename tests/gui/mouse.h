// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Clicks as a person makes them: on what lies at a place of the window, so that what is covered or
// out of sight cannot be hit.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QScrollArea>
#include <QTest>
#include <QWindow>

namespace scalebench::test {

/// Scrolls until it is in sight, as the wheel would, and clicks what lies there.
inline void clickAt(QWidget* widget, const QPoint& place)
{
    QVERIFY(widget);
    for (QWidget* up = widget->parentWidget(); up; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up))
            area->ensureWidgetVisible(widget);
    QCoreApplication::processEvents();
    QWidget* window = widget->window();
    const QPoint at = widget->mapTo(window, place);
    QWidget* hit = window->childAt(at);
    QVERIFY2(hit && (hit == widget || widget->isAncestorOf(hit) || hit->isAncestorOf(widget)),
             qPrintable(QStringLiteral("%1 %2 is not to be hit")
                            .arg(QString::fromLatin1(widget->metaObject()->className()),
                                 widget->accessibleName())));
    QTest::mouseClick(window->windowHandle(), Qt::LeftButton, Qt::NoModifier, at);
    QCoreApplication::processEvents();
}

inline void click(QWidget* widget)
{
    QVERIFY(widget);
    clickAt(widget, widget->rect().center());
}

/// Two clicks: the list opens, and the entry.
inline void clickChoice(QComboBox* box, int index)
{
    click(box);
    QAbstractItemView* list = box->view();
    QVERIFY(QTest::qWaitForWindowExposed(list->window()));
    const QModelIndex entry = box->model()->index(index, box->modelColumn());
    list->scrollTo(entry);
    QCoreApplication::processEvents();
    clickAt(list->viewport(), list->visualRect(entry).center());
}

} // namespace scalebench::test
