// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs one study in the terminal: progress, Ctrl-C, final tables, files, exit code. The runs
// themselves belong to the supervisor, so a killed session loses nothing.

#include "launcher/library.h"
#include "launcher/study_controller.h"
#include "progress_display.h"

#include <QObject>
#include <QString>

namespace scalebench::cli {

struct SessionOptions {
    bool pictures = true;
    bool quiet = false;
};

class StudySession : public QObject
{
    Q_OBJECT
public:
    StudySession(std::shared_ptr<Library> library, const QString& studyDir, SessionOptions options);

    /// Starts the study, runs the event loop until it has ended, writes the files.
    int exec();

private:
    void catchSignals();
    void onSignal();
    void onStateChanged(int index, RunState state);
    int conclude();
    void writeFiles(const Study& study);

    std::shared_ptr<Library> m_library;
    QString m_studyDir;
    SessionOptions m_options;
    StudyController m_controller;
    ProgressDisplay m_display;
    bool m_interrupted = false;
    bool m_filesFailed = false;
};

/// The tables of a study for the terminal.
QString studyTables(const Study& study);
/// 3 beats 4; 130 only where nothing failed.
int exitCodeOf(const Study& study);

} // namespace scalebench::cli
