// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_page.h"

#include "pages/plan/plan_chips.h"
#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_form.h"
#include "pages/plan/plan_problems.h"
#include "pages/plan/plan_runs.h"
#include "pages/plan/plan_undo.h"
#include "study/dimensions.h"
#include "study/mpi_fault.h"
#include "study/workload_catalog.h"
#include "widgets/choice_box.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"
#include "widgets/shape_matrix.h"
#include "widgets/wheel_guard.h"
#include "widgets/widgets.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"
#include "work/latest_job.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace scalebench {

namespace {
constexpr int kRefreshMs = 120;
constexpr int kKeepMs = 700;
constexpr int kLeftWidth = 342;
constexpr int kSettingsMargin = 16;

QScrollArea* scrolling(QWidget* body)
{
    QScrollArea* const scroll = makeScrolled(body);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}
} // namespace

PlanPage::PlanPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_form(new PlanForm),
      m_target(new ChoiceBox),
      m_matrix(new WorkerMatrix),
      m_shapes(new ShapeMatrix),
      m_bar(new InlineBar),
      m_engineBar(new InlineBar),
      m_summary(makeLabel(QString(), "section")),
      m_chips(new PlanChips),
      m_problemList(new PlanProblems),
      m_runs(new PlanRuns),
      m_start(new QPushButton(tr("&Start"))),
      m_refreshTimer(new QTimer(this)),
      m_keepTimer(new QTimer(this)),
      m_check(new LatestJob(this)),
      m_targetCheck(new LatestJob(this)),
      m_undo(new QUndoStack(this))
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
    rightColumn->setContentsMargins(kSettingsMargin, 12, kSettingsMargin, 12);
    setupRight(rightColumn);
    m_settings = makeScrolled(rightBody); // across, too, in a narrow window
    rightLayout->addWidget(m_settings);
    middle->addWidget(right, 1);
    setupBottom(column);
    guardWheel(this);
    m_refreshTimer->setSingleShot(true);
    m_refreshTimer->setInterval(kRefreshMs);
    connect(m_refreshTimer, &QTimer::timeout, this, &PlanPage::refresh);
    m_check->onSlow([this] { m_summary->setText(tr("Checking the plan…")); });
    connect(m_undo, &QUndoStack::cleanChanged, this, &PlanPage::titleChanged);
    m_keepTimer->setSingleShot(true);
    m_keepTimer->setInterval(kKeepMs);
    connect(m_undo, &QUndoStack::indexChanged, m_keepTimer, qOverload<>(&QTimer::start));
    connect(m_undo, &QUndoStack::cleanChanged, m_keepTimer, qOverload<>(&QTimer::start));
    connect(m_keepTimer, &QTimer::timeout, this, &PlanPage::keepUnsaved);
    connect(m_chips, &PlanChips::addRequested, this, [this] { editSetting({}, true); });
    connect(m_chips, &PlanChips::editRequested, this, &PlanPage::editSetting);
    connect(m_chips, &PlanChips::closed, this, &PlanPage::closeSetting);
    connect(m_form, &PlanForm::edited, this, &PlanPage::formEdited);
    connect(m_form, &PlanForm::dataWanted, this, &PlanPage::showData);
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
    // Undo is the plan's, not one field's.
    const auto edits = findChildren<QLineEdit*>();
    for (QLineEdit* edit : edits)
        edit->installEventFilter(this);
    newPlan();
    connectSession();
}

bool PlanPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // so that it becomes the window's shortcut
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

void PlanPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_form->setRoom(m_settings->viewport()->width() - 2 * kSettingsMargin);
}

void PlanPage::undo()
{
    m_undo->undo();
}

void PlanPage::redo()
{
    m_undo->redo();
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
    auto* varies = new FormField(tr("Varies"), m_chips,
                                 tr("each value of a setting added here gets runs of its own"));
    m_fields.insert(QStringLiteral("settings"), varies);
    column->addWidget(varies);
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
    layout->addWidget(m_runs);
    column->addWidget(card);
}

void PlanPage::setMachine(const MachineInfo& machine)
{
    const MachineInfo before = std::exchange(m_machine, machine);
    if (machine.busyProcessors < 0) {
        m_machine.busyProcessors = before.busyProcessors;
        m_machine.processors = before.processors;
    }
    showMissingPrograms();
    refresh();
}

void PlanPage::setOtherWork(const MachineInfo& measured)
{
    const auto disturbs = [](const MachineInfo& machine) {
        return isDisturbing(machine.busyProcessors, machine.processors);
    };
    // Planning again costs time: only for what a person would see.
    const bool changes = disturbs(m_machine) || disturbs(measured);
    m_machine.busyProcessors = measured.busyProcessors;
    m_machine.processors = measured.processors;
    if (changes)
        refresh();
}

void PlanPage::showMissingPrograms()
{
    const MachineInfo& machine = m_machine;
    m_engineBar->clear();
    if (isRemote() || machine.cores == 0)
        return; // the check of the target machine tells
    if (machine.enginePath.isEmpty()) {
        m_engineBar->showMessage(
            InlineBar::Level::Error,
            tr("The training engine (scalebench-engine) was not found beside this "
               "program or in PATH. Build it with packaging/quickstart, or set "
               "SCALEBENCH_ENGINE to its path and start again. Results can be "
               "opened without it."));
    } else if (const std::optional<MpiFault> fault = mpiFault(machine)) {
        m_engineBar->showMessage(InlineBar::Level::Error, fault->failure().message);
    }
}

void PlanPage::setHistory(const QList<RunSummary>& runs)
{
    m_history = runs;
    m_refreshTimer->start();
}

void PlanPage::setSpec(const StudySpec& spec)
{
    if (isModified()) { // one undo brings the edited plan back
        apply(spec, 0);
        m_undo->setClean();
        showSpec();
        return;
    }
    m_spec = spec;
    m_entry = 0;
    m_undo->clear();
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

void PlanPage::newPlan()
{
    m_file.clear();
    setSpec(StudySpec());
    m_bar->clear();
    Q_EMIT titleChanged();
    Q_EMIT propertiesChanged();
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

void PlanPage::apply(const StudySpec& spec, int entry)
{
    if (m_loading)
        return;
    m_startWanted = false;   // what was to be started was another plan
    m_refreshTimer->start(); // what was typed may be no value, which is said then
    if (spec == m_spec) {
        m_entry = entry;
        return;
    }
    const PlanState before{m_spec, m_entry};
    const QString what = editName(spec);
    m_spec = spec;
    m_entry = entry;
    m_undo->push(new PlanEdit(before, {spec, entry}, what,
                              [this](const PlanState& state) { restore(state); }));
    Q_EMIT titleChanged();
    Q_EMIT propertiesChanged();
}

void PlanPage::restore(const PlanState& state)
{
    m_spec = state.spec;
    m_entry = state.entry;
    showSpec();
    Q_EMIT titleChanged();
    Q_EMIT propertiesChanged();
}

bool PlanPage::isModified() const
{
    return !m_undo->isClean();
}

QString PlanPage::editName(const StudySpec& spec) const
{
    const QString key = changedKeys(m_spec, spec).value(0);
    const QString last = key.section(QLatin1Char('.'), -1);
    static const QString settings = QStringLiteral("settings.");
    if (const qsizetype at = key.indexOf(settings); at >= 0)
        return tr("change of “%1”").arg(dimensionTitle(key.mid(at + settings.size())));
    for (const QString& name : {key, last})
        if (const FormField* field = m_fields.value(name); field && !field->label().isEmpty())
            return tr("change of “%1”").arg(field->label());
    return key.contains(QLatin1String("workload")) ? tr("choice of workloads")
           : key.startsWith(QLatin1String("options."))
               ? tr("change of “%1”").arg(dimensionTitle(key))
               : tr("edit of the plan");
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
    measureOtherWork();
}

void PlanPage::start()
{
    m_startWanted = true;
    refresh();
}

void PlanPage::begin()
{
    m_bar->clear();
    StudySpec named = spec();
    if (named.name.isEmpty())
        named.name = defaultName();
    Q_EMIT startRequested(named);
}

} // namespace scalebench
