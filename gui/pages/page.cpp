// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "models/run_properties.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>

namespace scalebench {

namespace {

/// What is built alike is found in the same order.
template <class W, class Take>
void inPairs(const QWidget& now, const QWidget& before, const Take& take)
{
    const auto ours = now.findChildren<W*>(), theirs = before.findChildren<W*>();
    for (qsizetype i = 0; ours.size() == theirs.size() && i < ours.size(); ++i)
        take(*ours[i], *theirs[i]);
}

/// Once there is that much to scroll through.
void scrollLater(QScrollBar* bar, int at)
{
    if (at <= 0)
        return;
    if (bar->maximum() >= at)
        return bar->setValue(at);
    auto* waiting = new QObject(bar);
    QObject::connect(bar, &QScrollBar::rangeChanged, waiting, [bar, at, waiting](int, int most) {
        if (most < at)
            return;
        if (bar->value() == 0) // nobody has scrolled meanwhile
            bar->setValue(at);
        waiting->deleteLater();
    });
}

} // namespace

PageProperties Page::properties() const
{
    const ShownStudy shown = shownStudy();
    if (!shown.loaded)
        return {};
    const Study& study = *shown.loaded;
    return {study.spec.name.isEmpty() ? study.id : study.spec.name, studyProperties(study)};
}

void Page::takeLook(const Page& before)
{
    inPairs<QSplitter>(*this, before, [](QSplitter& now, const QSplitter& then) {
        now.restoreState(then.saveState());
    });
    inPairs<QTabWidget>(*this, before, [](QTabWidget& now, const QTabWidget& then) {
        now.setCurrentIndex(then.currentIndex());
    });
    inPairs<ChartPanel>(*this, before, [](ChartPanel& now, const ChartPanel& then) {
        now.chartWidget()->takeOver(*then.chartWidget());
        if (then.showsData())
            now.showData(true);
    });
    inPairs<InlineBar>(*this, before,
                       [](InlineBar& now, const InlineBar& then) { now.takeOver(then); });
    inPairs<DataTable>(*this, before, [](DataTable& now, const DataTable& then) {
        now.setFilterText(then.filterText());
    });
    inPairs<QScrollArea>(*this, before, [this](QScrollArea& now, const QScrollArea& then) {
        // Once it is laid out.
        QTimer::singleShot(0, this, [area = &now, at = then.verticalScrollBar()->value()] {
            area->verticalScrollBar()->setValue(at);
        });
    });
}

QByteArray Page::keptView() const
{
    QJsonArray tabs, charts, scrolled;
    for (const QTabWidget* tab : findChildren<QTabWidget*>())
        tabs << tab->currentIndex();
    for (const ChartPanel* panel : findChildren<ChartPanel*>()) {
        QJsonObject chart = panel->chartWidget()->keptLook();
        if (panel->showsData())
            chart[QStringLiteral("data")] = true;
        charts << chart;
    }
    for (const QScrollArea* area : findChildren<QScrollArea*>())
        scrolled << area->verticalScrollBar()->value();
    return QJsonDocument(QJsonObject{{QStringLiteral("tabs"), tabs},
                                     {QStringLiteral("charts"), charts},
                                     {QStringLiteral("scrolled"), scrolled}})
        .toJson(QJsonDocument::Compact);
}

/// Of a page that is built otherwise now, nothing.
void Page::restoreView(const QByteArray& kept)
{
    const QJsonObject view = QJsonDocument::fromJson(kept).object();
    const auto each = [&view](const char* key, const auto& widgets, const auto& restore) {
        const QJsonArray values = view[QLatin1String(key)].toArray();
        for (qsizetype i = 0; values.size() == widgets.size() && i < widgets.size(); ++i)
            restore(widgets[i], values[i]);
    };
    each("tabs", findChildren<QTabWidget*>(), [](QTabWidget* tabs, const QJsonValue& index) {
        tabs->setCurrentIndex(std::clamp(index.toInt(), 0, std::max(0, tabs->count() - 1)));
    });
    each("charts", findChildren<ChartPanel*>(), [](ChartPanel* panel, const QJsonValue& chart) {
        panel->chartWidget()->restoreLook(chart.toObject());
        if (chart.toObject()[QStringLiteral("data")].toBool())
            panel->showData(true);
    });
    each("scrolled", findChildren<QScrollArea*>(), [](QScrollArea* area, const QJsonValue& at) {
        scrollLater(area->verticalScrollBar(), at.toInt());
    });
}

} // namespace scalebench
