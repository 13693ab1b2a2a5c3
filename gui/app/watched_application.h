// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The application with a watchdog: where SCALEBENCH_EVENT_LIMIT_MS is set, an event that keeps the
// window's thread for longer is named on stderr, and the program then ends with exit code 4.

#include <QApplication>
#include <QElapsedTimer>
#include <QList>

namespace scalebench {

class WatchedApplication : public QApplication
{
    Q_OBJECT
public:
    static constexpr int kExitSlow = 4;

    WatchedApplication(int& argc, char** argv);
    bool notify(QObject* receiver, QEvent* event) override;
    /// As exec() returned, or kExitSlow.
    int exitCode(int code) const { return m_slow.isEmpty() || code != 0 ? code : kExitSlow; }
    const QStringList& slowEvents() const { return m_slow; }

private:
    struct Frame {
        int loop;     ///< how deep event loops are nested
        qint64 start; ///< ms
        bool waited;  ///< a loop ran inside: its time is no one's fault
    };
    bool watch(QObject* receiver, QEvent* event);

    qint64 m_limitMs;
    QElapsedTimer m_clock;
    QList<Frame> m_frames;
    QStringList m_slow;
};

} // namespace scalebench
