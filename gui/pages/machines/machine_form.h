// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A target machine as controls: what each kind needs, the rest under "More settings".

#include "machine/machines.h"
#include "study/study_spec.h"

#include <QMap>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;
class QTableView;
class QToolButton;

namespace scalebench {

class FormField;
class HostfileEditor;
class VariablesModel;

class MachineForm : public QWidget
{
    Q_OBJECT
public:
    explicit MachineForm(QWidget* parent = nullptr);

    void load(const TargetMachine& machine);
    void store(TargetMachine& machine) const;
    void showProblems(const QList<Problem>& problems);
    /// Offered while hosts are typed.
    void setKnownHosts(const QStringList& hosts);
    /// Names by machines.json's spelling.
    FormField* field(const QString& name) const { return m_fields.value(name); }
    HostfileEditor* hostfileEditor() const { return m_hostfile; }
    void useHostfile(bool on);
    void focusName();

Q_SIGNALS:
    void edited();
    void hostfileRead();
    /// More or fewer controls are shown.
    void layoutChanged();

private:
    void setupBasics(QGridLayout* grid);
    void setupHosts(QGridLayout* grid);
    void setupSlurm(QGridLayout* grid);
    void setupAdvanced(QGridLayout* grid);
    void setupVariables(QGridLayout* grid);
    QLineEdit* line(const QString& placeholder = {});
    FormField* add(const QString& name, const QString& label, QWidget* control,
                   const QString& hint = {});
    void connectControls();
    void showKind();
    void describeHosts();
    TargetMachine::Kind kind() const;

    QMap<QString, FormField*> m_fields;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QLineEdit* m_login;
    QLineEdit* m_user;
    QToolButton* m_asList;
    QToolButton* m_asFile;
    QLineEdit* m_hosts;
    HostfileEditor* m_hostfile;
    QWidget* m_hostsBox;
    QWidget* m_slurmBox;
    QLineEdit* m_partition;
    QLineEdit* m_account;
    QLineEdit* m_timeLimit;
    QSpinBox* m_gpusPerNode;
    QLineEdit* m_extraOptions;
    QLineEdit* m_dataFolder;
    QDoubleSpinBox* m_price;
    QToolButton* m_more;
    QWidget* m_advanced;
    QLineEdit* m_folder;
    QLineEdit* m_mpiPrefix;
    QLineEdit* m_interface;
    QLineEdit* m_jumpHost;
    QLineEdit* m_sshConfig;
    VariablesModel* m_variables;
    QTableView* m_variablesView;
};

} // namespace scalebench
