// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a target machine: what its fields hold.
#include "pages/machines/machine_form.h"

#include "models/machine_list_model.h"
#include "models/variables_model.h"
#include "widgets/form_field.h"
#include "widgets/host_completer.h"
#include "widgets/hostfile_editor.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QProcess>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

namespace scalebench {

void MachineForm::load(const TargetMachine& machine)
{
    const QSignalBlocker blocker(this);
    m_name->setText(machine.name);
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(static_cast<int>(machine.kind))));
    m_login->setText(machine.login);
    m_user->setText(machine.user);
    m_hosts->setText(machine.hosts);
    m_hostfile->setPath(machine.hostfile);
    useHostfile(!machine.hostfile.isEmpty());
    m_partition->setText(machine.slurm.partition);
    m_account->setText(machine.slurm.account);
    m_timeLimit->setText(machine.slurm.timeLimit);
    m_gpusPerNode->setValue(machine.slurm.gpusPerNode);
    QStringList words;
    for (QString word : machine.slurm.extraOptions)
        words << (word.contains(QLatin1Char(' '))
                      ? QLatin1Char('"') +
                            word.replace(QLatin1String("\""), QLatin1String("\"\"\"")) +
                            QLatin1Char('"')
                      : word);
    m_extraOptions->setText(words.join(QLatin1Char(' ')));
    m_dataFolder->setText(machine.dataFolder);
    m_price->setValue(machine.pricePerHour);
    m_folder->setText(machine.folder);
    m_mpiPrefix->setText(machine.mpiPrefix);
    m_interface->setText(machine.interface);
    m_jumpHost->setText(machine.jumpHost);
    m_sshConfig->setText(machine.sshConfig);
    m_variables->load(machine);
    showKind();
}

void MachineForm::store(TargetMachine& machine) const
{
    machine.name = m_name->text().trimmed();
    machine.kind = kind();
    const bool slurm = machine.kind == TargetMachine::Kind::Slurm;
    machine.login =
        machine.kind == TargetMachine::Kind::Ssh ? QString() : m_login->text().trimmed();
    machine.user = m_user->text().trimmed();
    const bool file = m_asFile->isChecked() && !slurm;
    machine.hosts = file || slurm ? QString() : m_hosts->text().trimmed();
    machine.hostfile = file ? m_hostfile->path() : QString();
    machine.slurm = SlurmSettings();
    if (slurm) {
        machine.slurm.partition = m_partition->text().trimmed();
        machine.slurm.account = m_account->text().trimmed();
        machine.slurm.timeLimit = m_timeLimit->text().trimmed();
        machine.slurm.gpusPerNode = m_gpusPerNode->value();
        machine.slurm.extraOptions = QProcess::splitCommand(m_extraOptions->text());
    }
    machine.dataFolder = m_dataFolder->text().trimmed();
    machine.pricePerHour = m_price->value();
    machine.folder = m_folder->text().trimmed();
    machine.mpiPrefix = m_mpiPrefix->text().trimmed();
    machine.interface = m_interface->text().trimmed();
    machine.jumpHost = m_jumpHost->text().trimmed();
    machine.sshConfig = m_sshConfig->text().trimmed();
    m_variables->store(machine);
}

void MachineForm::showProblems(const QList<Problem>& problems)
{
    QMap<QString, QString> messages;
    for (const Problem& problem : problems) {
        if (!messages.contains(problem.field))
            messages.insert(problem.field, problem.message);
    }
    if (const QString text = m_variables->problem(); !text.isEmpty())
        messages.insert(QStringLiteral("environment"), text);
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it)
        it.value()->setMessage(messages.value(it.key()), true);
    for (const char* name :
         {"jump_host", "ssh_config", "folder", "mpi_prefix", "interface", "environment"}) {
        if (messages.contains(QString::fromLatin1(name)))
            m_more->setChecked(true); // what is wrong must be seen
    }
}

} // namespace scalebench
