// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Waits until a window looks as a person would see it.

#include "app/main_window.h"
#include "charts/chart_widget.h"
#include "support/campaign.h"

#include <QList>
#include <QRect>
#include <QTest>

#include <utility>

namespace scalebench::test {

/// Layouts and charts are as a person would see them: nothing moves any more, and charts are
/// drawn in the size that they have. A layout asks the one around it (field, form, scrolled
/// area, page), and on a busy machine events come in any number of pieces.
inline void settle(MainWindow& window)
{
    QList<QRect> before;
    QVERIFY(QTest::qWaitFor(
        [&] {
            for (int round = 0; round < 3; ++round) {
                QCoreApplication::processEvents();
                for (int level = 0; level < 12; ++level)
                    QCoreApplication::sendPostedEvents();
                for (ChartWidget* chart : window.findChildren<ChartWidget*>())
                    if (chart->isVisible())
                        chart->replotNow(); // otherwise it waits for a quiet moment
            }
            QCoreApplication::processEvents(); // the drawing itself is queued
            QList<QRect> places;
            for (const QWidget* widget : window.findChildren<QWidget*>())
                if (widget->isVisible())
                    places << QRect(widget->mapTo(&window, QPoint()), widget->size());
            return std::exchange(before, places) == places;
        },
        kHangMs / 10));
}

} // namespace scalebench::test
