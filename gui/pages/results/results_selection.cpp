// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of the Results page are selected, and what can be done with them.
#include "models/run_table_model.h"
#include "pages/results/results_page.h"
#include "pages/results/run_detail.h"
#include "run/study_files.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/data_table.h"
#include "work/background.h"

#include <QAction>
#include <QDir>
#include <QItemSelection>
#include <QPushButton>
#include <QSet>
#include <QToolButton>

#include <algorithm>

namespace scalebench {

QString ResultsPage::selectedStudyDir() const
{
    const auto rows = m_table->selectedSourceRows();
    if (rows.isEmpty())
        return {};
    return studyDirOf(m_model->run(rows.first()).runDir);
}

/// What is not listed yet may come with the next list.
void ResultsPage::selectWanted()
{
    const auto isWanted = [this](const QString& runDir) {
        return std::any_of(m_wanted.begin(), m_wanted.end(), [&runDir](const QString& study) {
            return runDir.startsWith(study + QStringLiteral("/runs/"));
        });
    };
    if (select(isWanted, true))
        m_wanted.clear();
}

void ResultsPage::showRuns(const QStringList& runDirs)
{
    selectRuns(runDirs, true);
}

void ResultsPage::selectRuns(const QStringList& runDirs, bool evenHidden)
{
    QSet<QString> wanted;
    for (const QString& dir : runDirs)
        wanted << QDir::cleanPath(dir);
    select([&wanted](const QString& runDir) { return wanted.contains(runDir); }, evenHidden);
}

bool ResultsPage::select(const std::function<bool(const QString& runDir)>& wanted, bool evenHidden)
{
    QItemSelection selection;
    bool hidden = false;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (wanted(QDir::cleanPath(m_model->run(row).runDir))) {
            const QModelIndex index = m_table->proxy()->mapFromSource(m_model->index(row, 0));
            if (index.isValid())
                selection.select(index, index);
            else
                hidden = true;
        }
    }
    if (hidden && evenHidden) {
        m_table->setFilterText({});
        return select(wanted, false);
    }
    if (selection.isEmpty())
        return false;
    m_table->view()->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect |
                                                             QItemSelectionModel::Rows);
    m_table->view()->scrollTo(selection.indexes().first());
    return true;
}

void ResultsPage::onSelection()
{
    const auto rows = m_table->selectedSourceRows();
    QStringList dirs;
    for (const int row : rows)
        dirs << m_model->run(row).runDir;
    m_shown = dirs;
    const int request = ++m_request;
    *m_latest = request;
    if (dirs.isEmpty()) {
        m_detail->show({});
        updateActions();
        Q_EMIT propertiesChanged();
        return;
    }
    updateActions();
    inBackground(
        this,
        [dirs, request, latest = m_latest] {
            return loadRunDetail(dirs, [&] { return *latest == request; });
        },
        [this, request](const RunDetailData& detail) {
            if (request != m_request) // a later click has overtaken this one
                return;
            m_detail->show(detail);
            updateActions();
            Q_EMIT propertiesChanged();
            // The whole library may be gone, or back.
            if (detail.gone != m_loadFailed && m_askedFor != m_shown) {
                m_askedFor = m_shown; // once, also where a list still has it
                m_session->library()->refresh();
            }
        });
}

/// The first that is to be seen, where nothing is selected.
void ResultsPage::selectSomething()
{
    const QSortFilterProxyModel* proxy = m_table->proxy();
    if (m_table->selectedSourceRows().isEmpty() && proxy->rowCount() > 0)
        m_table->selectSourceRow(proxy->mapToSource(proxy->index(0, 0)).row());
    if (m_table->selectedSourceRows().isEmpty())
        onSelection(); // a model that is filled anew tells of no selection that goes
}

/// What is done with one study needs all selected runs to be of it.
void ResultsPage::updateActions()
{
    const auto rows = m_table->selectedSourceRows();
    QSet<QString> studies;
    for (const int row : rows)
        studies << studyDirOf(m_model->run(row).runDir);
    const bool one = studies.size() == 1;
    m_away->setEnabled(!m_readOnly && !rows.isEmpty());
    m_tag->setEnabled(!m_readOnly && one);
    m_compare->setEnabled(rows.size() > 1);
    m_scaling->setEnabled(one);
    // Known once the run is read: the disk may be slow.
    const RunDetailData& shown = m_detail->data();
    const bool read = one && !m_shown.isEmpty() && shown.dir == m_shown.first();
    m_again->setEnabled(read && shown.hasPlan);
    const QString several = tr("The selected runs are of several studies. Select runs of one.");
    const bool many = studies.size() > 1;
    m_tag->setToolTip(many ? several : tr("Tags and a note of the selected run's study"));
    m_scaling->setToolTip(many ? several : QString());
    m_again->setToolTip(many ? several
                        : read && !shown.hasPlan
                            ? tr("There is no plan of these results: they were not planned here.")
                            : tr("Open the plan of the selected run's study"));
}

} // namespace scalebench
