// SPDX-License-Identifier: GPL-3.0-or-later
// What the Scaling page offers beside its charts: the sweep matrix, other machines, measured
// storage, and checks.
#include "base/file_io.h"
#include "charts/chart_panel.h"
#include "dialogs/claim_dialog.h"
#include "dialogs/collectives_dialog.h"
#include "figures/bench_charts.h"
#include "figures/loss_chart.h"
#include "import/published_studies.h"
#include "import/reference_check.h"
#include "models/speedup_model.h"
#include "models/sweep_model.h"
#include "pages/scaling/scaling_page.h"
#include "run/run_series.h"
#include "session/live_study.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"
#include "work/background.h"

#include <QFileDialog>
#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace scalebench {

QWidget* ScalingPage::makeTools()
{
    auto* tools = new QPushButton(tr("&Tools"));
    tools->setObjectName(QStringLiteral("scalingTools"));
    tools->setProperty("hasMenu", true);
    auto* menu = new QMenu(tools);
    const auto open = [this](QDialog* dialog) {
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    };
    menu->addAction(tr("Collective &bandwidth…"), this,
                    [this, open] { open(new CollectivesDialog(this)); });
    menu->addAction(tr("&Check a claim…"), this, [this, open] { open(new ClaimDialog(this)); });
    menu->addAction(tr("Epochs against MLPerf's &reference points…"), this,
                    &ScalingPage::chooseReferencePoints);
    tools->setMenu(menu);
    return tools;
}

void ScalingPage::setupMatrix()
{
    m_matrix->setModel(m_sweep);
    QTableView* view = m_matrix->view();
    view->setItemDelegate(new ProgressDelegate(m_matrix));
    view->setSelectionBehavior(QAbstractItemView::SelectItems);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    const auto open = [this](const QModelIndex& index) {
        QStringList dirs;
        for (const RunRecord* run : runsOfCell(m_matrix->proxy()->mapToSource(index)))
            if (!run->runDir.isEmpty()) // published results have none
                dirs << run->runDir;
        if (!dirs.isEmpty())
            m_session->openRuns(dirs);
    };
    connect(view, &QTableView::clicked, this, open);
    connect(view, &QTableView::activated, this, open);
    connect(view, &QWidget::customContextMenuRequested, this, &ScalingPage::showMatrixMenu);
}

QList<const RunRecord*> ScalingPage::runsOfCell(const QModelIndex& index) const
{
    QList<const RunRecord*> runs;
    const SpeedupRow* row = m_sweep->cell(index);
    if (!row)
        return runs;
    const RunSeries series(m_study.runs);
    for (int i = 0; i < m_study.runs.size(); ++i) {
        const RunConfig& config = m_study.runs[i].config;
        if (series.label(series.seriesOf(i)) == row->group && config.workers == row->workers &&
            config.nodes == row->nodes)
            runs << &m_study.runs[i];
    }
    return runs;
}

void ScalingPage::showMatrixMenu(const QPoint& at)
{
    const QModelIndex index = m_matrix->view()->indexAt(at);
    QStringList ids;
    bool ended = !m_study.dir.isEmpty();
    for (const RunRecord* run : runsOfCell(m_matrix->proxy()->mapToSource(index))) {
        ids << run->config.runId;
        ended = ended && isFinal(run->state) && run->origin.isEmpty();
    }
    if (ids.isEmpty())
        return;
    QMenu menu;
    QAction* open = menu.addAction(tr("&Open"));
    QAction* again = menu.addAction(tr("&Run again: %n run(s)", nullptr, int(ids.size())));
    again->setEnabled(ended); // others' results cannot be
    const QAction* chosen = menu.exec(m_matrix->view()->viewport()->mapToGlobal(at));
    if (chosen == open)
        Q_EMIT m_matrix->view()->clicked(index);
    else if (chosen == again)
        m_session->live()->runAgain(m_study.dir, Requeue::Ended, ids);
}

/// Published results at once; imported and own ones of the library as they are read.
void ScalingPage::rebuildMachines()
{
    constexpr qsizetype kMostOthers = 12; // the newest
    QList<Study> published;
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        if (figure.id != imports::publishedFigureOf(m_study))
            published << imports::publishedStudy(figure.id);
    m_machines->setChart(machinesChart(m_study, published));
    const QStringList workloads = studyWorkloads(m_study);
    const auto trains = [&workloads](const QString& listed) { // "resnet, ncf"
        const QStringList ids = listed.split(QStringLiteral(", "));
        return std::any_of(ids.begin(), ids.end(),
                           [&](const QString& id) { return workloads.contains(id); });
    };
    QStringList dirs;
    for (const StudySummary& study : std::as_const(m_summaries))
        if (trains(study.workload) && study.dir != m_study.dir && study.finishedRuns > 0 &&
            dirs.size() < kMostOthers)
            dirs << study.dir;
    if (dirs.isEmpty())
        return;
    const int request = ++m_machinesRequest;
    inBackground(
        this,
        [dirs] {
            QList<Study> studies;
            for (const QString& dir : dirs)
                if (const Result<Study> study = loadStudy(dir))
                    studies << study.value();
            return studies;
        },
        [this, request, published](const QList<Study>& studies) {
            if (request == m_machinesRequest)
                m_machines->setChart(machinesChart(m_study, studies + published));
        });
}

void ScalingPage::chooseStorage()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Measured storage: what `scalebench bench storage` wrote"),
        AppSettings::instance().lastFolder(), tr("Benchmarks (*.json *.csv);;All files (*)"));
    if (!file.isEmpty())
        showStorage(file);
}

void ScalingPage::showStorage(const QString& file)
{
    const Result<QByteArray> bytes = readFile(file, kMostJsonBytes);
    const auto rates = bytes ? imports::readStorageRates(bytes.value(), file)
                             : Result<QList<imports::StorageRate>>(bytes.failure());
    if (!rates) {
        m_bar->showFailure(rates.failure());
        return;
    }
    m_rates = rates.value();
    m_storage->setChart(storageChart(m_study, m_model->rows(), m_rates));
}

void ScalingPage::chooseReferencePoints()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Reference convergence points of MLPerf (rcps_….json)"),
        AppSettings::instance().lastFolder(), tr("JSON (*.json);;All files (*)"));
    if (!file.isEmpty())
        showReferencePoints(file);
}

void ScalingPage::showReferencePoints(const QString& file)
{
    const Result<QByteArray> bytes = readFile(file, kMostJsonBytes);
    const auto check = bytes ? imports::checkAgainstPoints(m_study.runs, bytes.value(), file)
                             : Result<imports::ReferenceCheck>(bytes.failure());
    if (!check) {
        m_bar->showFailure(check.failure());
        return;
    }
    const bool fine = check.value().compared > 0 && check.value().remarks.isEmpty();
    m_bar->showMessage(fine ? InlineBar::Level::Info : InlineBar::Level::Warning,
                       check.value().summary, check.value().remarks.join(QLatin1Char('\n')));
}

} // namespace scalebench
