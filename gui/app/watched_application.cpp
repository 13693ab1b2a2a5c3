// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watched_application.h"

#include <QMetaEnum>
#include <QThread>

#include <algorithm>
#include <cstdio>

namespace scalebench {

namespace {

/// What others do delays a disk's or another process's answer too, and that cannot be told apart.
constexpr double kWaitAllowance = 4;
/// On a crowded machine an event computes longer than alone, by no more than this.
constexpr double kCrowdAllowance = 3;

constexpr char kSeen[] = "seenByWatch"; ///< property of windows

#ifdef SB_WATCH_EVENTS
constexpr int kUnlessTold = WatchedApplication::kLimitMs;
#else
constexpr int kUnlessTold = 0;
#endif

int limitFromEnvironment()
{
    bool isNumber = false;
    const int limit = qEnvironmentVariableIntValue("SCALEBENCH_EVENT_LIMIT_MS", &isNumber);
    return isNumber ? limit : kUnlessTold;
}

} // namespace

WatchedApplication::Addressee::Addressee(const QObject* receiver, QEvent::Type type)
    : m_type(type),
      m_class(receiver->metaObject()),
      m_name(receiver->objectName()),
      m_parentClass(receiver->parent() ? receiver->parent()->metaObject() : nullptr)
{
}

QString WatchedApplication::Addressee::text() const
{
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(m_type);
    QString who = QString::fromLatin1(m_class->className());
    if (!m_name.isEmpty())
        who += QStringLiteral(" “%1”").arg(m_name);
    if (m_parentClass)
        who += QStringLiteral(" of %1").arg(QString::fromLatin1(m_parentClass->className()));
    return QStringLiteral("%1 for %2")
        .arg(event ? QString::fromLatin1(event) : QString::number(int(m_type)), who);
}

WatchedApplication::WatchedApplication(int& argc, char** argv)
    : QApplication(argc, argv), m_limitMs(limitFromEnvironment())
{
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event)
{
    if (m_limitMs <= 0 || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    return watch(receiver, event);
}

/// A window's first picture polishes and lays out all that is in it: that is its start, like the
/// grace of the first one.
bool WatchedApplication::isFirstPicture(QObject* receiver, const QEvent* event)
{
    if (event->type() != QEvent::Expose || receiver->property(kSeen).toBool())
        return false;
    receiver->setProperty(kSeen, true);
    return true;
}

bool WatchedApplication::watch(QObject* receiver, QEvent* event)
{
    const int loop = QThread::currentThread()->loopLevel();
    // Sent from within another event of this loop: that one answers for it.
    if (!m_frames.isEmpty() && m_frames.last().loop == loop)
        return QApplication::notify(receiver, event);
    for (Frame& frame : m_frames)
        frame.waited = true;
    const Addressee whose(receiver, event->type()); // the receiver may die of it
    const bool firstPicture = isFirstPicture(receiver, event);
    m_frames.append({loop, ThreadTime::now()});
    const bool done = QApplication::notify(receiver, event);
    const Frame frame = m_frames.takeLast();
    const ThreadTime took = ThreadTime::now() - frame.start;
    if (!m_frames.isEmpty())
        m_frames.last().innerMs += took.computedMs();
    if (!firstPicture)
        judge(whose, frame, took);
    return done;
}

void WatchedApplication::judge(const Addressee& whose, const Frame& frame, const ThreadTime& took)
{
    if ((frame.start - m_begun).wallMs() < m_graceMs)
        return;
    const double computed = took.computedMs() - frame.innerMs;
    const double blocked = frame.waited ? 0 : took.blockedMs();
    if (computed <= m_limitMs && blocked <= m_limitMs * kWaitAllowance)
        return;
    // A slow processor, or one that shares its caches or is itself a guest that waits its turn
    // (which counts as computing), is not the event's fault either.
    const double slowness = slownessNow(), crowd = crowdNow();
    if (computed <= m_limitMs * slowness * std::min(crowd, kCrowdAllowance) &&
        blocked <= m_limitMs * kWaitAllowance * slowness * crowd)
        return;
    m_slow << QStringLiteral("%1 computed for %2 ms and waited for %3 ms")
                  .arg(whose.text())
                  .arg(computed, 0, 'f', 0)
                  .arg(blocked, 0, 'f', 0);
    std::fprintf(stderr, "scalebench-gui: %s\n", qPrintable(m_slow.last()));
}

} // namespace scalebench
