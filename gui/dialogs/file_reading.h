// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files that a person gave, read and understood off the window's thread; where that takes so long
// that one wonders, a bar says so. Ends with its owner.

#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QPointer>
#include <QTimer>

namespace scalebench {

class FileReading : public QObject
{
    Q_OBJECT
public:
    FileReading(InlineBar* bar, QObject* parent);

    /// `done` in this thread; what the bar said of reading is gone then.
    template <typename Work, typename Done>
    void start(Work work, Done done)
    {
        begin();
        inBackground(this, work, [this, done](const auto& read) {
            end();
            done(read);
        });
    }
    bool isBusy() const { return m_running > 0; }

private:
    void begin();
    void end();

    QPointer<InlineBar> m_bar;
    QTimer m_patience;
    int m_running = 0;
    bool m_said = false;
};

} // namespace scalebench
