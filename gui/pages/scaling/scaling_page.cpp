// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling/scaling_page.h"

#include "analysis/effects.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "figures/bench_charts.h"
#include "figures/run_charts.h"
#include "import/published_studies.h"
#include "models/speedup_model.h"
#include "models/sweep_model.h"
#include "pages/study_choice.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/choice_box.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace scalebench {

ScalingPage::ScalingPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_choice(new StudyChoice),
      m_reference(new ChoiceBox),
      m_quantity(new ChoiceBox),
      m_baseline(new ChoiceBox),
      m_bar(new InlineBar),
      m_stack(new QStackedWidget),
      m_sentence(makeLabel(QString())),
      m_speedup(new ChartPanel(tr("Speedup"))),
      m_efficiency(new ChartPanel(tr("Efficiency"))),
      m_time(new ChartPanel(tr("Time to train"))),
      m_parts(new ChartPanel(tr("Where the speedup comes from"))),
      m_shapes(new ChartPanel(tr("Scale-out against scale-up"))),
      m_losses(new ChartPanel(tr("What is lost of the ideal"))),
      m_machines(new ChartPanel(tr("Other machines"))),
      m_storage(new ChartPanel(tr("Storage demand"))),
      m_cost(new ChartPanel(tr("Cost against time"))),
      m_model(new SpeedupModel(this)),
      m_table(new DataTable(QString(), tr("Scaling table"), false)),
      m_sweep(new SweepModel(this)),
      m_matrix(new DataTable(QString(), tr("Efficiency of each series on each number of workers"),
                             false)),
      m_findings(makeLabel(QString()))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    setupEmpty();
    QVBoxLayout* const column = addScrolledColumn(m_stack);
    setupHead(column);
    setupCharts(column);
    connectSession();
}

void ScalingPage::connectSession()
{
    followStudies(this, m_session);
}

void ScalingPage::takeOver(Page& before)
{
    const auto& other = static_cast<const ScalingPage&>(before);
    m_rates = other.m_rates;
    m_pinned = other.m_pinned;
    m_quantity->setCurrentIndex(other.m_quantity->currentIndex());
    m_reference->setCurrentIndex(other.m_reference->currentIndex());
    const QString figure = imports::publishedFigureOf(other.m_study);
    if (!figure.isEmpty()) // whose names are in the new language
        showPublished(figure);
    else if (!other.m_study.runs.isEmpty())
        showLoaded(other.m_study);
    if (m_session->library()->isRead())
        setStudies(m_session->library()->studies());
    const int baseline = std::max(0, m_baseline->findData(other.m_baseline->currentData()));
    if (!m_study.runs.isEmpty() && baseline != m_baseline->currentIndex()) {
        m_baseline->setCurrentIndex(baseline);
        rebuild();
    }
    m_pinned = other.m_pinned;
}

void ScalingPage::activate()
{
    m_session->library()->refresh();
}

/// Published results have no folder.
ShownStudy ScalingPage::shownStudy() const
{
    return {m_study.dir, m_study.runs.isEmpty() ? std::nullopt : std::optional(m_study)};
}

void ScalingPage::setupEmpty()
{
    auto* plan = new QPushButton(tr("&Plan a study"));
    auto* example = new QPushButton(tr("See &published results"));
    addEmptyState(m_stack, tr("No study to compare yet"),
                  {tr("Scaling needs runs with at least two worker counts.")},
                  {plan, example, makeTools()}); // most tools need no study
    connect(plan, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kPlan); });
    connect(example, &QPushButton::clicked, m_session, &Session::showPublished);
}

void ScalingPage::setupHead(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("St&udy"));
    label->setBuddy(m_choice);
    auto* save = new QPushButton(tr("Export &all…"));
    row->addWidget(label);
    row->addWidget(m_choice, 1);
    auto* beside = new QLabel(tr("&Beside it"));
    beside->setBuddy(m_reference);
    m_reference->setAccessibleName(tr("Published results beside it"));
    m_reference->setObjectName(QStringLiteral("referenceChoice"));
    m_reference->addItem(tr("no reference"));
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        m_reference->addItem(tr("Published: %1").arg(figure.title), figure.id);
    m_reference->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_reference->setMinimumWidth(22 * m_reference->fontMetrics().averageCharWidth());
    // A long name is cut.
    connect(m_reference, &QComboBox::currentTextChanged, m_reference, &QComboBox::setToolTip);
    row->addStretch(1);
    row->addWidget(makeTools());
    row->addWidget(save);
    column->addLayout(row);
    // In a row of their own, where there is room for their words at any width.
    auto* choices = new QHBoxLayout;
    auto* speedup = new QLabel(tr("Spee&dup"));
    speedup->setBuddy(m_quantity);
    choices->addWidget(speedup);
    choices->addWidget(m_quantity);
    choices->addWidget(m_baseline);
    choices->addSpacing(12);
    choices->addWidget(beside);
    choices->addWidget(m_reference, 1);
    choices->addStretch(1);
    column->addLayout(choices);
    column->addWidget(m_bar);
    m_sentence->setObjectName(QStringLiteral("speedupSentences"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_sentence);
    connect(m_choice, &StudyChoice::studyChosen, this, &ScalingPage::showStudy);
    connect(m_choice, &StudyChoice::publishedChosen, this, &ScalingPage::showPublished);
    connect(m_reference, &QComboBox::activated, this, &ScalingPage::rebuild);
    connect(save, &QPushButton::clicked, m_session, &Session::exportWanted);
}

void ScalingPage::setupCharts(QVBoxLayout* column)
{
    m_grid = new QGridLayout;
    m_grid->setSpacing(9);
    m_quantity->addItem(tr("of the time to train"), int(SpeedupOf::TimeToTrain));
    m_quantity->addItem(tr("of an epoch"), int(SpeedupOf::EpochTime));
    m_quantity->addItem(tr("of samples/s"), int(SpeedupOf::Throughput));
    m_quantity->setObjectName(QStringLiteral("speedupOf"));
    m_quantity->setAccessibleName(tr("What the speedup is of"));
    m_baseline->setObjectName(QStringLiteral("baseline"));
    m_baseline->setAccessibleName(tr("What the speedup is told against"));
    connect(m_baseline, &QComboBox::activated, this, &ScalingPage::rebuild);
    connect(m_quantity, &QComboBox::activated, this, &ScalingPage::rebuild);
    m_grid->addWidget(m_speedup, 0, 0);
    m_grid->addWidget(m_efficiency, 0, 1);
    m_grid->addWidget(m_time, 1, 0);
    m_grid->addWidget(m_parts, 1, 1);
    m_grid->addWidget(m_losses, 2, 0);
    m_grid->addWidget(m_machines, 2, 1);
    m_grid->addWidget(m_storage, 3, 0);
    m_grid->addWidget(m_shapes, 3, 1);
    m_grid->addWidget(m_cost, 4, 0);
    auto* measured = new QPushButton(tr("&Measured…"));
    measured->setObjectName(QStringLiteral("measuredStorage"));
    measured->setToolTip(tr("Lay what `scalebench bench storage --json FILE` measured beside it"));
    m_storage->addHeadWidget(measured);
    connect(measured, &QPushButton::clicked, this, &ScalingPage::chooseStorage);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid, 1);
    setupMatrix();
    setupLosses();
    column->addWidget(m_matrix);
    m_table->setModel(m_model);
    column->addWidget(m_table);
    m_findings->setObjectName(QStringLiteral("findings"));
    m_findings->setAccessibleName(tr("Findings"));
    m_findings->setWordWrap(true);
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_findings);
}

void ScalingPage::setStudies(const QList<StudySummary>& studies)
{
    m_choice->setStudies(studies);
    if (m_study.runs.isEmpty() && !studies.isEmpty() && !m_pinned)
        showStudy(m_choice->studies().first().dir);
}

void ScalingPage::showStudy(const QString& studyDir)
{
    m_pinned = true;
    const int request = ++m_request;
    inBackground(
        this, [studyDir] { return loadStudy(studyDir); },
        [this, request](const Result<Study>& study) {
            if (request != m_request)
                return;
            if (study)
                showLoaded(study.value());
            else
                m_bar->showFailure(study.failure());
        });
}

void ScalingPage::showLoaded(const Study& study, const QString& notice)
{
    ++m_request;
    m_pinned = true;
    m_study = withoutUnreadable(study);
    for (const ChartPanel* panel : panels())
        panel->chartWidget()->setSubject(StudyChoice::keyOf(study));
    m_bar->clear();
    if (!notice.isEmpty()) {
        m_bar->showMessage(InlineBar::Level::Info, notice);
    } else if (const QString note = speedupNote(study); !note.isEmpty()) {
        m_bar->showMessage(InlineBar::Level::Warning, note);
        if (!study.dir.isEmpty() && !study.runs.isEmpty() && study.runs.first().origin.isEmpty())
            m_bar->setAction(tr("Plan again…"),
                             [this, dir = study.dir] { m_session->planLike(dir); });
    }
    m_choice->showStudy(study);
    rebuild();
    Q_EMIT shownStudyChanged();
}

void ScalingPage::showPublished(const QString& figure)
{
    showLoaded(imports::publishedStudy(figure),
               figure == QLatin1String("dgx1")
                   ? tr("%1 Note how the gains above 8\u00d7 come from fewer epochs, not from "
                        "hardware.")
                         .arg(imports::publishedNotice())
                   : imports::publishedNotice());
}

void ScalingPage::setReference(const QString& figure)
{
    m_reference->setCurrentIndex(std::max(0, m_reference->findData(figure)));
    if (!m_study.runs.isEmpty())
        rebuild();
}

QList<ChartPanel*> ScalingPage::panels() const
{
    return {m_speedup, m_efficiency, m_time,    m_parts, m_shapes,
            m_losses,  m_machines,   m_storage, m_cost};
}

ChartPanel* ScalingPage::currentChart()
{
    for (ChartPanel* panel : panels())
        if (panel->isAncestorOf(focusWidget()))
            return panel;
    return showsGaps() ? m_shapes : m_speedup;
}

} // namespace scalebench
