// SPDX-License-Identifier: GPL-3.0-or-later
// What the Scaling page offers beside its charts: the sweep matrix, other machines, measured
// storage, and checks.
#include "analysis/loss_evidence.h"
#include "base/file_io.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "dialogs/chart_files_dialog.h"
#include "dialogs/claim_dialog.h"
#include "dialogs/collectives_dialog.h"
#include "dialogs/loss_evidence_dialog.h"
#include "figures/bench_charts.h"
#include "figures/loss_chart.h"
#include "import/import_store.h"
#include "import/published_studies.h"
#include "import/reference_check.h"
#include "models/speedup_model.h"
#include "models/sweep_model.h"
#include "pages/scaling/scaling_page.h"
#include "pages/study_choice.h"
#include "run/run_series.h"
#include "session/live_study.h"
#include "session/session.h"
#include "session/study_library.h"
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

QString ScalingPage::libraryDir() const
{
    const QString& chosen = m_session->library()->place().dir;
    return chosen.isEmpty() ? Library::defaultDir() : chosen;
}

QPushButton* ScalingPage::makeTools()
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
                    [this, open] { open(new CollectivesDialog(libraryDir(), this)); });
    menu->addAction(tr("Charts from &files…"), this,
                    [this, open] { open(new ChartFilesDialog(libraryDir(), this)); });
    menu->addAction(tr("&Check a claim…"), this, [this, open] { open(new ClaimDialog(this)); });
    menu->addAction(tr("Epochs against MLPerf's &reference points…"), this,
                    &ScalingPage::chooseReferencePoints);
    tools->setMenu(menu);
    return tools;
}

QMenu* ScalingPage::tools() const
{
    return findChild<QPushButton*>(QStringLiteral("scalingTools"))->menu();
}

void ScalingPage::setupLosses()
{
    m_losses->setHint(tr("Click a band for its figures"));
    connect(m_losses->chartWidget(), &ChartWidget::pointOpened, this, &ScalingPage::showLoss);
}

/// The bands of a category are those of one row.
void ScalingPage::showLoss(int series, qsizetype point)
{
    const ChartData& chart = m_losses->chart();
    const Baseline baseline = view().baseline;
    QList<LossShares> shown = lossSplit(m_study.runs, baseline);
    shown.removeIf([](const LossShares& loss) { return loss.baseline; });
    const auto row = static_cast<qsizetype>(chart.series[series].x[point]);
    if (row >= shown.size())
        return;
    const auto evidence = lossEvidence(m_study.runs, shown[row], baseline);
    if (!evidence)
        return;
    auto* dialog = new LossEvidenceDialog(chart, series, point, *evidence, this);
    dialog->setObjectName(QStringLiteral("lossEvidence"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &LossEvidenceDialog::openRuns, m_session, &Session::openRuns);
    dialog->open();
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
    constexpr qsizetype kMostOthers = 12; // the newest that have something to compare
    QList<Study> published;
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        if (figure.id != imports::publishedFigureOf(m_study))
            published << imports::publishedStudy(figure.id);
    m_machines->setChart([this, published] { return machinesChart(m_study, published); });
    const QStringList workloads = studyWorkloads(m_study);
    const auto trains = [&workloads](const QString& listed) { // "resnet, ncf"
        const QStringList ids = listed.split(QStringLiteral(", "));
        return std::any_of(ids.begin(), ids.end(),
                           [&](const QString& id) { return workloads.contains(id); });
    };
    QStringList dirs;
    for (const StudySummary& study : m_choice->studies())
        if (trains(study.workload) && study.dir != m_study.dir && study.finishedRuns > 0)
            dirs << study.dir;
    if (dirs.isEmpty())
        return;
    const int request = ++m_machinesRequest;
    inBackground(
        this,
        [dirs, own = m_study] {
            QList<Study> studies;
            for (const QString& dir : dirs) {
                if (studies.size() == kMostOthers)
                    break;
                if (const Result<Study> other = loadStudy(dir);
                    other && standsBeside(own, other.value()))
                    studies << other.value();
            }
            return studies;
        },
        [this, request, published](const QList<Study>& studies) {
            if (request == m_machinesRequest)
                m_machines->setChart(
                    [this, all = studies + published] { return machinesChart(m_study, all); });
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

void ScalingPage::drawStorage()
{
    m_storage->setChart([this] { return storageChart(m_study, m_model->rows(), m_rates); });
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
    drawStorage();
}

/// Those that were imported, where they are of what is shown; else a file's.
void ScalingPage::chooseReferencePoints()
{
    for (const QString& stored : imports::storedReferences(libraryDir(), QStringLiteral("rcp")))
        if (const auto check = checkPoints(stored); check && check.value().compared > 0)
            return showReferenceCheck(check.value());
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Reference convergence points of MLPerf (rcps_….json)"),
        AppSettings::instance().lastFolder(), tr("JSON (*.json);;All files (*)"));
    if (!file.isEmpty())
        showReferencePoints(file);
}

Result<imports::ReferenceCheck> ScalingPage::checkPoints(const QString& file) const
{
    const Result<QByteArray> bytes = readFile(file, kMostJsonBytes);
    return bytes ? imports::checkAgainstPoints(m_study.runs, bytes.value(), file)
                 : Result<imports::ReferenceCheck>(bytes.failure());
}

void ScalingPage::showReferencePoints(const QString& file)
{
    if (const auto check = checkPoints(file))
        showReferenceCheck(check.value());
    else
        m_bar->showFailure(check.failure());
}

void ScalingPage::showReferenceCheck(const imports::ReferenceCheck& check)
{
    const bool fine = check.compared > 0 && check.remarks.isEmpty();
    m_bar->showMessage(fine ? InlineBar::Level::Info : InlineBar::Level::Warning, check.summary,
                       check.remarks.join(QLatin1Char('\n')));
}

} // namespace scalebench
