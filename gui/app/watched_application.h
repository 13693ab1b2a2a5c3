// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The application with a watchdog: an event that keeps the window's thread for longer than
// SCALEBENCH_EVENT_LIMIT_MS (in debug builds 50, elsewhere none) is named on stderr, and the
// program then ends with exit code 4. What counts is what the event computed and what it waited
// for, not how long other programs kept the processor.

#include "app/thread_time.h"

#include <QApplication>
#include <QEvent>
#include <QList>

namespace scalebench {

class WatchedApplication : public QApplication
{
    Q_OBJECT
public:
    static constexpr int kExitSlow = 4;
    static constexpr int kLimitMs = 50; ///< as promised: nothing blocks the window for longer

    WatchedApplication(int& argc, char** argv);
    bool notify(QObject* receiver, QEvent* event) override;
    /// 0: nothing is watched.
    void setLimitMs(int limitMs) { m_limitMs = limitMs; }
    /// The work of opening the first window is the start's, not an event's.
    void setGraceMs(int graceMs) { m_graceMs = graceMs; }
    /// As exec() returned, or kExitSlow.
    int exitCode(int code) const { return m_slow.isEmpty() || code != 0 ? code : kExitSlow; }
    const QStringList& slowEvents() const { return m_slow; }

private:
    struct Frame {
        int loop; ///< how deep event loops are nested
        ThreadTime start;
        double innerMs = 0;  ///< computed by events of loops within
        bool waited = false; ///< a loop ran inside: its waiting is no one's fault
    };
    /// Who gets an event, for a sentence that few events need.
    class Addressee
    {
    public:
        Addressee(const QObject* receiver, QEvent::Type type);
        QString text() const;

    private:
        QEvent::Type m_type;
        const QMetaObject* m_class;
        QString m_name;
        const QMetaObject* m_parentClass; ///< nullptr: it has no parent
    };
    static bool isFirstPicture(QObject* receiver, const QEvent* event);
    bool watch(QObject* receiver, QEvent* event);
    void judge(const Addressee& whose, const Frame& frame, const ThreadTime& took);

    int m_limitMs;
    int m_graceMs = 3000;
    ThreadTime m_begun = ThreadTime::now();
    QList<Frame> m_frames;
    QStringList m_slow;
};

} // namespace scalebench
