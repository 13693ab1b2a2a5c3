// SPDX-License-Identifier: GPL-3.0-or-later
// The Plan page's choice of a target machine and its shapes.
#include "models/machine_list_model.h"
#include "pages/plan/plan_form.h"
#include "pages/plan/plan_page.h"
#include "session/session.h"
#include "study/run_config.h"
#include "widgets/form_field.h"
#include "widgets/shape_matrix.h"
#include "widgets/widgets.h"
#include "work/latest_job.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace scalebench {

void PlanPage::setupTarget(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_target->setObjectName(QStringLiteral("targetMachine"));
    m_target->setMinimumContentsLength(20);
    auto* field = new FormField(QString(), m_target);
    m_target->setAccessibleName(tr("Target machine"));
    m_fields.insert(QStringLiteral("machine"), field);
    row->addWidget(field, 1);
    auto* edit = new QToolButton;
    edit->setProperty("outlined", true);
    edit->setIconSize({16, 16});
    edit->setToolTip(tr("Add, edit or check target machines"));
    edit->setAccessibleName(edit->toolTip());
    setThemeIcon(edit, QStringLiteral("server"));
    connect(edit, &QToolButton::clicked, this, [this] { m_session->editMachine(m_spec.machine); });
    row->addWidget(edit, 0, Qt::AlignTop);
    column->addLayout(row);
    m_target->addItem(tr("This computer"), QString());
}

void PlanPage::setTargets(const QList<TargetMachine>& machines)
{
    m_targets = machines;
    // Hostfiles and what a check found are files; what was known so far counts meanwhile.
    using Known = QHash<QString, Result<MachineInfo>>;
    m_targetCheck->ask(
        [machines] {
            Known known;
            for (const TargetMachine& machine : machines)
                if (machine.kind != TargetMachine::Kind::Local)
                    known.insert(machine.name, planningInfo(machine));
            return known;
        },
        [this](const Known& known) {
            m_known = known;
            readTarget();
            showMissingPrograms();
            refresh();
        });
    readTarget();
    showTarget();
    showMissingPrograms();
    refresh();
}

void PlanPage::chooseTarget(const QString& name)
{
    const QString wanted = name == localMachineName() ? QString() : name;
    if (wanted == m_spec.machine)
        return;
    m_target->setCurrentIndex(std::max(0, m_target->findData(wanted)));
}

const MachineInfo& PlanPage::target() const
{
    return m_remote ? *m_remote : m_machine;
}

void PlanPage::targetChosen()
{
    if (m_loading || m_target->currentData().toString() == m_spec.machine)
        return;
    StudySpec spec = m_spec;
    spec.machine = m_target->currentData().toString();
    m_spec.machine = spec.machine;
    readTarget();
    if (!isRemote()) {
        spec.shapes.clear();
    } else if (m_remote &&
               spec.shapes.isEmpty()) { // what was planned, as far as the other machine holds it
        const auto shapes = resolveShapes(spec, *m_remote);
        spec.shapes = shapes ? shapes.value() : QList<Shape>{{1, 1}};
    }
    apply(spec);
    showSpec();
}

bool PlanPage::isRemote() const
{
    return !m_spec.machine.isEmpty() && m_spec.machine != localMachineName();
}

void PlanPage::readTarget()
{
    m_remote.reset();
    m_targetProblem.clear();
    if (!isRemote())
        return;
    const bool listed =
        std::any_of(m_targets.begin(), m_targets.end(), [this](const TargetMachine& machine) {
            return machine.name == m_spec.machine;
        });
    if (!listed) {
        m_targetProblem = tr("The target machine “%1” is not known here. Choose another, or add it "
                             "on the Machines page.")
                              .arg(m_spec.machine);
        return;
    }
    const auto known = m_known.constFind(m_spec.machine);
    if (known == m_known.constEnd())
        return; // it is being read
    if (*known)
        m_remote = known->value();
    else
        m_targetProblem = known->failure().message;
}

void PlanPage::showTarget()
{
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    m_target->addItem(tr("This computer"), QString());
    for (const TargetMachine& machine : std::as_const(m_targets)) {
        if (machine.kind != TargetMachine::Kind::Local)
            m_target->addItem(
                QStringLiteral("%1 (%2)").arg(machine.name, machineKindTitle(machine.kind)),
                machine.name);
    }
    const QString name = m_spec.machine == localMachineName() ? QString() : m_spec.machine;
    if (m_target->findData(name) < 0)
        m_target->addItem(tr("%1 (not known here)").arg(name), name);
    m_target->setCurrentIndex(m_target->findData(name));
    m_form->setDataHere(!isRemote());
}

QString PlanPage::shapesHint() const
{
    const auto hosts = static_cast<int>(m_remote->hosts.size());
    QStringList texts;
    const QList<Shape> shapes = m_shapes->shapes();
    for (const Shape& shape : shapes)
        texts << QStringLiteral("%1 × %2").arg(shape.nodes).arg(shape.workersPerNode);
    QString text = m_remote->slurm ? tr("Slurm chooses the hosts.")
                                   : tr("%n host(s), nodes × workers per node.", nullptr, hosts);
    if (!texts.isEmpty())
        text += QLatin1Char(' ') + tr("Chosen: %1.").arg(texts.join(QStringLiteral(", ")));
    return text;
}

QString PlanPage::remoteLine(const RunConfig& run) const
{
    // The command proper names folders that are only known once the host was asked.
    return tr("%1: %2 × %3 on %4", "shape of a run and its hosts")
        .arg(run.runId)
        .arg(run.nodes)
        .arg(run.workersPerNode())
        .arg(run.hosts.isEmpty() ? tr("hosts that Slurm chooses")
                                 : run.hosts.join(QStringLiteral(", ")));
}

} // namespace scalebench
