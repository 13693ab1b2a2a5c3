// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one clock that all charts are redrawn by: at most 15 times a second, asleep while nothing
// has changed. A hidden chart stays marked and is drawn when it shows again.

#include <QObject>
#include <QSet>
#include <QTimer>

namespace scalebench {

class ReplotClock : public QObject
{
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 67;
    static ReplotClock& instance();
    void wake();

Q_SIGNALS:
    void tick();

private:
    ReplotClock();
    QTimer m_timer;
};

} // namespace scalebench
