// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the library as a tree: machine, workload, workers, repeats. What is selected in it is
// selected in the table, which everything else on the page goes by.
#include "models/run_tree_model.h"
#include "pages/results/results_page.h"
#include "settings/app_settings.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

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
        QStringList dirs;
        const QModelIndexList rows = m_tree->selectionModel()->selectedRows();
        for (const QModelIndex& row : rows)
            dirs << m_groups->runDirs(row);
        if (!dirs.isEmpty())
            showRuns(dirs);
    });
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
    m_views->setCurrentIndex(on ? 1 : 0);
    if (!on)
        return;
    m_tree->expandToDepth(kOpenLevels - 1);
    if (const QModelIndex shown = m_groups->indexOf(m_shown.value(0)); shown.isValid()) {
        const QSignalBlocker blocker(m_tree->selectionModel());
        m_tree->scrollTo(shown);
    }
}

} // namespace scalebench
