// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs one study in the terminal: progress, Ctrl-C, final tables, files, exit code. The runs
// themselves belong to the supervisor, so a killed session loses nothing.

#include "follow/study_controller.h"
#include "library/library.h"
#include "progress_display.h"
#include "run/study.h"

#include <QObject>
#include <QString>

namespace scalebench::cli {

struct SessionOptions {
    bool pictures = true;
    bool quiet = false;
    bool attach = false; ///< follow what is going on; Ctrl-C leaves it alone
};

class StudySession : public QObject
{
    Q_OBJECT
public:
    StudySession(std::shared_ptr<Library> library, const QString& studyDir, SessionOptions options);

    /// Starts the study, runs the event loop until it has ended, writes the files.
    int exec();
    /// "stop", "stop-after-run", "pause" or "continue", as soon as exec() follows the study.
    void ask(const QString& wish) { m_wishes << wish; }

private:
    void catchSignals();
    void onSignal();
    void stopAgain();
    bool isOutOfReach() const;
    void notePause();
    void onConnectionChanged(const ConnectionState& state);
    void tellWishes();
    void onStateChanged(int index, RunState state);
    int conclude();
    void writeFiles(const Study& study);

    std::shared_ptr<Library> m_library;
    QString m_studyDir;
    SessionOptions m_options;
    StudyController m_controller;
    ProgressDisplay m_display;
    QStringList m_wishes;
    QString m_waiting; ///< what was said last
    bool m_wasDisconnected = false;
    QString m_nothingCopied; ///< why, since there is no room
    bool m_pauseTold = false;
    bool m_isRemote = false; ///< it runs on another computer
    bool m_interrupted = false;
    bool m_left = false; ///< stopped twice where nobody could be told
    bool m_filesFailed = false;
};

/// Why a run failed, with the code that its files name and "scalebench help" explains.
QString failureText(const RunRecord& run);
/// The tables of a study for the terminal.
QString studyTables(const Study& study);
/// 3 beats 4; 130 only where nothing failed.
int exitCodeOf(const Study& study);

} // namespace scalebench::cli
