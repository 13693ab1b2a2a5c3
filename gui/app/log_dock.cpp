// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/log_dock.h"

#include "app/study_journal.h"
#include "base/plain_text.h"
#include "figures/run_labels.h"
#include "session/live_study.h"
#include "session/session.h"
#include "widgets/log_view.h"
#include "work/background.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace scalebench {

namespace {

struct LogPiece {
    QString run, source, text;
};

/// The last part of each log that the runs left.
QList<LogPiece> readLogs(const QStringList& runDirs, const QStringList& labels)
{
    constexpr qint64 kTail = 64 * 1024;
    constexpr qsizetype kMostLogs = 1000; ///< of a run
    QList<LogPiece> pieces;
    for (qsizetype i = 0; i < runDirs.size(); ++i) {
        const auto files =
            QDir(runDirs[i])
                .entryInfoList({QStringLiteral("launcher.txt"), QStringLiteral("stderr_*.txt")},
                               QDir::Files | QDir::NoSymLinks, QDir::Name);
        for (const QFileInfo& info : files.first(std::min<qsizetype>(files.size(), kMostLogs))) {
            QFile file(info.absoluteFilePath());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            file.seek(std::max<qint64>(0, file.size() - kTail));
            const QString text = visibleText(QString::fromUtf8(file.read(kTail)));
            if (!text.trimmed().isEmpty())
                pieces.append({labels.value(i), info.fileName(), text});
        }
    }
    return pieces;
}

} // namespace

LogDock::LogDock(Session* session, QWidget* parent)
    : QDockWidget(tr("Log"), parent), m_session(session), m_log(new LogView)
{
    setObjectName(QStringLiteral("logDock"));
    setWidget(m_log);
    LiveStudy* live = session->live();
    connect(live, &LiveStudy::started, this, [this, live] {
        m_log->clear();
        if (!live->isActive())
            showKeptLogs();
    });
    new StudyJournal(live, m_log, this); // after the log is cleared
    connect(live, &LiveStudy::logText, this,
            [this, live](int index, const QString& source, const QString& text) {
                m_log->append(live->runLabel(index), source, text);
            });
    connect(session, &Session::logWanted, this, [this] {
        show();
        raise();
    });
}

void LogDock::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        setWindowTitle(tr("Log"));
    QDockWidget::changeEvent(event);
}

/// A study that has ended is not followed: its logs come from its folders.
void LogDock::showKeptLogs()
{
    const Study& study = m_session->live()->study();
    QStringList dirs;
    for (const RunRecord& run : study.runs)
        dirs << run.runDir;
    inBackground(
        this, [dirs, labels = runLabels(study.runs)] { return readLogs(dirs, labels); },
        [this, id = study.id](const QList<LogPiece>& pieces) {
            const LiveStudy* live = m_session->live();
            if (live->study().id != id || live->isActive())
                return;
            for (const LogPiece& piece : pieces)
                m_log->append(piece.run, piece.source, piece.text);
        });
}

} // namespace scalebench
