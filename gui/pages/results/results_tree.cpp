// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the library as a tree: machine, workload, workers, repeats. It has the runs that the
// table's filter lets through; what is selected in it is selected in the table, which everything
// else on the page goes by, and the other way round.
#include "models/run_table_model.h"
#include "models/run_tree_model.h"
#include "pages/results/results_page.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"

#include <QHeaderView>
#include <QItemSelection>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <utility>

namespace scalebench {

namespace {
const QString kGroupedKey = QStringLiteral("results_grouped");
constexpr int kOpenLevels = 2; ///< machines and workloads
constexpr int kNameWidth = 420;
} // namespace

QWidget* ResultsPage::setupTree()
{
    m_tree->setModel(m_groups);
    m_tree->setObjectName(QStringLiteral("runTree"));
    m_tree->setAccessibleName(tr("Runs by machine, workload and workers"));
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->header()->resizeSection(RunTreeModel::Name, kNameWidth);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_marking)
            return;
        QStringList dirs;
        const QModelIndexList rows = m_tree->selectionModel()->selectedRows();
        for (const QModelIndex& row : rows)
            dirs << m_groups->runDirs(row);
        const QScopedValueRollback marking(m_marking, true);
        if (!dirs.isEmpty())
            selectRuns(dirs, false);
    });
    // A filter takes rows away in many pieces.
    auto* fill = new QTimer(this);
    fill->setSingleShot(true);
    connect(fill, &QTimer::timeout, this, &ResultsPage::fillTree);
    const auto later = [fill] { fill->start(0); };
    connect(m_table->proxy(), &QAbstractItemModel::rowsInserted, fill, later);
    connect(m_table->proxy(), &QAbstractItemModel::rowsRemoved, fill, later);
    auto* group = new QToolButton;
    group->setObjectName(QStringLiteral("groupRuns"));
    group->setText(tr("Group"));
    group->setToolTip(tr("Runs by machine, workload, number of workers and repeat"));
    group->setAccessibleName(tr("Group the runs by machine, workload and workers"));
    group->setCheckable(true);
    group->setProperty("segment", true);
    connect(group, &QToolButton::toggled, this, &ResultsPage::showTree);
    connect(group, &QToolButton::toggled, this, [](bool on) {
        AppSettings::instance().setViewState(kGroupedKey,
                                             on ? QByteArrayLiteral("1") : QByteArray());
    });
    group->setChecked(!AppSettings::instance().viewState(kGroupedKey).isEmpty());
    return group;
}

void ResultsPage::showTree(bool on)
{
    m_table->showOtherView(on);
    fillTree();
}

void ResultsPage::fillTree()
{
    if (!m_table->isOtherViewShown())
        return;
    QList<RunSummary> runs;
    const QSortFilterProxyModel* proxy = m_table->proxy();
    for (int row = 0; row < proxy->rowCount(); ++row)
        runs << m_model->run(proxy->mapToSource(proxy->index(row, 0)).row());
    m_groups->setRuns(runs);
    m_tree->expandToDepth(kOpenLevels - 1);
    if (!runs.isEmpty() && !std::exchange(m_treeSized, true)) {
        m_tree->expandAll(); // the longest texts are those of the runs
        for (int column = RunTreeModel::Name + 1; column < RunTreeModel::ColumnCount; ++column)
            m_tree->resizeColumnToContents(column);
        m_tree->collapseAll();
        m_tree->expandToDepth(kOpenLevels - 1);
    }
    markInTree();
}

void ResultsPage::markInTree()
{
    if (!m_table->isOtherViewShown() || m_marking)
        return;
    QItemSelection selection;
    QModelIndex first;
    for (const int row : m_table->selectedSourceRows())
        if (const QModelIndex at = m_groups->indexOf(m_model->run(row).runDir); at.isValid()) {
            selection.select(at, at);
            first = first.isValid() ? first : at;
        }
    const QScopedValueRollback marking(m_marking, true);
    m_tree->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect |
                                                    QItemSelectionModel::Rows);
    if (first.isValid())
        m_tree->scrollTo(first);
}

} // namespace scalebench
