// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/machines/machines_page.h"

#include "models/check_model.h"
#include "models/machine_checks.h"
#include "pages/machines/check_panel.h"
#include "pages/machines/machine_form.h"
#include "pages/machines/machine_problems.h"
#include "session/session.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "study/mpi_fault.h"
#include "widgets/elided_label.h"
#include "widgets/host_completer.h"
#include "widgets/inline_bar.h"
#include "widgets/machine_delegate.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QAction>
#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QListView>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {

constexpr int kListWidth = 236;
constexpr int kSaveMs = 400;

} // namespace

MachinesPage::MachinesPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_model(new MachineListModel(this)),
      m_checks(session->checks()),
      m_list(new QListView),
      m_add(new QToolButton),
      m_duplicate(new QToolButton),
      m_remove(new QToolButton),
      m_bar(new InlineBar),
      m_title(new ElidedLabel("section")),
      m_saved(makeLabel(QString(), "small")),
      m_revert(new QPushButton(tr("Undo &changes"))),
      m_plan(new QPushButton(tr("Plan a stud&y here"))),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_stack(new QStackedWidget),
      m_form(new MachineForm),
      m_local(makeLabel(tr("Looking at this computer…"))),
      m_panel(new CheckPanel(m_checks, session)),
      m_saveTimer(new QTimer(this)),
      m_watcher(new QFileSystemWatcher(this))
{
    setAcceptDrops(true);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(18, 14, 18, 12);
    outer->setSpacing(10);
    outer->addWidget(m_bar);
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    outer->addLayout(row, 1);
    auto* left = new QWidget;
    left->setFixedWidth(kListWidth);
    setupList(new QVBoxLayout(left));
    row->addWidget(left);
    auto* right = new QVBoxLayout;
    setupEditor(right);
    row->addLayout(right, 1);
    m_saveTimer->setSingleShot(true);
    m_saveTimer->setInterval(kSaveMs);
    connect(m_saveTimer, &QTimer::timeout, this, &MachinesPage::saveNow);
    connect(m_form, &MachineForm::edited, this, &MachinesPage::edited);
    connect(m_form, &MachineForm::hostfileRead, this, &MachinesPage::showState);
    connect(m_form, &MachineForm::layoutChanged, this,
            [this] { QTimer::singleShot(0, this, &MachinesPage::shareHeight); });
    connect(m_checks, &MachineChecks::started, this, [this](const QString& name) {
        keepCheck(name, true);
        shareHeight();
    });
    connect(m_checks, &MachineChecks::checked, this,
            [this](const QString& name) { keepCheck(name, m_checks->isChecking(name)); });
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        if (FileVersion::of(MachineFile::defaultPath()) != m_version)
            reload();
    });
    connect(qApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState s) {
        if (s == Qt::ApplicationActive) // a check on the command line changes no machine
            reload();
    });
    reload();
    session->setTargets(savedMachines());
    connect(this, &MachinesPage::machinesChanged, session,
            [this] { m_session->setTargets(savedMachines()); });
    connect(session, &Session::machineWanted, this, &MachinesPage::select);
    connect(session, &Session::computerChanged, this,
            [this] { setThisComputer(m_session->computer()); });
    if (session->isComputerKnown())
        setThisComputer(session->computer());
}

MachinesPage::~MachinesPage()
{
    // The last words typed are kept too; the program's end waits for that.
    m_writing = false;
    if (m_saveTimer->isActive() || m_writeAgain)
        saveNow();
}

void MachinesPage::setupList(QVBoxLayout* column)
{
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(makeLabel(tr("Machines"), "section"));
    row->addStretch(1);
    const auto tool = [&](QToolButton* button, const QString& icon, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
        button->setProperty("outlined", true);
        button->setIconSize({16, 16});
        setThemeIcon(button, icon);
        row->addWidget(button);
    };
    tool(m_add, QStringLiteral("new"), tr("Add a target machine"));
    tool(m_duplicate, QStringLiteral("copy"), tr("Duplicate this machine"));
    tool(m_remove, QStringLiteral("trash"), tr("Remove this machine"));
    column->addLayout(row);
    auto* menu = new QMenu(m_add);
    for (const auto kind :
         {TargetMachine::Kind::Ssh, TargetMachine::Kind::Login, TargetMachine::Kind::Slurm})
        menu->addAction(machineKindTitle(kind), this, [this, kind] { addMachine(kind); });
    m_add->setMenu(menu);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setProperty("menuOnly", true);
    m_add->setObjectName(QStringLiteral("addMachine"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new MachineDelegate(m_list));
    m_list->setAccessibleName(tr("Target machines"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAcceptDrops(false);
    column->addWidget(m_list, 1);
    auto* note = makeLabel(tr("Drop a hostfile on this page to make a machine of it."), "small");
    note->setWordWrap(true);
    column->addWidget(note);
    auto* removeAction = new QAction(tr("Remove this machine"), m_list);
    removeAction->setShortcut(QKeySequence::Delete);
    removeAction->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(removeAction);
    connect(removeAction, &QAction::triggered, this, &MachinesPage::remove);
    connect(m_duplicate, &QToolButton::clicked, this, &MachinesPage::duplicate);
    connect(m_remove, &QToolButton::clicked, this, &MachinesPage::remove);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex&, const QModelIndex&) { showCurrent(); });
}

void MachinesPage::setupEditor(QVBoxLayout* column)
{
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(9);
    row->addWidget(m_title, 1);
    row->addWidget(m_saved);
    row->addStretch();
    row->addWidget(m_revert);
    row->addWidget(m_plan);
    m_revert->setToolTip(tr("Back to how it was when you chose this machine"));
    m_revert->setAccessibleName(tr("Undo the changes of this machine"));
    column->addLayout(row);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(10);
    auto* top = makeCard();
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(2, 2, 2, 2);
    auto* body = new QWidget;
    auto* bodyLayout = new QVBoxLayout(body);
    bodyLayout->setContentsMargins(14, 10, 14, 10);
    bodyLayout->addWidget(m_form);
    bodyLayout->addStretch(1);
    QScrollArea* const scroll = makeScrolled(body);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_stack->addWidget(setupLocal());
    m_stack->addWidget(scroll);
    topLayout->addWidget(m_stack);
    auto* bottom = makeCard();
    auto* bottomLayout = new QVBoxLayout(bottom);
    bottomLayout->setContentsMargins(14, 10, 14, 10);
    bottomLayout->addWidget(m_panel);
    m_splitter->addWidget(top);
    m_splitter->addWidget(bottom);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    column->addWidget(m_splitter, 1);
    connect(m_revert, &QPushButton::clicked, this, &MachinesPage::revert);
    connect(m_plan, &QPushButton::clicked, this, [this] {
        saveNow();
        m_session->planOn(m_model->entry(current()).savedName);
    });
}

QWidget* MachinesPage::setupLocal()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(14, 12, 14, 12);
    m_local->setWordWrap(true);
    m_local->setTextFormat(Qt::PlainText);
    m_local->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_local);
    column->addStretch(1);
    return page;
}

QList<TargetMachine> MachinesPage::savedMachines() const
{
    return m_file ? m_file->machines() : QList<TargetMachine>();
}

void MachinesPage::select(const QString& name)
{
    const int row = std::max(0, m_model->rowOf(name));
    m_list->setCurrentIndex(m_model->index(row));
    showCurrent();
}

int MachinesPage::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() && index.row() < m_model->rowCount() ? index.row() : -1;
}

void MachinesPage::activate()
{
    reload();
    m_form->setKnownHosts(sshConfigHosts());
    m_list->setFocus(Qt::OtherFocusReason);
}

void MachinesPage::showCurrent()
{
    const int row = current();
    m_duplicate->setEnabled(row >= 0);
    if (row < 0)
        return;
    if (m_saveTimer->isActive()) // what was typed for the machine shown before
        saveNow();
    const MachineListModel::Entry& entry = m_model->entry(row);
    const bool local = entry.machine.kind == TargetMachine::Kind::Local;
    m_loading = true;
    m_before = entry.machine;
    m_remove->setEnabled(!local);
    m_duplicate->setEnabled(!local);
    m_stack->setCurrentIndex(local ? 0 : 1);
    if (!local)
        m_form->load(entry.machine);
    m_loading = false;
    showState();
    QTimer::singleShot(0, this, &MachinesPage::shareHeight); // once the form has its new layout
}

void MachinesPage::shareHeight()
{
    // The editor gets what its fields need, the check the rest; where that is too little for a
    // table, the editor scrolls.
    const QWidget* body = m_stack->currentIndex() == 0 ? m_local->parentWidget() : m_form;
    const QLayout* inside = body->layout(); // those that a narrow window wraps count too
    const int needed =
        (inside && inside->hasHeightForWidth() ? inside->totalHeightForWidth(m_splitter->width())
                                               : body->sizeHint().height()) +
        40;
    const int height = m_splitter->height();
    // An empty table needs little.
    const int top = std::min(needed, m_panel->model()->hosts() > 0 ? height / 2 : height * 2 / 3);
    m_splitter->setSizes({top, height - top});
}

void MachinesPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    shareHeight();
}

QStringList MachinesPage::otherNames(int row) const
{
    QStringList names{localMachineName()};
    for (int i = 0; i < m_model->rowCount(); ++i) {
        if (i != row && m_model->entry(i).machine.kind != TargetMachine::Kind::Local)
            names << m_model->entry(i).machine.name;
    }
    return names;
}

void MachinesPage::edited()
{
    const int row = current();
    if (m_loading || row < 0)
        return;
    MachineListModel::Entry entry = m_model->entry(row);
    m_form->store(entry.machine);
    entry.draft = !canBeSaved(machineProblems(entry.machine, otherNames(row)));
    m_model->setEntry(row, entry);
    m_saveTimer->start();
    showState();
}

void MachinesPage::setThisComputer(const MachineInfo& machine)
{
    m_computer = machine;
    fillLocal();
}

void MachinesPage::fillLocal()
{
    const QLocale locale;
    const MachineInfo& m = m_computer;
    QStringList lines;
    lines << tr("%1, %n core(s), %2 of memory (%3 free)", nullptr, m.cores)
                 .arg(m.cpuModel.isEmpty() ? tr("CPU") : m.cpuModel,
                      locale.formattedDataSize(m.memoryBytes, 1, QLocale::DataSizeIecFormat),
                      locale.formattedDataSize(m.memoryAvailableBytes, 1,
                                               QLocale::DataSizeIecFormat));
    if (!m.os.isEmpty())
        lines << m.os;
    const std::optional<MpiFault> fault = mpiFault(m);
    lines << (fault ? fault->failure().message
                    : tr("Open MPI %1 (%2)").arg(m.mpirunVersion, m.mpirunPath).simplified());
    lines << (m.enginePath.isEmpty() ? tr("Training engine: not found. packaging/quickstart "
                                          "builds it.")
                                     : tr("Training engine: %1").arg(m.enginePath));
    if (!m.gpus.isEmpty())
        lines << tr("GPUs: %1").arg(m.gpus.join(QStringLiteral(", ")));
    else if (!m.cudaReason.isEmpty())
        lines << tr("No GPU is used: %1").arg(shownText(m.cudaReason));
    m_local->setText(lines.join(QLatin1Char('\n')));
    QTimer::singleShot(0, this, &MachinesPage::shareHeight);
}

} // namespace scalebench
