// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine_dock.h"

#include "machine/live_use.h"
#include "models/key_value_model.h"
#include "models/process_model.h"
#include "session/live_study.h"
#include "session/session.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/widgets.h"
#include "work/latest_job.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

constexpr int kFirstLookMs = 500;
constexpr int kLookMs = 2000;
constexpr int kLookWhileTrainingMs = 5000; ///< so that looking takes nothing from what is measured
constexpr int kSteps = 1000;
constexpr int kLeastBar = 6; ///< letters

QString sizeOf(double bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

/// The last load that each host of the run told, the hosts in the order of their first.
QList<HostLoad> lastLoads(const RunRecord& run)
{
    QList<HostLoad> last;
    for (const HostLoad& load : run.hostLoads) {
        const auto same = std::find_if(last.begin(), last.end(), [&load](const HostLoad& one) {
            return one.host == load.host;
        });
        if (same == last.end())
            last << load;
        else
            *same = load;
    }
    return last;
}

} // namespace

MachineDock::MachineDock(Session* session, QWidget* parent)
    : QDockWidget(parent),
      m_session(session),
      m_meter(std::make_shared<LiveUseMeter>()),
      m_looking(new LatestJob(this)),
      m_timer(new QTimer(this)),
      m_processes(new ProcessModel(this)),
      m_hosts(new KeyValueModel(this))
{
    setObjectName(QStringLiteral("machineDock"));
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &MachineDock::look);
    connect(this, &QDockWidget::visibilityChanged, this, &MachineDock::lookWhileSeen);
    connect(session, &Session::computerChanged, this, &MachineDock::showComputer);
    const LiveStudy* live = session->live();
    connect(live, &LiveStudy::started, this, &MachineDock::showHosts);
    connect(live, &LiveStudy::left, this, &MachineDock::showHosts);
    connect(live, &LiveStudy::runAdvanced, this, [this](int, const RunDelta& delta) {
        if (!delta.hostLoads.isEmpty())
            showHosts();
    });
    build();
}

MachineDock::~MachineDock() = default;

void MachineDock::retranslate()
{
    m_bars.clear();
    m_knows = false;
    build();
    lookWhileSeen();
}

void MachineDock::build()
{
    delete widget();
    setWindowTitle(tr("Machine"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    m_name = makeLabel(QString(), "section");
    m_facts = new ElidedLabel("muted");
    m_verdict = makeLabel(QString(), "small");
    m_verdict->setWordWrap(true);
    column->addWidget(m_name);
    column->addWidget(m_facts);
    m_grid = new QGridLayout;
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    column->addWidget(m_verdict);
    const auto table = [column](QAbstractItemModel* model, const QString& key,
                                const QString& title) {
        auto* made = new DataTable(key, title, false);
        made->setModel(model);
        column->addWidget(made, 1);
        return made;
    };
    m_table = table(m_processes, QStringLiteral("machine_dock"), tr("What works on this computer"));
    m_hostTable =
        table(m_hosts, QStringLiteral("machine_dock_hosts"), tr("Hosts of the study, last epoch"));
    setWidget(content);
    showComputer();
    showHosts();
}

void MachineDock::showComputer()
{
    const MachineInfo& computer = m_session->computer();
    m_name->setText(computer.hostName.isEmpty() ? tr("This computer") : computer.hostName);
    QStringList facts{computer.cpuModel};
    if (computer.cores > 0)
        facts << tr("%n processor(s)", nullptr, computer.cores);
    if (computer.memoryBytes > 0)
        facts << sizeOf(double(computer.memoryBytes));
    facts << computer.os;
    facts.removeAll(QString());
    m_facts->setFullText(facts.join(QStringLiteral(" · ")));
}

/// Of a study on other hosts: this computer's processors say nothing of it.
void MachineDock::showHosts()
{
    const LiveStudy* live = m_session->live();
    QList<std::pair<QString, QString>> rows;
    if (live->hasStudy() && !live->study().spec.machine.isEmpty() && live->currentRun() >= 0) {
        const QLocale locale;
        const RunRecord& run = live->study().runs[live->currentRun()];
        for (const HostLoad& load : lastLoads(run)) {
            QStringList facts{tr("%1 of %2 processors busy, %3 by other work")
                                  .arg(locale.toString(load.own + load.others, 'f', 1),
                                       locale.toString(load.processors),
                                       locale.toString(load.others, 'f', 1))};
            if (load.memoryBytes > 0)
                facts << tr("%1 of %2 memory")
                             .arg(sizeOf(double(load.memoryUsedBytes)),
                                  sizeOf(double(load.memoryBytes)));
            rows.append({load.host, facts.join(QStringLiteral(" · "))});
        }
    }
    m_hosts->setPairs(rows);
    m_hostTable->setVisible(!rows.isEmpty());
}

QSet<qint64> MachineDock::ownProcesses() const
{
    QSet<qint64> own;
    const LiveStudy* live = m_session->live();
    if (!live->hasStudy() || live->currentRun() < 0)
        return own;
    for (const WorkerInfo& worker : live->study().runs[live->currentRun()].workers)
        own << worker.pid;
    return own;
}

void MachineDock::setLooking(bool on)
{
    m_looks = on;
    lookWhileSeen();
}

void MachineDock::lookWhileSeen()
{
    if (!m_looks || !isVisible() || visibleRegion().isEmpty()) {
        m_timer->stop();
        m_looking->forget();
    } else if (!m_timer->isActive() && !m_looking->isBusy()) {
        m_knows = false; // what the last look saw is long ago
        look();
    }
}

void MachineDock::look()
{
    if (!isVisible())
        return;
    m_looking->ask([meter = m_meter] { return meter->look(); },
                   [this](const LiveUse& use) {
                       showUse(use);
                       m_timer->start(!m_knows                        ? kFirstLookMs
                                      : m_session->live()->isActive() ? kLookWhileTrainingMs
                                                                      : kLookMs);
                       m_knows = true;
                   });
}

void MachineDock::setBar(qsizetype place, const QString& name, double share, const QString& value)
{
    if (place == m_bars.size()) {
        Bar made{makeLabel(QString()), new QProgressBar, new ElidedLabel("muted")};
        made.bar->setRange(0, kSteps);
        made.bar->setTextVisible(false);
        made.bar->setMinimumWidth(kLeastBar * fontMetrics().averageCharWidth());
        const auto row = static_cast<int>(place);
        m_grid->addWidget(made.name, row, 0);
        m_grid->addWidget(made.bar, row, 1);
        m_grid->addWidget(made.value, row, 2);
        m_bars << made;
    }
    const Bar& bar = m_bars[place];
    bar.name->setText(name);
    bar.value->setFullText(value);
    bar.bar->setValue(std::isfinite(share) ? static_cast<int>(std::clamp(share, 0.0, 1.0) * kSteps)
                                           : 0);
    bar.bar->setAccessibleName(name);
    bar.bar->setAccessibleDescription(value);
}

void MachineDock::dropBars(qsizetype from)
{
    while (m_bars.size() > from) {
        const Bar bar = m_bars.takeLast();
        delete bar.name;
        delete bar.bar;
        delete bar.value;
    }
}

void MachineDock::showUse(const LiveUse& use)
{
    const QLocale locale;
    m_processes->setProcesses(use.processes, ownProcesses());
    qsizetype place = 0;
    if (use.busyProcessors >= 0)
        setBar(
            place++, tr("Processors"), use.busyProcessors / std::max(1, use.processors),
            tr("%1 of %2")
                .arg(locale.toString(use.busyProcessors, 'f', 1), locale.toString(use.processors)));
    if (use.memoryBytes > 0)
        setBar(place++, tr("Memory"), double(use.memoryUsedBytes) / double(use.memoryBytes),
               tr("%1 of %2")
                   .arg(sizeOf(double(use.memoryUsedBytes)), sizeOf(double(use.memoryBytes))));
    for (qsizetype i = 0; i < use.gpus.size(); ++i) {
        const GpuUse& gpu = use.gpus[i];
        QStringList facts;
        if (std::isfinite(gpu.use))
            facts << tr("%1 %").arg(locale.toString(gpu.use * 100, 'f', 0));
        if (std::isfinite(gpu.memoryUsedBytes) && std::isfinite(gpu.memoryBytes))
            facts << tr("%1 of %2").arg(sizeOf(gpu.memoryUsedBytes), sizeOf(gpu.memoryBytes));
        if (std::isfinite(gpu.powerW))
            facts << tr("%1 W").arg(locale.toString(gpu.powerW, 'f', 0));
        if (std::isfinite(gpu.temperatureC))
            facts << tr("%1 °C").arg(locale.toString(gpu.temperatureC, 'f', 0));
        setBar(place, tr("GPU %1").arg(locale.toString(i)), gpu.use,
               facts.join(QStringLiteral(" · ")));
        m_bars[place++].name->setToolTip(gpu.name);
    }
    dropBars(place);
    showVerdict(use);
    widget()->layout()->activate(); // a verdict of two lines is seen whole from its first frame
}

/// What it means for times that would be measured now.
void MachineDock::showVerdict(const LiveUse& use)
{
    const double foreign = m_processes->foreignProcessors();
    const bool disturbing = use.busyProcessors >= 0 && isDisturbing(foreign, use.processors);
    setStyleProperty(m_verdict, "role",
                     disturbing ? QStringLiteral("warning") : QStringLiteral("small"));
    if (use.busyProcessors < 0)
        m_verdict->setText(tr("Measuring…"));
    else if (disturbing)
        m_verdict->setText(tr("Other work keeps %1 processors busy: times measured now would be "
                              "disturbed.")
                               .arg(QLocale().toString(foreign, 'f', 1)));
    else
        m_verdict->setText(tr("No other work that would disturb times measured now."));
    QStringList busy;
    for (qsizetype i = 0; i < use.gpus.size(); ++i)
        if (std::any_of(use.processes.begin(), use.processes.end(),
                        [i](const ProcessUse& process) { return process.gpus.contains(i); }))
            busy << QLocale().toString(i);
    if (!busy.isEmpty())
        m_verdict->setText(m_verdict->text() + QLatin1Char('\n') +
                           tr("In use: GPU %1.").arg(busy.join(QStringLiteral(", "))));
}

} // namespace scalebench
