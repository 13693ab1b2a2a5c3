// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare/compare_page.h"

#include "analysis/run_groups.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "models/compared_model.h"
#include "models/run_properties.h"
#include "pages/compare/group_chips.h"
#include "run/study.h"
#include "run/study_files.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/choice_box.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QCheckBox>
#include <QDir>
#include <QHeaderView>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kCompareChartHeight = 270;
constexpr int kTableHeight = 240;
constexpr int kMaxCompareSentences = 5;

struct Loaded {
    QList<RunGroup> groups;
    QStringList problems;
};

} // namespace

ComparePage::ComparePage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_chips(new GroupChips),
      m_bar(new InlineBar),
      m_stack(new QStackedWidget),
      m_sentences(makeLabel(QString())),
      m_axis(new ChoiceBox),
      m_quantity(new ChoiceBox),
      m_quality(new ChartPanel(tr("Quality"))),
      m_ratio(new ChartPanel(tr("Against the baseline"))),
      m_onlyDiffering(new QCheckBox(tr("Only what &differs"))),
      m_model(new ComparedModel(this)),
      m_table(new DataTable(QString(), tr("What the groups took, were set to and ran on"), true))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_chips);
    column->addWidget(m_bar);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(makeEmpty());
    m_stack->addWidget(makeBody());
    connect(m_chips, &GroupChips::studyChosen, this, &ComparePage::addStudy);
    connect(m_chips, &GroupChips::baselineChosen, this, [this](int group) {
        m_groups.move(group, 0);
        rebuild();
    });
    connect(m_chips, &GroupChips::closed, this, [this](int group) {
        m_groups.removeAt(group);
        rebuild();
    });
    const StudyLibrary* library = session->library();
    connect(library, &StudyLibrary::changed, this,
            [this, library] { setStudies(library->studies()); });
    connect(session, &Session::comparisonWanted, this, &ComparePage::compareRuns);
    if (library->isRead())
        setStudies(library->studies());
}

void ComparePage::takeOver(Page& before)
{
    const auto& other = static_cast<const ComparePage&>(before);
    {
        const QSignalBlocker axis(m_axis), quantity(m_quantity), differing(m_onlyDiffering);
        m_axis->setCurrentIndex(other.m_axis->currentIndex());
        m_quantity->setCurrentIndex(other.m_quantity->currentIndex());
        m_onlyDiffering->setChecked(other.m_onlyDiffering->isChecked());
    }
    m_groups = other.m_groups;
    rebuild();
}

void ComparePage::activate()
{
    m_session->library()->refresh();
}

QWidget* ComparePage::makeEmpty()
{
    auto* empty = new QWidget;
    auto* column = new QVBoxLayout(empty);
    column->addStretch(2);
    column->addWidget(makeLabel(tr("Two of a kind, or of two kinds"), "title"), 0,
                      Qt::AlignHCenter);
    auto* how = makeLabel(tr("Add two studies above, or select runs on the Results page and "
                             "press Compare: measured or imported, they need not be alike."),
                          "muted");
    how->setWordWrap(true);
    how->setAlignment(Qt::AlignCenter);
    column->addWidget(how);
    auto* results = new QPushButton(tr("&Select runs"));
    results->setProperty("primary", true);
    column->addSpacing(10);
    column->addWidget(results, 0, Qt::AlignHCenter);
    column->addStretch(3);
    connect(results, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kResults); });
    return empty;
}

QWidget* ComparePage::makeBody()
{
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(9);
    m_sentences->setObjectName(QStringLiteral("comparedSentences"));
    m_sentences->setAccessibleName(tr("What the comparison says"));
    m_sentences->setWordWrap(true);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_sentences);
    setupCharts(column);
    setupTable(column);
    return makeScrolled(body);
}

void ComparePage::setupCharts(QVBoxLayout* column)
{
    for (const auto& [axis, title] : runAxisChoices())
        m_axis->addItem(title, runAxisName(axis));
    m_axis->setAccessibleName(tr("What the x axis shows"));
    m_quantity->addItem(tr("time to train"));
    m_quantity->addItem(tr("samples/s"));
    m_quantity->setAccessibleName(tr("What is compared"));
    m_quality->addHeadWidget(m_axis);
    m_ratio->addHeadWidget(m_quantity);
    auto* row = new QHBoxLayout;
    row->setSpacing(9);
    for (ChartPanel* panel : {m_quality, m_ratio}) {
        panel->setMinimumHeight(kCompareChartHeight);
        row->addWidget(panel, 1);
    }
    column->addLayout(row, 1);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &ComparePage::rebuildCharts);
    connect(m_quantity, &QComboBox::currentIndexChanged, this, &ComparePage::rebuildCharts);
}

void ComparePage::setupTable(QVBoxLayout* column)
{
    m_onlyDiffering->setChecked(true);
    m_onlyDiffering->setObjectName(QStringLiteral("onlyDiffering"));
    column->addWidget(m_onlyDiffering);
    m_table->setModel(m_model);
    m_table->setMinimumHeight(kTableHeight);
    column->addWidget(m_table, 1);
    connect(m_onlyDiffering, &QCheckBox::toggled, this, &ComparePage::rebuild);
}

void ComparePage::setStudies(const QList<StudySummary>& studies)
{
    m_names.clear();
    for (const StudySummary& study : studies)
        if (!study.name.isEmpty())
            m_names.insert(QDir::cleanPath(study.dir), study.name);
    m_chips->setStudies(studies);
}

void ComparePage::compareRuns(const QStringList& runDirs)
{
    const int request = ++m_request;
    const QStringList dirs = runDirs.mid(0, kMostRuns);
    const bool cut = dirs.size() < runDirs.size();
    inBackground(
        this,
        [dirs, names = m_names] {
            const LoadedRuns loaded = loadRuns(dirs);
            return Loaded{groupsOf(loaded.runs, names), loaded.problems};
        },
        [this, request, cut](const Loaded& loaded) {
            if (request != m_request) // a later choice has overtaken this one
                return;
            QStringList problems = loaded.problems;
            if (cut)
                problems.prepend(tr("Only the first %1 runs are compared.").arg(kMostRuns));
            show(loaded.groups, problems);
        });
}

void ComparePage::show(const QList<RunGroup>& groups, const QStringList& problems)
{
    m_groups.clear();
    m_bar->clear();
    QStringList all = problems;
    for (const RunGroup& group : groups)
        if (m_groups.size() < kMostGroups)
            add(group);
    if (groups.size() > kMostGroups)
        all.prepend(
            tr("Only the first %1 of %2 groups are compared.").arg(kMostGroups).arg(groups.size()));
    if (!all.isEmpty())
        m_bar->showMessage(InlineBar::Level::Warning, all.first(),
                           all.mid(1).join(QLatin1Char('\n')));
    rebuild();
}

void ComparePage::add(const RunGroup& group)
{
    // The first colour that is free.
    int slot = 0;
    while (std::any_of(m_groups.begin(), m_groups.end(),
                       [slot](const ComparedGroup& shown) { return shown.slot == slot; }))
        ++slot;
    ComparedGroup shown{group, slot};
    // Two studies may have the same name.
    const auto known = [this, &shown] {
        return std::any_of(m_groups.begin(), m_groups.end(), [&shown](const ComparedGroup& other) {
            return other.group.name == shown.group.name;
        });
    };
    for (int number = 2; known(); ++number)
        shown.group.name = QStringLiteral("%1 (%2)").arg(group.name).arg(number);
    m_groups << shown;
}

void ComparePage::addStudy(const QString& studyDir)
{
    const QString dir = QDir::cleanPath(studyDir);
    ++m_request;
    inBackground(
        this,
        [dir] {
            Result<Study> study = loadStudy(dir);
            // With its system, which is read from the disk as well.
            const QJsonObject system = study ? systemOf(study.value().runs) : QJsonObject();
            return std::pair(std::move(study), system);
        },
        [this, dir](const std::pair<Result<Study>, QJsonObject>& read) {
            m_bar->clear();
            const Result<Study>& study = read.first;
            if (!study) {
                m_bar->showFailure(study.failure());
                return;
            }
            QString problem;
            if (study.value().runs.isEmpty())
                problem = tr("That study has no runs.");
            else if (m_groups.size() >= kMostGroups)
                problem =
                    tr("%1 groups are compared already. Take one away first.").arg(kMostGroups);
            for (const ComparedGroup& shown : std::as_const(m_groups))
                if (shown.group.runs.size() == study.value().runs.size() &&
                    studyDirOf(shown.group.runs.first().runDir) == dir)
                    problem = tr("That study is compared already.");
            if (!problem.isEmpty()) {
                m_bar->showMessage(InlineBar::Level::Info, problem);
                return;
            }
            add({m_names.value(dir, study.value().id), study.value().runs, read.second});
            rebuild();
        });
}

/// What tells the groups apart, of each its first run.
PageProperties ComparePage::properties() const
{
    QList<RunRecord> runs;
    QStringList names;
    for (const ComparedGroup& shown : m_groups) {
        if (shown.group.runs.isEmpty())
            continue;
        runs << shown.group.runs.first();
        names << shown.group.name;
    }
    if (runs.isEmpty())
        return {};
    return {names.join(QStringLiteral("  |  ")),
            runs.size() == 1 ? runProperties(runs.first()) : runDifferences(runs)};
}

void ComparePage::rebuild()
{
    Q_EMIT propertiesChanged();
    m_chips->show(m_groups);
    const QList<RunGroup> groups = plainGroups(m_groups);
    m_stack->setCurrentIndex(groups.size() < 2 ? 0 : 1);
    if (groups.size() < 2)
        return;
    m_comparison =
        compareGroups(groups, m_onlyDiffering->isChecked() ? Listed::Differing : Listed::All);
    m_model->setComparison(m_comparison, groups);
    constexpr int kWidestColumn = 380;
    m_table->view()->resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        if (m_table->view()->columnWidth(column) > kWidestColumn)
            m_table->view()->setColumnWidth(column, kWidestColumn);
    showSentences();
    rebuildCharts();
}

void ComparePage::rebuildCharts()
{
    QStringList names;
    for (const ComparedGroup& group : std::as_const(m_groups))
        names << group.group.name;
    for (const ChartPanel* panel : {m_quality, m_ratio})
        panel->chartWidget()->setSubject(names.join(u' '));
    m_quality->setChart([this] {
        return comparedQualityChart(m_groups, runAxisFromName(m_axis->currentData().toString()));
    });
    m_ratio->setChart([this] {
        return ratioChart(m_comparison, m_groups,
                          m_quantity->currentIndex() == 0 ? ComparedQuantity::Time
                                                          : ComparedQuantity::Throughput);
    });
}

void ComparePage::showSentences()
{
    const QList<RunGroup> groups = plainGroups(m_groups);
    QStringList sentences;
    for (const ComparedTime& time : std::as_const(m_comparison.times))
        sentences << comparedText(time, groups);
    if (sentences.isEmpty())
        sentences << tr("The baseline has no series in common with the others on the same number "
                        "of workers and nodes, so there is no ratio.");
    const auto more = static_cast<int>(sentences.size()) - kMaxCompareSentences;
    if (more > 0) {
        sentences = sentences.first(kMaxCompareSentences);
        sentences << tr("And %n more, in the table below.", nullptr, more);
    }
    sentences << m_comparison.unmatched.mid(0, kMaxCompareSentences);
    m_sentences->setText(sentences.join(QLatin1Char('\n')));
}

ChartPanel* ComparePage::currentChart()
{
    if (m_stack->currentIndex() == 0)
        return nullptr;
    return m_ratio->isAncestorOf(focusWidget()) ? m_ratio : m_quality;
}

void ComparePage::focusFilter()
{
    if (m_stack->currentIndex() == 1)
        m_table->focusFilter();
}

} // namespace scalebench
