// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What to train: workload, worker counts, settings, with what is wrong beside each field, the
// exact commands and one Start button.

#include "library/library.h"
#include "machine/machines.h"
#include "pages/page.h"
#include "study/machine_info.h"
#include "study/study_spec.h"

#include <QHash>
#include <QMap>

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QTimer;
class QUndoStack;
class QVBoxLayout;

namespace scalebench {

struct PlanAnswer;

class FormField;
class InlineBar;
class LatestJob;
class PlanChips;
class PlanForm;
class PlanProblems;
class PlanRuns;
class Session;
struct PlanState;
class ShapeMatrix;
class WorkerMatrix;
class WorkloadCard;

class PlanPage : public Page
{
    Q_OBJECT
public:
    explicit PlanPage(Session* session, QWidget* parent = nullptr);

    /// This computer.
    void setMachine(const MachineInfo& machine);
    /// What else this computer does just now: only its busyProcessors and processors.
    void setOtherWork(const MachineInfo& measured);
    /// The target machines to choose from; what planning knows of the chosen one is read again.
    void setTargets(const QList<TargetMachine>& machines);
    void chooseTarget(const QString& name);
    /// For time estimates from what was measured before.
    void setHistory(const QList<RunSummary>& runs);
    void setSpec(const StudySpec& spec);
    const StudySpec& spec() const { return m_spec; }
    /// What is wrong with the present plan, once it was checked; empty: may start.
    QList<Problem> problems() const { return m_problems; }
    /// Nothing that was edited or read is still being looked at.
    bool isChecked() const;
    bool isSettled() const override { return isChecked(); }
    FormField* field(const QString& name) const { return m_fields.value(name); }
    PageProperties properties() const override;
    InlineBar* bar() const override { return m_bar; }
    /// Another study is running: this one would wait for it.
    void setQueueing(bool queueing);
    void activate() override;

    /// Edits of the plan; clean where it is as in its file.
    QUndoStack* undoStack() const override { return m_undo; }
    bool isModified() const;
    QString documentTitle() const override;
    bool isDocumentModified() const override { return isModified(); }
    QString fileName() const { return m_file; }
    /// Reads it here and now: at the start, before anybody waits for the window.
    bool openFile(const QString& file);
    /// Reads it beside the window.
    void openLater(const QString& file);
    /// A new plan with the settings of a study that was run; its file stays as it is.
    void openCopy(const QString& file);
    /// The edited plan that the last window left, if any, as an edit that can be undone.
    void restoreUnsaved();
    /// Remembers the plan if it is edited and in no file, for restoreUnsaved().
    void keepUnsaved() const override;
    void takeOver(Page& before) override;

public Q_SLOTS:
    /// The preset: all workloads of this build on 1 and 2 workers.
    void planAllWorkloads();
    void newPlan();
    void open();
    /// Written beside the window; until then it counts as edited.
    void save();
    void saveAs();
    void undo();
    void redo();
    /// Once the plan was checked, unless that finds something wrong.
    void start();

Q_SIGNALS:
    void startRequested(const scalebench::StudySpec& spec);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectSession();
    void measureOtherWork();
    void setupTarget(QVBoxLayout* column);
    void setupLeft(QVBoxLayout* column);
    void setupRight(QVBoxLayout* column);
    void setupBottom(QVBoxLayout* column);
    void editSetting(const QString& path, bool wholeStudy);
    void closeSetting(const QString& path, bool wholeStudy);
    QString editName(const StudySpec& spec) const;
    void formEdited();
    void showData();
    void cardChosen(const QString& workload, const QString& scale);
    void cardTicked(const QString& workload, const QString& scale, bool on);
    /// The plan becomes this one by an edit.
    void apply(const StudySpec& spec) { apply(spec, m_entry); }
    void apply(const StudySpec& spec, int entry);
    void restore(const PlanState& state);
    /// All controls from the plan.
    void showSpec();
    void targetChosen();
    bool isRemote() const;
    bool isTargetKnown() const { return m_remote || (!isRemote() && m_machine.cores > 0); }
    void readTarget();
    void showTarget();
    void showMissingPrograms();
    QString shapesHint() const;
    QString remoteLine(const RunConfig& run) const;
    /// The machine that the plan is for.
    const MachineInfo& target() const;
    void refresh();
    void showAnswer(const PlanAnswer& answer);
    void showProblems(const QList<Problem>& shown);
    void showPlan(const PlanAnswer& answer);
    void begin();
    void updateHints();
    QString defaultName() const;
    QString wholeCommand() const;
    void write(const QString& file);
    bool take(const Result<StudySpec>& spec, const QString& file);
    void belongTo(const QString& file);

    Session* m_session;
    MachineInfo m_machine;
    QList<TargetMachine> m_targets;
    QHash<QString, Result<MachineInfo>> m_known; ///< what planning knows of them, by name
    std::optional<MachineInfo> m_remote; ///< of the target machine, unless it is this computer
    QString m_targetProblem;
    QList<RunSummary> m_history;
    QList<Problem> m_problems;
    QList<WorkloadCard*> m_cards;
    QMap<QString, FormField*> m_fields; ///< by study.json's names
    PlanForm* m_form;
    QScrollArea* m_settings = nullptr; ///< that the form is in
    QComboBox* m_target;
    WorkerMatrix* m_matrix;
    ShapeMatrix* m_shapes;
    InlineBar* m_bar;
    InlineBar* m_engineBar;
    QLabel* m_summary;
    PlanChips* m_chips;
    PlanProblems* m_problemList;
    PlanRuns* m_runs;
    QPushButton* m_start;
    QTimer* m_refreshTimer;
    QTimer* m_keepTimer;
    LatestJob* m_check;       ///< of the plan
    LatestJob* m_targetCheck; ///< of what is known of the target machines
    QUndoStack* m_undo;
    StudySpec m_spec; ///< the plan; controls change it and show it
    int m_entry = 0;  ///< the workload of several whose settings are shown
    QString m_file;
    QString m_saveNext; ///< where it is saved after what is being saved
    bool m_saving = false;
    bool m_queueing = false;
    bool m_startWanted = false; ///< once the plan was checked
    bool m_loading = false;
};

} // namespace scalebench
