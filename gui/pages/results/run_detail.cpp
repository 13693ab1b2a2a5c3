// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/results/run_detail.h"

#include "base/ordinary_file.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "figures/run_charts.h"
#include "models/key_value_model.h"
#include "models/run_properties.h"
#include "run/disturbance.h"
#include "run/drawn_pictures.h"
#include "run/stream_faults.h"
#include "run/study_files.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "widgets/choice_box.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/run_pictures.h"
#include "widgets/widgets.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QGridLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLocale>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace scalebench {

namespace {

constexpr int kMaxOverlay = 64;

QList<std::pair<QString, QString>> listFiles(const QString& runDir)
{
    QList<std::pair<QString, QString>> files{{RunDetail::tr("folder"), runDir}};
    const auto entries = QDir(runDir).entryInfoList(QDir::Files, QDir::Name);
    for (const QFileInfo& info : entries)
        files.append({info.fileName(), QLocale().formattedDataSize(info.size())});
    return files;
}

} // namespace

RunDetailData loadRunDetail(const QStringList& runDirs, const std::function<bool()>& goOn)
{
    RunDetailData out;
    out.dir = runDirs.value(0);
    out.asked = runDirs.size();
    out.hasPlan = !out.dir.isEmpty() &&
                  QFileInfo::exists(studyDirOf(out.dir) + QStringLiteral("/study.json"));
    for (const QString& dir : runDirs.mid(0, kMaxOverlay)) {
        if (!goOn())
            return out;
        auto run = loadRun(dir);
        if (!run) {
            const QString study = QFileInfo(QFileInfo(dir).path()).path(); // imported: of records
            out.gone = !QFileInfo::exists(study);
            out.unreadable << (out.gone
                                   ? RunDetail::tr("%1 is gone: it was moved or deleted, or its "
                                                   "disk is not mounted.")
                                         .arg(study)
                                   : run.failure().message);
            continue;
        }
        out.study.runs << run.value();
    }
    if (out.study.runs.isEmpty()) {
        if (!out.gone && QFileInfo::exists(out.dir))
            out.files = listFiles(out.dir); // what is left of it can be looked at
        return out;
    }
    const RunRecord& first = out.study.runs.first();
    out.study.id = first.config.study;
    out.study.spec.workload = first.config.workload;
    out.study.spec.scale = first.config.scale;
    if (const Result<QByteArray> system =
            readFileBelow(first.runDir, QStringLiteral("system.json")))
        out.system = QJsonDocument::fromJson(system.value()).object();
    out.files = listFiles(first.runDir);
    out.pictures = hasPictures(first.runDir);
    return out;
}

/// A file that opening cannot run: an ordinary one, by its name a text.
static bool isReadableText(const QString& path)
{
    const QFileInfo info(path);
    return info.isFile() && !info.isSymLink() && !info.isExecutable() &&
           QStringList{QStringLiteral("txt"), QStringLiteral("json"), QStringLiteral("csv"),
                       QStringLiteral("log")}
               .contains(info.suffix());
}

RunDetail::RunDetail(QWidget* parent)
    : QWidget(parent),
      m_title(new ElidedLabel("section")),
      m_facts(new ElidedLabel("muted")),
      m_bar(new InlineBar),
      m_tabs(new QTabWidget),
      m_axis(new ChoiceBox),
      m_accuracy(new MetricPanel),
      m_loss(new ChartPanel(tr("Training loss"))),
      m_throughput(new ChartPanel(tr("Throughput"))),
      m_split(new ChartPanel(tr("Where a step's time goes"))),
      m_settings(new KeyValueModel(this)),
      m_environment(new KeyValueModel(this)),
      m_files(new KeyValueModel(this)),
      m_pictures(new RunPictures)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_facts);
    head->addStretch(1);
    column->addLayout(head);
    column->addWidget(m_bar);
    column->addWidget(m_tabs, 1);
    m_tabs->setDocumentMode(true);
    setupCharts();
    m_tabs->addTab(m_pictures, tr("Pictures"));
    m_tabs->setTabVisible(m_tabs->indexOf(m_pictures), false);
    setupTables();
}

void RunDetail::setupCharts()
{
    for (const auto& [axis, title] : runAxisChoices())
        m_axis->addItem(title, runAxisName(axis));
    m_axis->setAccessibleName(tr("What the x axis shows"));
    m_accuracy->addHeadWidget(m_axis);
    connect(m_accuracy, &MetricPanel::metricChosen, this, &RunDetail::rebuildCharts);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &RunDetail::rebuildCharts);
    m_accuracy->chartWidget()->linkX(m_loss->chartWidget());
    const auto pair = [this](ChartPanel* left, ChartPanel* right, const QString& title) {
        auto* page = new QWidget;
        auto* row = new QHBoxLayout(page);
        row->setContentsMargins(0, 8, 0, 0);
        row->setSpacing(9);
        row->addWidget(left, 3);
        row->addWidget(right, 2);
        m_tabs->addTab(page, title);
    };
    pair(m_accuracy, m_loss, tr("Charts"));
    pair(m_throughput, m_split, tr("Speed"));
}

void RunDetail::setupTables()
{
    const auto table = [this](KeyValueModel* model, const QString& title, const QString& key) {
        auto* view = new DataTable(key, title, true);
        view->setModel(model);
        view->view()->horizontalHeader()->resizeSection(0, 260);
        auto* page = new QWidget;
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins(0, 8, 0, 0);
        column->addWidget(view);
        m_tabs->addTab(page, title);
        return view;
    };
    table(m_settings, tr("Settings"), QStringLiteral("detail_settings"));
    table(m_environment, tr("Environment"), QStringLiteral("detail_environment"));
    DataTable* files = table(m_files, tr("Files"), QStringLiteral("detail_files"));
    connect(files, &DataTable::rowActivated, this, [this](int row) {
        if (m_data.files.isEmpty())
            return;
        const QString dir =
            m_data.study.runs.isEmpty() ? m_data.dir : m_data.study.runs.first().runDir;
        const QString file = QDir(dir).filePath(m_data.files.value(row).first);
        // Anything may lie in a folder of results; only texts are opened, of the rest the folder.
        QDesktopServices::openUrl(
            QUrl::fromLocalFile(row > 0 && isReadableText(file) ? file : dir));
    });
}

void RunDetail::showPictures()
{
    m_tabs->setCurrentWidget(m_pictures);
}

ChartPanel* RunDetail::currentChart()
{
    for (ChartPanel* panel : {m_loss, m_throughput, m_split}) {
        if (panel->isAncestorOf(focusWidget()))
            return panel;
    }
    return m_tabs->currentIndex() == 1 ? m_throughput : m_accuracy;
}

void RunDetail::rebuildCharts()
{
    const RunAxis axis = runAxisFromName(m_axis->currentData().toString());
    m_accuracy->setStudy(m_data.study, axis);
    // Of the runs whose metric is shown: another workload's are no measure of theirs.
    const QStringList shown = m_accuracy->shownRuns();
    // Not "open one on the Results page": this is that page.
    const QString none = !m_data.study.runs.isEmpty() ? QString()
                         : m_data.dir.isEmpty()       ? tr("No run is selected.")
                                                      : tr("This run cannot be read.");
    const auto toldOf = [this, shown, none](ChartData chart) {
        if (const QString left = shown.isEmpty() ? QString() : leftOutText(m_data.study, shown);
            !left.isEmpty())
            chart.marks.prepend(left);
        if (!none.isEmpty())
            chart.emptyText = none;
        return chart;
    };
    if (!none.isEmpty())
        m_accuracy->setChart(toldOf(m_accuracy->chart()));
    m_loss->setChart([=, this] { return toldOf(lossChart(m_data.study, axis, shown)); });
    m_throughput->setChart(
        [=, this] { return toldOf(throughputChart(m_data.study, axis, shown)); });
    m_split->setChart([=, this] { return toldOf(stepSplitChart(withRuns(m_data.study, shown))); });
}

void RunDetail::takeOver(const RunDetail& other)
{
    {
        const QSignalBlocker blocker(m_axis);
        m_axis->setCurrentIndex(other.m_axis->currentIndex());
    }
    show(other.m_data);
    m_accuracy->takeOver(*other.m_accuracy);
}

void RunDetail::show(const RunDetailData& detail)
{
    m_data = detail;
    // The notes of a study's runs are those that it has on the Run page.
    QStringList studies, runs;
    for (const RunRecord& run : detail.study.runs) {
        studies << studyDirOf(run.runDir);
        runs << run.config.runId;
    }
    studies.removeDuplicates();
    for (ChartPanel* panel : std::initializer_list<ChartPanel*>{m_accuracy, m_loss, m_throughput})
        panel->chartWidget()->setSubject(studies.join(u' '));
    m_split->chartWidget()->setSubject(runs.join(u' ')); // whose bars are numbered
    rebuildCharts();
    tellFaults();
    if (detail.study.runs.isEmpty()) {
        m_title->setFullText(QFileInfo(detail.dir).fileName());
        m_facts->setFullText(QString());
        m_settings->setPairs({});
        m_environment->setPairs({});
        m_files->setPairs(detail.files);
        m_tabs->setTabVisible(m_tabs->indexOf(m_pictures), false);
        return;
    }
    const RunRecord& first = detail.study.runs.first();
    const int count = static_cast<int>(detail.study.runs.size());
    m_title->setFullText(count == 1 ? first.config.runId : tr("%n runs overlaid", nullptr, count));
    m_facts->setFullText(machineLine(detail.study));
    if (count == 1)
        m_settings->setJson(first.config.json);
    else
        m_settings->setPairs(runDifferences(detail.study.runs));
    if (detail.system.isEmpty())
        m_environment->setPairs(
            {{tr("not recorded"), first.origin.isEmpty() ? tr("The run had not begun to train.")
                                                         : tr("This run was imported: its source "
                                                              "does not tell its environment.")}});
    else
        m_environment->setJson(detail.system);
    m_files->setPairs(detail.files);
    m_tabs->setTabVisible(m_tabs->indexOf(m_pictures), detail.pictures);
    if (detail.pictures)
        m_pictures->setRun(first.runDir);
}

/// The gravest first, the others on demand; each says whose it is, where it could be of several.
void RunDetail::tellFaults()
{
    const QList<RunRecord>& runs = m_data.study.runs;
    QStringList told = m_data.unreadable, details;
    bool failed = !told.isEmpty();
    const auto tell = [&](const RunRecord& run, const QString& sentence) {
        told << (runs.size() == 1 ? sentence
                                  : QStringLiteral("%1: %2").arg(run.config.runId, sentence));
    };
    if (const auto shown = std::min<qsizetype>(m_data.asked, kMaxOverlay); shown < m_data.asked)
        told.prepend(tr("Only the first %1 of %2 selected runs are shown.")
                         .arg(QLocale().toString(shown), QLocale().toString(m_data.asked)));
    for (const RunRecord& run : runs)
        if (!run.failure.message.isEmpty()) {
            failed = failed || run.state == RunState::Failed || run.state == RunState::Unreadable;
            tell(run, shownText(run.failure.message));
            details << run.failure.details;
        }
    for (const RunRecord& run : runs)
        for (const QString& fault : streamFaults(run))
            tell(run, fault);
    for (const RunRecord& run : runs)
        for (const QString& sentence : disturbances(run))
            tell(run, tr("Disturbed: %1 Its times say less than they seem to.").arg(sentence));
    m_bar->clear();
    details.removeAll(QString());
    if (!told.isEmpty())
        m_bar->showMessage(failed ? InlineBar::Level::Error : InlineBar::Level::Warning,
                           told.first(), (told.mid(1) + details).join(u'\n'));
}

} // namespace scalebench
