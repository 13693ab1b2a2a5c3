// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watched_application.h"

#include <QMetaEnum>
#include <QThread>

#include <cstdio>

namespace scalebench {

namespace {

/// The work of opening the first window is the start's, not an event's.
constexpr qint64 kStartMs = 3000;

QString nameOf(const QObject* receiver, QEvent::Type type)
{
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    QString who = QString::fromLatin1(receiver->metaObject()->className());
    if (!receiver->objectName().isEmpty())
        who += QStringLiteral(" “%1”").arg(receiver->objectName());
    return QStringLiteral("%1 for %2")
        .arg(event ? QString::fromLatin1(event) : QString::number(int(type)), who);
}

} // namespace

WatchedApplication::WatchedApplication(int& argc, char** argv)
    : QApplication(argc, argv), m_limitMs(qEnvironmentVariableIntValue("SCALEBENCH_EVENT_LIMIT_MS"))
{
    m_clock.start();
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event)
{
    if (m_limitMs <= 0 || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    return watch(receiver, event);
}

bool WatchedApplication::watch(QObject* receiver, QEvent* event)
{
    const int loop = QThread::currentThread()->loopLevel();
    // Sent from within another event of this loop: that one answers for it.
    if (!m_frames.isEmpty() && m_frames.last().loop == loop)
        return QApplication::notify(receiver, event);
    for (Frame& frame : m_frames)
        frame.waited = true;
    const QString name = nameOf(receiver, event->type()); // the receiver may die of it
    m_frames.append({loop, m_clock.elapsed(), false});
    const bool done = QApplication::notify(receiver, event);
    const Frame frame = m_frames.takeLast();
    const qint64 took = m_clock.elapsed() - frame.start;
    if (!frame.waited && took > m_limitMs && frame.start > kStartMs) {
        m_slow << QStringLiteral("%1 took %2 ms").arg(name).arg(took);
        std::fprintf(stderr, "scalebench-gui: %s\n", qPrintable(m_slow.last()));
    }
    return done;
}

} // namespace scalebench
