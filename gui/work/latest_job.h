// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One question at a time off the window's thread. Of those asked while another is being answered
// only the last is asked; answers that were overtaken are dropped. So a folder that does not answer
// keeps one thread, however much is typed meanwhile.

#include "work/background.h"

#include <QTimer>

#include <functional>
#include <utility>

namespace scalebench {

class LatestJob : public QObject
{
public:
    explicit LatestJob(QObject* parent) : QObject(parent)
    {
        m_patience.setSingleShot(true);
        m_patience.setInterval(kPatienceMs);
    }

    /// Called where an answer takes so long that a person wonders.
    void onSlow(const std::function<void()>& tell)
    {
        connect(&m_patience, &QTimer::timeout, this, tell);
    }

    template <typename Work, typename Done>
    void ask(Work work, Done done)
    {
        ++m_asked;
        m_next = [this, work, done, asked = m_asked] {
            m_running = true;
            inBackground(this, work, [this, done, asked](const auto& answer) {
                m_running = false;
                if (m_next) { // overtaken
                    std::exchange(m_next, nullptr)();
                } else if (asked == m_asked) {
                    m_answered = asked;
                    m_patience.stop();
                    done(answer);
                }
            });
        };
        m_patience.start();
        if (!m_running)
            std::exchange(m_next, nullptr)();
    }

    /// What was asked does not matter any more.
    void forget()
    {
        m_answered = ++m_asked;
        m_next = nullptr;
        m_patience.stop();
    }

    /// An answer that counts is on its way.
    bool isBusy() const { return m_answered != m_asked; }

private:
    static constexpr int kPatienceMs = 300;
    QTimer m_patience;
    std::function<void()> m_next;
    int m_asked = 0, m_answered = 0;
    bool m_running = false;
};

} // namespace scalebench
