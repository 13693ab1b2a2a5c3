// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/machines/machine_form.h"

#include "models/machine_list_model.h"
#include "models/variables_model.h"
#include "widgets/choice_box.h"
#include "widgets/form_field.h"
#include "widgets/host_completer.h"
#include "widgets/hostfile_editor.h"
#include "widgets/wheel_guard.h"
#include "widgets/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kVariableRows = 4;
constexpr int kShownHosts = 4;

QGridLayout* innerGrid(QWidget* box)
{
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    return grid;
}
} // namespace

MachineForm::MachineForm(QWidget* parent)
    : QWidget(parent),
      m_name(line()),
      m_kind(new ChoiceBox),
      m_login(line()),
      m_user(line()),
      m_asList(new QToolButton),
      m_asFile(new QToolButton),
      m_hosts(line()),
      m_hostfile(new HostfileEditor),
      m_hostsBox(new QWidget),
      m_slurmBox(new QWidget),
      m_partition(line()),
      m_account(line()),
      m_timeLimit(line()),
      m_gpusPerNode(new QSpinBox),
      m_extraOptions(line()),
      m_dataFolder(line()),
      m_price(new QDoubleSpinBox),
      m_more(new QToolButton),
      m_advanced(new QWidget),
      m_folder(line()),
      m_mpiPrefix(line()),
      m_interface(line()),
      m_jumpHost(line()),
      m_sshConfig(line()),
      m_variables(new VariablesModel(this)),
      m_variablesView(new QTableView)
{
    QGridLayout* grid = innerGrid(this);
    setupBasics(grid);
    setupHosts(grid);
    setupSlurm(grid);
    setupAdvanced(grid);
    connectControls();
    guardWheel(this);
    showKind();
}

QLineEdit* MachineForm::line(const QString& placeholder)
{
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(placeholder);
    edit->setAcceptDrops(false); // a file dropped on the page is a hostfile, not text
    return edit;
}

FormField* MachineForm::add(const QString& name, const QString& label, QWidget* control,
                            const QString& hint)
{
    auto* field = new FormField(label, control, hint);
    m_fields.insert(name, field);
    return field;
}

void MachineForm::setupBasics(QGridLayout* grid)
{
    for (const auto kind :
         {TargetMachine::Kind::Ssh, TargetMachine::Kind::Login, TargetMachine::Kind::Slurm})
        m_kind->addItem(machineKindTitle(kind), static_cast<int>(kind));
    m_user->setPlaceholderText(tr("as the ssh configuration says"));
    grid->addWidget(add(QStringLiteral("name"), tr("&Name"), m_name), 0, 0, Qt::AlignTop);
    grid->addWidget(add(QStringLiteral("kind"), tr("&Kind"), m_kind), 0, 1, Qt::AlignTop);
    auto* row = new QHBoxLayout; // where there is no login node, the user has all of it
    row->setSpacing(16);
    row->addWidget(add(QStringLiteral("login"), tr("&Login node"), m_login), 1, Qt::AlignTop);
    row->addWidget(add(QStringLiteral("user"), tr("&User name there"), m_user), 1, Qt::AlignTop);
    grid->addLayout(row, 1, 0, 1, 2);
}

void MachineForm::setupHosts(QGridLayout* grid)
{
    auto* column = new QVBoxLayout(m_hostsBox);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    for (QToolButton* button : {m_asList, m_asFile}) {
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setProperty("segment", true);
        row->addWidget(button);
    }
    m_asList->setText(tr("List of hosts"));
    m_asFile->setText(tr("Hostfile"));
    m_asList->setChecked(true);
    row->addStretch(1);
    column->addLayout(row);
    m_hosts->setPlaceholderText(tr("node1:8, node2:8 or gpu[01-04]:8"));
    auto* listField = add(QStringLiteral("hosts"), QString(), m_hosts);
    m_hosts->setAccessibleName(tr("Hosts and their slots"));
    column->addWidget(listField);
    column->addWidget(m_hostfile);
    m_hostfile->hide();
    m_hostsBox->setFocusProxy(m_hosts);
    grid->addWidget(m_hostsBox, 2, 0, 1, 2);
}

void MachineForm::setupSlurm(QGridLayout* grid)
{
    QGridLayout* inner = innerGrid(m_slurmBox);
    m_partition->setPlaceholderText(tr("the cluster's default"));
    m_account->setPlaceholderText(tr("your default"));
    m_timeLimit->setPlaceholderText(tr("the partition's; e.g. 1:00:00"));
    m_gpusPerNode->setRange(0, 64);
    m_gpusPerNode->setSpecialValueText(tr("none"));
    m_extraOptions->setPlaceholderText(tr("e.g. --exclusive --constraint=a100"));
    inner->addWidget(add(QStringLiteral("slurm.partition"), tr("&Partition"), m_partition), 0, 0,
                     Qt::AlignTop);
    inner->addWidget(add(QStringLiteral("slurm.account"), tr("A&ccount"), m_account), 0, 1,
                     Qt::AlignTop);
    inner->addWidget(
        add(QStringLiteral("slurm.time_limit"), tr("&Time limit of a run"), m_timeLimit), 1, 0,
        Qt::AlignTop);
    inner->addWidget(
        add(QStringLiteral("slurm.gpus_per_node"), tr("&GPUs per node"), m_gpusPerNode), 1, 1,
        Qt::AlignTop);
    inner->addWidget(add(QStringLiteral("slurm.extra_options"), tr("Further options for &sbatch"),
                         m_extraOptions),
                     2, 0, 1, 2);
    grid->addWidget(m_slurmBox, 3, 0, 1, 2);
}

void MachineForm::setupAdvanced(QGridLayout* grid)
{
    m_dataFolder->setPlaceholderText(tr("the study's own path"));
    m_price->setRange(0, 1e6);
    m_price->setDecimals(2);
    m_price->setSpecialValueText(tr("not given"));
    grid->addWidget(add(QStringLiteral("data_folder"), tr("&Data folder there"), m_dataFolder), 4,
                    0, Qt::AlignTop);
    grid->addWidget(add(QStringLiteral("price_per_hour"), tr("Price of a n&ode per hour"), m_price),
                    4, 1, Qt::AlignTop);
    m_more->setText(tr("More settings"));
    m_more->setCheckable(true);
    m_more->setProperty("segment", true);
    grid->addWidget(m_more, 5, 0, Qt::AlignLeft);
    QGridLayout* inner = innerGrid(m_advanced);
    m_mpiPrefix->setPlaceholderText(tr("the Open MPI that comes with the engine"));
    m_interface->setPlaceholderText(tr("found; e.g. ib0 or 10.0.0.0/24"));
    m_jumpHost->setPlaceholderText(tr("none"));
    m_sshConfig->setPlaceholderText(tr("~/.ssh/config"));
    inner->addWidget(add(QStringLiteral("jump_host"), tr("&Jump host"), m_jumpHost), 0, 0,
                     Qt::AlignTop);
    inner->addWidget(add(QStringLiteral("ssh_config"), tr("ssh confi&guration"), m_sshConfig), 0,
                     1);
    inner->addWidget(add(QStringLiteral("folder"), tr("Scale&bench's folder there"), m_folder), 1,
                     0);
    inner->addWidget(add(QStringLiteral("mpi_prefix"), tr("Open &MPI there"), m_mpiPrefix), 1, 1,
                     Qt::AlignTop);
    inner->addWidget(
        add(QStringLiteral("interface"), tr("Network &interface or subnet"), m_interface), 2, 0,
        Qt::AlignTop);
    setupVariables(inner);
    m_advanced->hide();
    grid->addWidget(m_advanced, 6, 0, 1, 2);
    connect(m_more, &QToolButton::toggled, this, [this](bool on) {
        m_advanced->setVisible(on);
        Q_EMIT layoutChanged();
    });
}

void MachineForm::setupVariables(QGridLayout* grid)
{
    m_variablesView->setModel(m_variables);
    m_variablesView->setShowGrid(false);
    m_variablesView->setAlternatingRowColors(true);
    m_variablesView->verticalHeader()->hide();
    m_variablesView->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 11);
    m_variablesView->horizontalHeader()->setStretchLastSection(true);
    m_variablesView->horizontalHeader()->setHighlightSections(false);
    m_variablesView->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_variablesView->horizontalHeader()->resizeSection(0, 220);
    m_variablesView->setTabKeyNavigation(false);
    m_variablesView->setEditTriggers(QAbstractItemView::AllEditTriggers);
    m_variablesView->setFixedHeight(m_variablesView->horizontalHeader()->sizeHint().height() +
                                    kVariableRows * (fontMetrics().height() + 11) + 4);
    auto* removeAction = new QAction(tr("Remove this variable"), m_variablesView);
    removeAction->setShortcut(QKeySequence::Delete);
    removeAction->setShortcutContext(Qt::WidgetShortcut);
    connect(removeAction, &QAction::triggered, this,
            [this] { m_variables->removeRow(m_variablesView->currentIndex().row()); });
    m_variablesView->addAction(removeAction);
    m_variablesView->setContextMenuPolicy(Qt::ActionsContextMenu);
    grid->addWidget(add(QStringLiteral("environment"),
                        tr("Environment of the &workers (NCCL_…, UCX_… and others)"),
                        m_variablesView),
                    3, 0, 1, 2);
}

void MachineForm::connectControls()
{
    // Before edited(): what is wrong is said over what there is.
    connect(m_hosts, &QLineEdit::textChanged, this, &MachineForm::describeHosts);
    for (const auto signal : {&HostfileEditor::edited, &HostfileEditor::wasRead})
        connect(m_hostfile, signal, this, &MachineForm::describeHosts);
    for (QLineEdit* edit :
         {m_name, m_login, m_user, m_hosts, m_partition, m_account, m_timeLimit, m_extraOptions,
          m_dataFolder, m_folder, m_mpiPrefix, m_interface, m_jumpHost, m_sshConfig})
        connect(edit, &QLineEdit::textChanged, this, &MachineForm::edited);
    connect(m_gpusPerNode, &QSpinBox::valueChanged, this, &MachineForm::edited);
    connect(m_price, &QDoubleSpinBox::valueChanged, this, &MachineForm::edited);
    connect(m_variables, &VariablesModel::edited, this, &MachineForm::edited);
    connect(m_hostfile, &HostfileEditor::edited, this, &MachineForm::edited);
    connect(m_hostfile, &HostfileEditor::wasRead, this, [this] {
        Q_EMIT hostfileRead();
        Q_EMIT layoutChanged();
    });
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        Q_EMIT edited();
        Q_EMIT layoutChanged();
    });
    connect(m_asFile, &QToolButton::toggled, this, [this](bool on) {
        m_fields[QStringLiteral("hosts")]->setVisible(!on);
        m_hostfile->setVisible(on);
        describeHosts();
        Q_EMIT edited();
        Q_EMIT layoutChanged();
    });
}

TargetMachine::Kind MachineForm::kind() const
{
    return static_cast<TargetMachine::Kind>(m_kind->currentData().toInt());
}

void MachineForm::showKind()
{
    const bool slurm = kind() == TargetMachine::Kind::Slurm;
    m_fields[QStringLiteral("login")]->setVisible(kind() != TargetMachine::Kind::Ssh);
    m_login->setPlaceholderText(slurm ? tr("none: sbatch is on this computer")
                                      : tr("host or name of the ssh configuration"));
    m_hostsBox->setVisible(!slurm);
    m_slurmBox->setVisible(slurm);
    m_kind->setToolTip(kind() == TargetMachine::Kind::Ssh
                           ? tr("mpirun runs on this computer, which must stay on")
                           : tr("Everything runs there; this computer may be switched off"));
    m_fields[QStringLiteral("kind")]->setHint(m_kind->toolTip());
    describeHosts();
}

void MachineForm::describeHosts()
{
    // What the list comes to, as the launcher reads it.
    const bool file = m_asFile->isChecked();
    QList<HostSlots> hosts;
    if (file) {
        hosts = m_hostfile->hostfile().hosts;
    } else if (!m_hosts->text().trimmed().isEmpty()) {
        const auto parsed = parseHostList(m_hosts->text());
        if (parsed)
            hosts = parsed.value();
    }
    int total = 0, untold = 0;
    QStringList names;
    for (const HostSlots& host : std::as_const(hosts)) {
        total += host.count;
        untold += host.count > 0 ? 0 : 1;
        if (names.size() < kShownHosts)
            names << (host.count > 0 ? QStringLiteral("%1 × %2").arg(host.name).arg(host.count)
                                     : host.name);
    }
    if (hosts.size() > names.size())
        names << QStringLiteral("…");
    QString text;
    if (!hosts.isEmpty()) {
        text = tr("%n host(s)", nullptr, static_cast<int>(hosts.size()));
        if (total > 0)
            text = tr("%1, %n slot(s)", nullptr, total).arg(text);
        if (total > 0 && untold > 0)
            text = tr("%1, not counting %n host(s) without a number", nullptr, untold).arg(text);
        text += QStringLiteral(": ") + names.join(QStringLiteral(", "));
    }
    m_fields[QStringLiteral("hosts")]->setHint(text);
    m_asFile->setToolTip(file ? text : QString());
}

void MachineForm::setKnownHosts(const QStringList& hosts)
{
    HostCompleter::attach(m_hosts, hosts, true);
    HostCompleter::attach(m_login, hosts, false);
    HostCompleter::attach(m_jumpHost, hosts, false);
}

void MachineForm::useHostfile(bool on)
{
    (on ? m_asFile : m_asList)->setChecked(true);
}

void MachineForm::focusName()
{
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

} // namespace scalebench
