// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/resume.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "run/checkpoints.h"
#include "run/own_studies.h"
#include "run/run_status.h"
#include "run/study_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool hasCheckpoint(const QString& runDir)
{
    return QFileInfo::exists(runDir + u'/' + latestCheckpoint()) ||
           QFileInfo::exists(runDir + u'/' + previousCheckpoint());
}

static QString attemptName(const QString& runDir, int attempt)
{
    return runDir + u"/result_0.txt.attempt%1"_s.arg(attempt);
}

/// Attempts that were put aside so far.
static int attempts(const QString& runDir)
{
    int count = 0;
    while (QFileInfo::exists(attemptName(runDir, count + 1)))
        ++count;
    return count;
}

/// A copy that broke off before the place from which the checkpoint goes on: the attempt before
/// has that part of the stream, and all that is in this one.
static bool isBeginningOfLastAttempt(const QString& runDir)
{
    const auto head = newestCheckpoint(runDir);
    QFile stream(runDir + u"/result_0.txt"_s), last;
    if (!head || stream.size() >= head->streamBytes || !stream.open(QIODevice::ReadOnly) ||
        !openOrdinaryFile(last, attemptName(runDir, attempts(runDir))) ||
        last.size() < head->streamBytes)
        return false;
    while (true) {
        const QByteArray part = stream.read(1 << 20);
        if (part.isEmpty())
            return stream.atEnd();
        if (last.read(part.size()) != part)
            return false;
    }
}

/// Followers must not read the old stream as the new one; the engine finds it under this name, the
/// last one counts.
static bool moveStreamAside(const QString& runDir)
{
    const QString stream = runDir + u"/result_0.txt"_s;
    if (!QFileInfo::exists(stream))
        return true;
    if (isBeginningOfLastAttempt(runDir))
        return QFile::remove(stream);
    return QFile::rename(stream, attemptName(runDir, attempts(runDir) + 1));
}

bool adoptStream(const QString& runDir, const QString& stream)
{
    return moveStreamAside(runDir) &&
           QFile::rename(stream, attemptName(runDir, attempts(runDir) + 1));
}

bool restoreStream(const QString& runDir)
{
    const QString stream = runDir + u"/result_0.txt"_s;
    const int last = attempts(runDir);
    if (last == 0 || QFileInfo(stream).size() > 0) // it was opened, and nothing came
        return false;
    QFile::remove(stream);
    return QFile::rename(attemptName(runDir, last), stream);
}

Result<void> requeueRun(const QString& runDir, const RunStatus& status)
{
    if (!moveStreamAside(runDir))
        return Failure{
            u"not_writable"_s,
            Launcher::tr("The stream in %1 could not be renamed. May the folder be written to?")
                .arg(runDir)};
    RunStatus fresh;
    fresh.createdMs = status.createdMs;
    fresh.attempt = status.attempt;
    fresh.waiting = status.waiting;
    return writeRunStatus(runDir, fresh);
}

Result<void> requeueForRetry(const QString& runDir, const QString& why)
{
    Result<RunStatus> status = readRunStatus(runDir);
    if (!status)
        return status.failure();
    ++status.value().attempt;
    status.value().waiting = Launcher::tr("Attempt %1 failed, it is tried again: %2")
                                 .arg(status.value().attempt)
                                 .arg(why);
    return requeueRun(runDir, status.value());
}

} // namespace scalebench
