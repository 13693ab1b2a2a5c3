// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/let_go.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSet>
#include <QThread>

#include <utility>

namespace scalebench {

/// Only the application's thread touches it.
static QSet<QThread*>& threadsLeft()
{
    static QSet<QThread*> left;
    return left;
}

static bool waitsAtTheEnd = false;

static void waitForThreads()
{
    waitsAtTheEnd = false; // Qt calls what was told once
    const QSet<QThread*> left = std::exchange(threadsLeft(), {});
    for (QThread* thread : left) {
        thread->wait();
        delete thread;
    }
}

static bool isApplicationsThread()
{
    return qApp && QThread::currentThread() == qApp->thread();
}

void letGo(std::unique_ptr<QThread> thread)
{
    if (!thread)
        return;
    thread->requestInterruption();
    thread->quit();
    if (!isApplicationsThread()) {
        thread->wait();
        return;
    }
    if (!std::exchange(waitsAtTheEnd, true))
        qAddPostRoutine(waitForThreads);
    QThread* left = thread.release();
    threadsLeft().insert(left);
    const auto remove = [left] {
        if (!threadsLeft().remove(left))
            return;
        left->wait(); // the last of it, after it said that it has finished
        delete left;
    };
    QObject::connect(left, &QThread::finished, qApp, remove, Qt::QueuedConnection);
    if (left->isFinished()) // before it was listened to
        remove();
}

void letGo(std::unique_ptr<QProcess> process)
{
    if (!process)
        return;
    process->disconnect();
    if (process->state() == QProcess::NotRunning)
        return;
    process->kill();
    if (!isApplicationsThread()) {
        process->waitForFinished(1000);
        return;
    }
    QProcess* left = process.release();
    left->setParent(qApp);
    QObject::connect(left, &QProcess::finished, left, &QObject::deleteLater);
}

} // namespace scalebench
