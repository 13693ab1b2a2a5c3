// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/machines/check_panel.h"

#include "dialogs/host_key_dialog.h"
#include "models/check_model.h"
#include "models/machine_checks.h"
#include "run/study_files.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/check_delegate.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QProgressBar>
#include <QVBoxLayout>

namespace scalebench {

namespace {

constexpr int kMaxHostWidth = 260;

/// What installing the engine puts right.
bool installHelps(const HostCheck& check)
{
    return check.level == HostCheck::Level::Problem &&
           (check.test == QLatin1String("engine") || check.test == QLatin1String("mpi"));
}

} // namespace

CheckPanel::CheckPanel(MachineChecks* checks, Session* session, QWidget* parent)
    : QWidget(parent),
      m_checks(checks),
      m_session(session),
      m_model(new CheckModel(this)),
      m_check(new QPushButton(tr("Chec&k"))),
      m_install(new QPushButton(tr("&Install engine"))),
      m_chip(makeChip(QString(), QStringLiteral("neutral"))),
      m_text(makeLabel(QString(), "muted")),
      m_progress(new QProgressBar),
      m_table(new DataTable(QString(), tr("Check of the hosts"), false)),
      m_hint(makeLabel(QString(), "muted")),
      m_detail(new InlineBar)
{
    m_askTrust = [this](const HostKey& key) { return askToTrust(this, key); };
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    setupHead();
    m_table->setModel(m_model);
    QTableView* view = m_table->view();
    view->setItemDelegate(new CheckDelegate(m_table));
    view->setSelectionBehavior(QAbstractItemView::SelectItems);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setAlternatingRowColors(false);
    view->setMinimumHeight(view->fontMetrics().height() * 6);
    m_table->setRowHeads();
    view->verticalHeader()->setMaximumWidth(kMaxHostWidth);
    QHeaderView* header = view->horizontalHeader();
    header->setStretchLastSection(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter |
                                static_cast<Qt::AlignmentFlag>(Qt::TextWordWrap));
    column->addWidget(m_table, 1);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    column->addWidget(m_hint, 1);
    column->addWidget(m_detail);
    connectChecks();
    refill();
}

void CheckPanel::setupHead()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(9);
    row->addWidget(makeLabel(tr("Check"), "section"));
    row->addWidget(m_chip);
    m_text->setMinimumWidth(40);
    row->addWidget(m_text, 1);
    m_progress->setMaximumWidth(130);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Hosts that have answered"));
    row->addWidget(m_progress);
    m_install->setObjectName(QStringLiteral("installButton"));
    m_check->setObjectName(QStringLiteral("checkButton"));
    m_check->setAccessibleName(tr("Check the hosts"));
    m_install->setAccessibleName(tr("Install the engine on the hosts"));
    setThemeIcon(m_install, QStringLiteral("install"));
    setThemeIcon(m_check, QStringLiteral("ok"), true);
    m_check->setProperty("primary", true);
    row->addWidget(m_install);
    row->addWidget(m_check);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_check, &QPushButton::clicked, this, &CheckPanel::check);
    connect(m_install, &QPushButton::clicked, this, &CheckPanel::install);
}

void CheckPanel::connectChecks()
{
    const auto mine = [this](auto run) {
        return [this, run](const QString& name) {
            if (name == m_machine.name)
                run();
        };
    };
    connect(m_checks, &MachineChecks::started, this, mine([this] { refill(); }));
    connect(m_checks, &MachineChecks::checked, this, mine([this] {
                refill();
                showCurrent();
            }));
    connect(m_checks, &MachineChecks::hostChecked, this, [this](const QString& name, int index) {
        if (name != m_machine.name)
            return;
        const auto reports = m_checks->reports(name);
        if (reports.size() != m_model->hosts())
            refill();
        else
            m_model->setReport(index, reports[index]);
        refreshHead();
    });
    const auto installs = mine([this] {
        m_model->setInstall(m_checks->installs(m_machine.name),
                            m_checks->installsDone(m_machine.name));
        hideIdleColumns();
        refreshHead();
    });
    connect(m_checks, &MachineChecks::installStarted, this, installs);
    connect(m_checks, &MachineChecks::hostInstalled, this, installs);
    connect(m_checks, &MachineChecks::installed, this, [this, installs](const QString& name) {
        installs(name);
        if (name == m_machine.name)
            showInstall();
    });
    connect(
        m_table->view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& current) { showCell(m_table->proxy()->mapToSource(current)); });
    // The cell that is shown may get its answer only now.
    connect(m_model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) {
                const QModelIndex cell =
                    m_table->proxy()->mapToSource(m_table->view()->currentIndex());
                if (cell.isValid() && cell.row() >= first.row() && cell.row() <= last.row())
                    showCell(cell);
            });
}

void CheckPanel::setMachine(const TargetMachine& machine, const QString& problem)
{
    const bool other = machine.name != m_machine.name;
    m_machine = machine;
    m_problem = problem;
    if (other) {
        m_detail->clear();
        refill();
        showCurrent();
    } else {
        refreshHead();
    }
}

void CheckPanel::check()
{
    m_detail->clear();
    m_checks->check(m_machine);
}

void CheckPanel::install()
{
    m_detail->clear();
    m_checks->install(m_machine);
}

void CheckPanel::refill()
{
    const QString& name = m_machine.name;
    m_model->setReports(m_checks->reports(name), m_checks->reportsDone(name));
    m_model->setInstall(m_checks->installs(name), m_checks->installsDone(name));
    m_table->setVisible(m_model->hosts() > 0);
    m_hint->setVisible(m_model->hosts() == 0);
    hideIdleColumns();
    refreshHead();
}

void CheckPanel::hideIdleColumns()
{
    QTableView* view = m_table->view();
    const QList<int> idle = m_model->idleColumns();
    QFont bold(view->font());
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int titleHeight = metrics.height();
    for (int column = 1; column < m_model->columnCount(); ++column) {
        view->setColumnHidden(column, idle.contains(column));
        if (idle.contains(column))
            continue;
        // As wide as a cell's word or the longest word of the title: titles wrap.
        const QStringList words = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole)
                                      .toString()
                                      .split(QLatin1Char(' '));
        int width = view->sizeHintForIndex(m_table->proxy()->index(0, column)).width();
        for (const QString& word : words)
            width = std::max(width, metrics.horizontalAdvance(word) + 17);
        view->setColumnWidth(column, width);
        titleHeight =
            std::max(titleHeight, metrics
                                      .boundingRect(QRect(0, 0, width - 16, 1000), Qt::TextWordWrap,
                                                    words.join(QLatin1Char(' ')))
                                      .height());
    }
    view->horizontalHeader()->setFixedHeight(titleHeight + 12);
}

void CheckPanel::refreshHead()
{
    const QString& name = m_machine.name;
    const bool checking = m_checks->isChecking(name);
    const bool installing = m_checks->isInstalling(name);
    const QList<bool> done =
        installing ? m_checks->installsDone(name) : m_checks->reportsDone(name);
    const auto ready = static_cast<int>(done.count(true));
    const auto total = static_cast<int>(done.size());
    m_progress->setVisible(checking || installing);
    m_progress->setRange(0, std::max(1, total));
    m_progress->setValue(ready);
    const bool free = !checking && !installing && m_problem.isEmpty();
    m_check->setEnabled(free);
    m_check->setToolTip(m_problem.isEmpty() ? tr("Look at every host at once") : m_problem);
    m_install->setVisible(m_machine.kind != TargetMachine::Kind::Local);
    m_install->setEnabled(free);
    m_install->setToolTip(tr("Copies the training engine into your folder on the hosts; no "
                             "administrator is needed"));
    if (installing) {
        setChip(m_chip, tr("installing"), QStringLiteral("accent"));
        m_text->setText(tr("%1 of %n host(s)", nullptr, total).arg(ready));
    } else if (checking) {
        setChip(m_chip, tr("checking"), QStringLiteral("accent"));
        m_text->setText(tr("%1 of %n host(s)", nullptr, total).arg(ready));
    } else if (const CheckSummary summary = m_checks->summary(name); summary.whenMs > 0) {
        if (summary.problemHosts > 0)
            setChip(m_chip, tr("%n host(s) with problems", nullptr, summary.problemHosts),
                    QStringLiteral("bad"));
        else if (summary.warningHosts > 0)
            setChip(m_chip, tr("ready, with warnings"), QStringLiteral("warn"));
        else
            setChip(m_chip, tr("ready"), QStringLiteral("good"));
        m_text->setText(tr("%n host(s), %1", nullptr, summary.hosts).arg(timeText(summary.whenMs)));
    } else {
        setChip(m_chip, QString(), QStringLiteral("neutral"));
        m_text->clear();
    }
    m_hint->setText(!m_problem.isEmpty()
                        ? tr("This machine cannot be checked yet: %1").arg(m_problem)
                    : m_checks->summary(name).whenMs > 0
                        ? tr("Of an earlier check only the outcome is kept. Check again to see "
                             "each host, and what to do about a problem.")
                        : tr("Check looks at every host at once: name, ssh, Open MPI, engine, "
                             "GPUs, data, disk, network. Each problem comes with what to do "
                             "about it."));
}

void CheckPanel::showInstall()
{
    const int column = m_model->columnCount() - 1;
    int row = 0; // the first that failed, else the first
    while (row < m_model->hosts() && m_model->check(row, column).level != HostCheck::Level::Problem)
        ++row;
    m_table->view()->setCurrentIndex(
        m_table->proxy()->mapFromSource(m_model->index(row < m_model->hosts() ? row : 0, column)));
}

void CheckPanel::showCurrent()
{
    const QModelIndex problem = m_model->firstProblem();
    if (problem.isValid())
        m_table->view()->setCurrentIndex(m_table->proxy()->mapFromSource(problem));
}

void CheckPanel::showCell(const QModelIndex& index)
{
    if (!index.isValid()) {
        m_detail->clear();
        return;
    }
    const HostCheck cell = m_model->check(index.row(), index.column());
    const QString host = m_model->host(index.row());
    const QString test =
        index.column() == 0 && !cell.test.isEmpty()
            ? preflightTestTitle(cell.test)
            : m_model->headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString();
    QString text = QStringLiteral("%1 · %2: %3").arg(host, test, cell.text);
    if (!cell.fix.isEmpty())
        text += QLatin1Char('\n') + cell.fix;
    const auto level = cell.level == HostCheck::Level::Problem   ? InlineBar::Level::Error
                       : cell.level == HostCheck::Level::Warning ? InlineBar::Level::Warning
                                                                 : InlineBar::Level::Info;
    m_detail->showMessage(level, text, cell.details);
    m_detail->setCode(cell.code);
    // A key that changed may be an attack: nothing here makes it easy to go on.
    if (cell.code == QLatin1String("host_key_unknown"))
        m_detail->setAction(tr("Trust key…"), [this, host] { fetchKey(host); });
    else if (cell.code == QLatin1String("leftover_processes"))
        explainWorkers(host);
    else if (installHelps(cell) && m_install->isEnabled() && !m_install->isHidden())
        m_detail->setAction(tr("Install engine"), [this] { install(); });
    else if (m_model->isInstallColumn(index.column()) && cell.level == HostCheck::Level::Ok)
        m_detail->setAction(tr("Check again"), [this] { check(); });
}

/// Workers of a study of one's own that goes on there are no leftovers.
void CheckPanel::explainWorkers(const QString& host)
{
    QList<StudySummary> going = m_session->library()->studies();
    going.removeIf([](const StudySummary& study) { return !study.supervised; });
    if (going.isEmpty())
        return;
    inBackground(
        this,
        [going, machine = m_machine.name]() -> std::optional<StudySummary> {
            for (const StudySummary& study : going) {
                const Result<StudySpec> spec = readStudySpec(study.dir);
                if (spec && (spec.value().machine == machine ||
                             (spec.value().machine.isEmpty() && machine == localMachineName())))
                    return study;
            }
            return std::nullopt;
        },
        [this, host, said = m_detail->text()](const std::optional<StudySummary>& study) {
            if (!study || m_detail->text() != said) // another cell was chosen meanwhile
                return;
            m_detail->showMessage(InlineBar::Level::Info,
                                  tr("Your study “%1” goes on here: the workers on %2 are its own. "
                                     "Another one would wait its turn.")
                                      .arg(study->name.isEmpty() ? study->id : study->name, host));
            m_detail->setAction(tr("Show it"),
                                [this, dir = study->dir] { m_session->watchStudy(dir); });
        });
}

void CheckPanel::fetchKey(const QString& host)
{
    m_detail->showMessage(InlineBar::Level::Info, tr("Asking %1 for its key…").arg(host));
    inBackground(
        this, [machine = m_machine, host] { return fetchHostKey(machine, host); },
        [this, name = m_machine.name](const Result<HostKey>& key) {
            if (name != m_machine.name)
                return;
            if (!key)
                m_detail->showFailure(key.failure());
            else if (m_askTrust(key.value()))
                trust(key.value());
            else
                showCell(m_table->proxy()->mapToSource(m_table->view()->currentIndex()));
        });
}

void CheckPanel::trust(const HostKey& key)
{
    const Result<void> trusted = trustHostKey(key);
    if (!trusted) {
        m_detail->showFailure(trusted.failure());
        return;
    }
    m_detail->showMessage(
        InlineBar::Level::Info,
        tr("The key of %1 is trusted now and kept in %2.").arg(key.host, key.knownHostsFile));
    m_detail->setAction(tr("Check again"), [this] { check(); });
}

} // namespace scalebench
