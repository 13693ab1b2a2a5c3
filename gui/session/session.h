// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the pages share: the library, the study under way, the machines, and the wishes by which one
// page leads to another. Pages subscribe to it and know neither one another nor the window.

#include "base/result.h"
#include "session/library_place.h"
#include "study/machine_info.h"

#include <QList>
#include <QObject>

namespace scalebench {

struct StudySpec;
struct TargetMachine;
class LatestJob;
class LiveStudy;
class MachineChecks;
class RunQueueModel;
class StudyLibrary;

class Session : public QObject
{
    Q_OBJECT
public:
    explicit Session(const LibraryPlace& place = {}, QObject* parent = nullptr);
    ~Session() override;

    StudyLibrary* library() const { return m_library; }
    LiveStudy* live() const { return m_live; }
    /// The runs of the study under way.
    RunQueueModel* queue() const { return m_queue; }
    /// Of target machines: they go on whatever page is shown.
    MachineChecks* checks() const { return m_checks; }
    /// This computer, as far as it is known.
    const MachineInfo& computer() const { return m_computer; }
    bool isComputerKnown() const { return m_computerRead; }
    const QList<TargetMachine>& targets() const { return m_targets; }
    void setTargets(const QList<TargetMachine>& targets);
    /// Computer and library were read: nothing changes any more without the user.
    bool isReady() const { return m_ready; }

    /// Looks at this computer and the library.
    void load();
    void setPlace(const LibraryPlace& place);
    /// A person's choice, kept once it could be opened; an empty folder: the usual one.
    void useLibrary(const LibraryPlace& place);
    void probeComputer();
    /// What else this computer does just now; none of it while our own study runs.
    void measureOtherWork();

public Q_SLOTS:
    void showPage(const QString& id) { Q_EMIT pageWanted(id); }
    void start(const scalebench::StudySpec& spec);
    /// Follows a study that goes on, on the Run page.
    void watchStudy(const QString& studyDir);
    /// Shows a study that has ended, or is somebody else's, on Results.
    void openStudy(const QString& studyDir);
    void scaleStudy(const QString& studyDir);
    void compareRuns(const QStringList& runDirs);
    /// Shows some runs of a study on Results.
    void openRuns(const QStringList& runDirs);
    /// A recorded study (a folder or a bundle) as it trained, `speed` times as fast.
    void replay(const QString& recorded, double speed);
    /// A study that is part of the program, told again. Where one trains, the published results
    /// instead: nothing takes its place.
    void showExample();
    void showPublished();
    void planAllWorkloads();
    void planLike(const QString& studyDir);
    /// As an edit of the plan, which can be undone.
    void planStudy(const scalebench::StudySpec& spec);
    void planOn(const QString& machine);
    void editMachine(const QString& machine);

Q_SIGNALS:
    void ready();
    void computerChanged();
    /// Only busyProcessors and processors are filled in.
    void otherWorkMeasured(const scalebench::MachineInfo& measured);
    void targetsChanged();

    // Wishes: the page concerned acts, the window brings it to the front.
    void pageWanted(const QString& id);
    void studyOpened(const QString& studyDir);
    void scalingWanted(const QString& studyDir);
    void comparisonWanted(const QStringList& runDirs);
    void runsOpened(const QStringList& runDirs);
    void publishedWanted();
    void allWorkloadsWanted();
    void planLikeWanted(const QString& studyDir);
    void planWanted(const scalebench::StudySpec& spec);
    void planOnWanted(const QString& machine);
    void machineWanted(const QString& machine);
    /// The library that was chosen cannot be opened; the one before stays.
    void libraryRefused(const scalebench::Failure& failure);
    /// What was to be told again cannot be.
    void replayFailed(const scalebench::Failure& failure);
    void exportWanted(); ///< all of the study that is shown
    void logWanted();
    void shortcutsWanted();

private:
    void setComputer(const MachineInfo& computer);
    void becomeReady();

    StudyLibrary* m_library;
    LiveStudy* m_live;
    RunQueueModel* m_queue;
    MachineChecks* m_checks;
    LatestJob* m_choice; ///< of a library
    MachineInfo m_computer;
    QList<TargetMachine> m_targets;
    bool m_computerRead = false;
    bool m_ready = false;
};

} // namespace scalebench
