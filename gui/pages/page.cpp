// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "models/run_properties.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>

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

} // namespace

PageProperties Page::properties() const
{
    const ShownStudy shown = shownStudy();
    if (!shown.loaded)
        return {};
    const Study& study = *shown.loaded;
    return {study.spec.name.isEmpty() ? study.id : study.spec.name, studyProperties(study)};
}

void Page::takeOver(Page& before)
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

} // namespace scalebench
