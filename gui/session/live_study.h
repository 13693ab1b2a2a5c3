// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The study that is going on, if any: owns its controller, tells the pages. Destroying it leaves
// the runs running.

#include "follow/study_controller.h"
#include "session/library_place.h"
#include "study/study_spec.h"
#include "supervise/requeue.h"

#include <QObject>

#include <memory>
#include <vector>

namespace scalebench {

struct MachineInfo;

class LiveStudy : public QObject
{
    Q_OBJECT
public:
    explicit LiveStudy(QObject* parent = nullptr);

    /// Empty: the user's data folder.
    void setLibrary(const LibraryPlace& library) { m_library = library; }
    LibraryPlace library() const { return m_library; }

    /// Plans, creates the folders (in a thread) and starts; the outcome is started(), failed() or,
    /// while another study is followed, queued(): its supervisor waits for the machine by itself.
    void start(const StudySpec& spec, const MachineInfo& machine);
    /// Runs the study's failed and cancelled runs again, from their checkpoints where there are
    /// any.
    void resume(const QString& studyDir) { runAgain(studyDir, Requeue::Unfinished); }
    /// Those of its runs (of these only the named ones, where any are), and follows them.
    void runAgain(const QString& studyDir, Requeue which, const QStringList& runIds = {});
    /// Follows a study that runs, or shows one that has ended, once it was read (in a thread).
    void attach(const QString& studyDir) { follow(studyDir, false); }
    /// Follows the copy of a recorded study that grows as it once did (session/replay.h).
    void attachReplay(const QString& studyDir) { follow(studyDir, true); }
    /// Looks for studies of the library that are active and attaches to the newest.
    void attachActive();

    bool hasStudy() const { return m_controller != nullptr; }
    bool isActive() const;
    /// What is shown is told again: nothing trains, and nothing can be stopped.
    bool isReplay() const { return m_replay; }
    bool isTraining() const { return isActive() && (m_starting || !m_replay); }
    bool isStarting() const { return m_starting; }
    const Study& study() const;
    int currentRun() const;
    bool isStopping() const { return m_stopping; }
    bool isPaused() const { return m_paused; }
    /// The oldest study that was queued here and is not done; empty: none.
    QString nextQueued() const;
    ConnectionState connection() const;
    /// What a person may ask of it now.
    struct Choices {
        bool pause = false; ///< or let the queue go on
        bool resume = false, failedAgain = false;
    };
    Choices choices() const;

    /// What tells the run apart from the others (runLabels()), worked out once.
    QString runLabel(int index) const;
    /// They are in another language now.
    void forgetTexts() { m_labels.clear(); }
    int finishedRuns() const;
    double progress() const;   ///< 0..1 over all runs
    double etaSeconds() const; ///< studyEtaSeconds(); < 0: unknown

public Q_SLOTS:
    void stopNow();
    void stopAfterRun();
    void pauseQueue();
    void continueQueue();
    void reconnectNow();
    /// Stops following; the runs go on, and Home finds them again.
    void leave();

Q_SIGNALS:
    void starting();
    void started();                                   ///< study() is there: from start(), attach()
    void failed(const scalebench::Failure& failure);  ///< a study could not be planned or started
    void refused(const scalebench::Failure& failure); ///< nor one that is there be acted on
    void shownAgain(); ///< attach() to the study that is shown already
    void runAdvanced(int index, const scalebench::RunDelta& delta);
    void runRestarted(int index);
    void runStateChanged(int index, scalebench::RunState state);
    void logText(int index, const QString& source, const QString& text);
    void stopRequested();
    void pauseChanged();
    void connectionChanged(const scalebench::ConnectionState& state);
    void left(); ///< study() is empty
    void queued(const QString& name, const QString& studyDir);
    /// One that was queued here has ended, shown or not.
    void queuedEnded(const QString& studyDir);
    void finished();
    /// attachActive() found more than one study; these run on unseen.
    void othersActive(const QStringList& names);

private:
    void follow(const QString& studyDir, bool replay);
    void adopt(std::unique_ptr<StudyController> controller, bool replay);
    bool mayAct();
    enum class How { Start, Follow, Replay };
    Result<void> begin(const StudyToFollow& read, How how);
    void enqueue(const StudyToFollow& read);

    LibraryPlace m_library;
    std::unique_ptr<StudyController> m_controller;
    std::vector<std::unique_ptr<StudyController>> m_queued; ///< started, not shown
    mutable QStringList m_labels;                           ///< empty: to be worked out
    int m_request = 0; ///< tells an attach() that was overtaken
    bool m_starting = false;
    bool m_replay = false;
    bool m_stopping = false;
    bool m_afterRun = false; ///< stopping with the run that is going on
    bool m_paused = false;
};

} // namespace scalebench
