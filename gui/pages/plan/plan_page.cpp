// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_page.h"

#include "launcher/workload_catalog.h"
#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_form.h"
#include "settings/theme_manager.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"
#include "widgets/shape_matrix.h"
#include "widgets/widgets.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kRefreshMs = 120;
constexpr int kLeftWidth = 342;
constexpr int kMinPreviewLines = 2;
constexpr int kMaxPreviewLines = 6;

QScrollArea* scrolling(QWidget* body)
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body->setObjectName(QStringLiteral("scrollBody"));
    scroll->setWidget(body);
    return scroll;
}
} // namespace

PlanPage::PlanPage(QWidget* parent)
    : Page(parent),
      m_form(new PlanForm),
      m_target(new QComboBox),
      m_matrix(new WorkerMatrix),
      m_shapes(new ShapeMatrix),
      m_bar(new InlineBar),
      m_engineBar(new InlineBar),
      m_summary(makeLabel(QString(), "section")),
      m_problemList(makeLabel(QString(), "error")),
      m_preview(new QPlainTextEdit),
      m_start(new QPushButton(tr("&Start"))),
      m_refreshTimer(new QTimer(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 14, 18, 12);
    column->setSpacing(10);
    column->addWidget(m_engineBar);
    column->addWidget(m_bar);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(14);
    column->addLayout(middle, 1);
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    setupLeft(leftColumn);
    auto* leftScroll = scrolling(left);
    leftScroll->setFixedWidth(kLeftWidth);
    middle->addWidget(leftScroll);
    auto* right = makeCard();
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(2, 2, 2, 2);
    auto* rightBody = new QWidget;
    auto* rightColumn = new QVBoxLayout(rightBody);
    rightColumn->setContentsMargins(16, 12, 16, 12);
    setupRight(rightColumn);
    rightLayout->addWidget(scrolling(rightBody));
    middle->addWidget(right, 1);
    setupBottom(column);
    m_refreshTimer->setSingleShot(true);
    m_refreshTimer->setInterval(kRefreshMs);
    connect(m_refreshTimer, &QTimer::timeout, this, &PlanPage::refresh);
    connect(m_form, &PlanForm::edited, this, &PlanPage::formEdited);
    connect(m_matrix, &WorkerMatrix::changed, this, [this] {
        StudySpec spec = m_spec;
        spec.workers = m_matrix->workers();
        spec.shapes.clear(); // of a file, for this computer; the counts stand for them
        apply(spec);
    });
    connect(m_shapes, &ShapeMatrix::changed, this, [this] {
        StudySpec spec = m_spec;
        spec.shapes = m_shapes->shapes();
        apply(spec);
    });
    connect(m_target, &QComboBox::currentIndexChanged, this, &PlanPage::targetChosen);
    connect(m_start, &QPushButton::clicked, this, &PlanPage::start);
    newPlan();
}

/// Where recipes of the user's own are, and what is wrong in them.
static QLabel* recipeNote()
{
    QStringList problems;
    for (const Failure& problem : WorkloadCatalog::instance().problems())
        problems << PlanPage::tr("Recipe left out: %1").arg(problem.message);
    const bool fine = problems.isEmpty();
    QString text = fine ? PlanPage::tr("Recipes of your own are read from %1.")
                              .arg(WorkloadCatalog::userFolder())
                        : problems.join(QLatin1Char('\n'));
    // A path is one long word; it may be broken behind each folder.
    auto* note = makeLabel(text.replace(QLatin1Char('/'), QStringLiteral("/\u200b")),
                           fine ? "small" : "warning");
    note->setObjectName(QStringLiteral("recipeNote"));
    note->setWordWrap(true);
    return note;
}

void PlanPage::setupLeft(QVBoxLayout* column)
{
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(8);
    column->addWidget(makeLabel(tr("1  Workload"), "section"));
    for (const Workload& workload : WorkloadCatalog::instance().workloads()) {
        auto* card = new WorkloadCard(workload);
        m_cards << card;
        column->addWidget(card);
        connect(card, &WorkloadCard::chosen, this, &PlanPage::cardChosen);
        connect(card, &WorkloadCard::ticked, this, &PlanPage::cardTicked);
    }
    column->addWidget(recipeNote());
    column->addStretch(1);
}

void PlanPage::setupRight(QVBoxLayout* column)
{
    column->setSpacing(9);
    column->addWidget(makeLabel(tr("2  Where, and with how many workers"), "section"));
    setupTarget(column);
    auto* workers = new FormField(QString(), m_matrix);
    m_matrix->setAccessibleName(tr("Worker counts"));
    m_fields.insert(QStringLiteral("workers"), workers);
    column->addWidget(workers);
    auto* shapes = new FormField(QString(), m_shapes);
    m_shapes->setAccessibleName(tr("Shapes: nodes × workers per node"));
    m_fields.insert(QStringLiteral("shapes"), shapes);
    shapes->hide();
    column->addWidget(shapes);
    column->addSpacing(4);
    column->addWidget(makeLabel(tr("3  Settings"), "section"));
    column->addWidget(m_form);
    column->addStretch(1);
    m_fields.insert(m_form->fields());
}

void PlanPage::setupBottom(QVBoxLayout* column)
{
    auto* card = makeCard();
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(6);
    auto* row = new QHBoxLayout;
    layout->addLayout(row);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    m_summary->setWordWrap(true);
    m_problemList->setWordWrap(true);
    texts->addWidget(m_summary);
    texts->addWidget(m_problemList);
    row->addLayout(texts, 1);
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    m_start->setObjectName(QStringLiteral("startButton"));
    m_start->setAccessibleName(tr("Start the study"));
    m_start->setToolTip(tr("Start the study (Ctrl+R)"));
    m_start->setMinimumWidth(130);
    setThemeIcon(m_start, QStringLiteral("start"), true);
    row->addWidget(m_start, 0, Qt::AlignVCenter);
    m_preview->setObjectName(QStringLiteral("commandPreview"));
    m_preview->setReadOnly(true);
    m_preview->setProperty("mono", true);
    m_preview->setProperty("well", true);
    m_preview->setAccessibleName(tr("Commands that will run"));
    m_preview->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_preview->setTabChangesFocus(true);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        m_preview->clear();
        m_refreshTimer->start();
    });
    auto* copy = new QToolButton;
    copy->setProperty("outlined", true);
    copy->setIconSize({16, 16});
    copy->setToolTip(tr("Copy the commands"));
    copy->setAccessibleName(copy->toolTip());
    setThemeIcon(copy, QStringLiteral("copy"));
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_preview->toPlainText()); });
    auto* commands = new QHBoxLayout;
    commands->setSpacing(8);
    commands->addWidget(m_preview, 1);
    commands->addWidget(copy, 0, Qt::AlignTop);
    layout->addLayout(commands);
    fitPreview();
    column->addWidget(card);
}

void PlanPage::setMachine(const MachineInfo& machine)
{
    m_machine = machine;
    showMissingPrograms();
    refresh();
}

void PlanPage::showMissingPrograms()
{
    const MachineInfo& machine = m_machine;
    m_engineBar->clear();
    if (m_remote || !m_targetProblem.isEmpty() || machine.cores == 0)
        return; // the check of the target machine tells
    if (machine.enginePath.isEmpty()) {
        m_engineBar->showMessage(
            InlineBar::Level::Error,
            tr("The training engine (scalebench-engine) was not found beside this "
               "program or in PATH. Build it with packaging/quickstart, or set "
               "SCALEBENCH_ENGINE to its path and start again. Results can be "
               "opened without it."));
    } else if (machine.mpirunPath.isEmpty()) {
        m_engineBar->showMessage(InlineBar::Level::Error,
                                 tr("Open MPI's mpirun was not found in PATH. Install the package "
                                    "openmpi-bin and start again."));
    }
}

void PlanPage::setHistory(const QList<RunSummary>& runs)
{
    m_history = runs;
    m_refreshTimer->start();
}

void PlanPage::setSpec(const StudySpec& spec)
{
    m_spec = spec;
    m_entry = 0;
    showSpec();
}

void PlanPage::showSpec()
{
    m_loading = true;
    m_entry = std::clamp(m_entry, 0, entryCount(m_spec) - 1);
    m_form->load(entrySpec(m_spec, m_entry));
    QList<int> counts = m_spec.workers;
    if (!m_spec.shapes.isEmpty()) {
        counts.clear();
        for (const Shape& shape : std::as_const(m_spec.shapes))
            counts << shape.workers();
    }
    m_matrix->setWorkers(counts);
    m_shapes->setShapes(m_spec.shapes);
    readTarget();
    showTarget();
    showMissingPrograms();
    m_loading = false;
    refresh();
}

QString PlanPage::defaultName() const
{
    QStringList titles, scales, counts;
    for (const StudySpec& one : m_spec.split()) {
        const Workload* workload = WorkloadCatalog::instance().find(one.workload);
        const QString title = workload ? workload->title : one.workload;
        if (!titles.contains(title))
            titles << title;
        if (!scales.contains(one.scale))
            scales << one.scale;
    }
    const QString what = QStringLiteral("%1, %2").arg(
        titles.size() > 2 ? tr("%n workload(s)", nullptr, static_cast<int>(titles.size()))
                          : titles.join(tr(" and ")),
        scales.join(QLatin1Char('/')));
    if (m_remote) {
        const QList<Shape> shapes = m_shapes->shapes();
        for (const Shape& shape : shapes)
            counts << shape.text();
        return tr("%1, %2 on %3").arg(what, counts.join(QStringLiteral(", ")), m_spec.machine);
    }
    const QList<int> workers = m_matrix->workers();
    for (const int count : workers)
        counts << QString::number(count);
    const QString last = counts.isEmpty() ? QString() : counts.takeLast();
    return QStringLiteral("%1, %2").arg(
        what, counts.isEmpty()
                  ? tr("%n worker(s)", nullptr, last.toInt())
                  : tr("%1 and %2 workers").arg(counts.join(QStringLiteral(", ")), last));
}

void PlanPage::newPlan()
{
    m_file.clear();
    m_modified = false;
    setSpec(StudySpec());
    m_bar->clear();
    Q_EMIT titleChanged();
}

void PlanPage::formEdited()
{
    if (m_loading)
        return;
    const StudySpec before = entrySpec(m_spec, m_entry);
    StudySpec after = before;
    m_form->store(after);
    apply(withEntryEdit(m_spec, m_entry, before, after));
}

void PlanPage::apply(const StudySpec& spec)
{
    if (m_loading)
        return;
    m_spec = spec;
    m_modified = true;
    Q_EMIT titleChanged();
    m_refreshTimer->start();
}

void PlanPage::cardChosen(const QString& workload, const QString& scale)
{
    const int known = entryOf(m_spec, workload, scale);
    const int same = entryOf(m_spec, workload);
    if (m_spec.workloads.isEmpty() || (known < 0 && same >= 0)) {
        // The only workload becomes another one, or its scale another.
        const int entry = std::max(0, same);
        const StudySpec before = entrySpec(m_spec, entry);
        StudySpec after = before;
        after.workload = workload;
        after.scale = scale;
        if (before.workload == workload && before.scale == scale)
            return;
        m_entry = entry;
        apply(withEntryEdit(m_spec, entry, before, after));
    } else if (known >= 0) {
        m_entry = known; // nothing is planned otherwise, its settings are shown
    } else {
        apply(withWorkload(m_spec, workload, scale));
        m_entry = entryCount(m_spec) - 1;
    }
    showSpec();
}

void PlanPage::cardTicked(const QString& workload, const QString& scale, bool on)
{
    const int entry = entryOf(m_spec, workload);
    if (on && entry < 0) {
        apply(withWorkload(m_spec, workload, scale));
        m_entry = entryCount(m_spec) - 1;
    } else if (!on && entry >= 0) {
        StudySpec less = m_spec;
        for (int found = entry; found >= 0 && less.workloads.size() > 1;
             found = entryOf(less, workload))
            less = withoutEntry(less, found);
        if (less != m_spec)
            apply(less);
        m_entry = 0;
    }
    showSpec(); // the last tick stays
}

void PlanPage::updateHints()
{
    const StudySpec view = entrySpec(m_spec, m_entry);
    const Workload* workload = WorkloadCatalog::instance().find(view.workload);
    QList<const Workload*> planned;
    const QStringList ids = m_spec.workloadIds();
    for (const QString& id : ids)
        planned << WorkloadCatalog::instance().find(id);
    m_form->setPreset(view.workload, view.scale);
    m_form->setOffers(planned, view.device);
    m_form->setOwner(m_spec.workloads.size() < 2 ? QString()
                     : workload                  ? workload->title
                                                 : view.workload);
    m_form->setNameHint(defaultName());
    for (WorkloadCard* card : std::as_const(m_cards)) {
        const bool current = card->workloadId() == view.workload;
        const int entry = current ? m_entry : entryOf(m_spec, card->workloadId());
        card->setPlanned(entry >= 0, current,
                         entry >= 0 ? entrySpec(m_spec, entry).scale : QString());
    }
    m_fields[QStringLiteral("shapes")]->setVisible(m_remote.has_value());
    m_fields[QStringLiteral("workers")]->setVisible(!m_remote);
    if (m_remote) {
        m_shapes->setMachine(*m_remote, m_form->oversubscribe());
        m_fields[QStringLiteral("shapes")]->setHint(shapesHint());
        return;
    }
    m_matrix->setLimit(m_machine.cores, m_form->oversubscribe(),
                       tr("This computer has %n core(s). Tick “Allow more workers than cores” "
                          "under More settings to try it anyway.",
                          nullptr, m_machine.cores));
    if (m_machine.cores > 0)
        m_fields[QStringLiteral("workers")]->setHint(
            tr("This computer has %n core(s); a worker is one process with its own share of them.",
               nullptr, m_machine.cores));
}

void PlanPage::refresh()
{
    m_refreshTimer->stop();
    updateHints();
    if (!m_targetProblem.isEmpty()) {
        m_problems = {{Problem::Level::Error, QStringLiteral("machine"),
                       QStringLiteral("machine_unknown"), m_targetProblem}};
        showProblems();
        m_summary->setText(tr("This plan cannot start yet"));
        m_preview->clear();
        return;
    }
    if (!m_remote && m_machine.cores == 0) { // not probed yet: nothing is known to be wrong
        m_start->setEnabled(false);
        m_summary->setText(tr("Looking at this computer…"));
        return;
    }
    const StudySpec& now = m_spec;
    m_problems = m_form->problems() + validate(now, target());
    if (m_remote && now.shapes.isEmpty()) // the launcher would take the worker counts, hidden here
        m_problems.prepend({Problem::Level::Error, QStringLiteral("shapes"),
                            QStringLiteral("shapes_missing"),
                            tr("Choose at least one shape, for example one node with one "
                               "worker.")});
    showProblems();
    showPlan();
}

void PlanPage::showProblems()
{
    QMap<QString, Problem> byField;
    QStringList others;
    int errors = 0;
    for (const Problem& problem : std::as_const(m_problems)) {
        const bool error = problem.level == Problem::Level::Error;
        errors += error ? 1 : 0;
        const QString key = problem.field == QLatin1String("batch_table")
                                ? QStringLiteral("global_batch")
                                : problem.field;
        if (m_fields.contains(key)) {
            if (!byField.contains(key) || (error && byField[key].level != Problem::Level::Error))
                byField.insert(key, problem);
        }
        if (error)
            others << problem.message;
    }
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        const bool has = byField.contains(it.key());
        it.value()->setMessage(has ? byField[it.key()].message : QString(),
                               has && byField[it.key()].level == Problem::Level::Error);
    }
    m_problemList->setText(others.join(QLatin1Char('\n')));
    m_problemList->setVisible(!others.isEmpty());
    m_start->setEnabled(errors == 0);
    m_start->setToolTip(errors       ? others.first()
                        : m_queueing ? tr("Starts once the machine is free (Ctrl+R)")
                                     : tr("Start the study (Ctrl+R)"));
}

void PlanPage::showPlan()
{
    const auto runs = planRuns(spec(), target(), QStringLiteral("preview"), QStringLiteral("data"));
    if (!runs) {
        m_summary->setText(tr("This plan cannot start yet"));
        m_preview->setPlainText(QString());
        m_preview->setPlaceholderText(
            tr("The exact commands appear here once the plan is complete."));
        if (m_problems.isEmpty()) {
            m_problemList->setText(runs.failure().message);
            m_problemList->show();
            m_start->setEnabled(false);
        }
        return;
    }
    m_summary->setText(QStringLiteral("%1 · %2").arg(
        tr("%n run(s)", nullptr, static_cast<int>(runs.value().size())),
        estimateText(runs.value())));
    QStringList lines;
    for (const RunConfig& run : runs.value())
        lines << (m_remote ? remoteLine(run)
                           : localMpirunCommand(run, m_machine, QStringLiteral("runs/") + run.runId)
                                 .displayText());
    showCommands(lines);
}

void PlanPage::showCommands(const QStringList& lines)
{
    const QString text = lines.join(QLatin1Char('\n'));
    if (m_preview->toPlainText() == text)
        return;
    m_preview->setPlainText(text);
    // Where each of the wrapped commands begins, for the eye.
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = m_preview->document()->begin(); block.isValid(); block = block.next()) {
        static const QRegularExpression program(QStringLiteral("\\S*mpirun (--?np|-n) \\d+"));
        const auto match = program.match(block.text());
        if (!match.hasMatch())
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()),
                                QTextCursor::KeepAnchor);
        mark.format.setForeground(ThemeManager::instance().theme().accent);
        marks << mark;
    }
    m_preview->setExtraSelections(marks);
    fitPreview();
}

void PlanPage::fitPreview()
{
    // As high as its wrapped lines, within limits; more of them scroll.
    const int lines = std::clamp(static_cast<int>(m_preview->document()->size().height()),
                                 kMinPreviewLines, kMaxPreviewLines);
    m_preview->setFixedHeight(lines * m_preview->fontMetrics().lineSpacing() + 22);
}

void PlanPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    QTimer::singleShot(0, this, &PlanPage::fitPreview); // once the lines are wrapped anew
}

void PlanPage::setQueueing(bool queueing)
{
    if (queueing == m_queueing)
        return;
    m_queueing = queueing;
    m_start->setText(queueing ? tr("Add to &queue") : tr("&Start"));
    refresh();
}

void PlanPage::activate()
{
    // One key starts what is planned.
    m_start->setFocus(Qt::OtherFocusReason);
}

void PlanPage::start()
{
    refresh();
    if (!m_start->isEnabled())
        return;
    m_bar->clear();
    StudySpec named = spec();
    if (named.name.isEmpty())
        named.name = defaultName();
    Q_EMIT startRequested(named);
}

} // namespace scalebench
