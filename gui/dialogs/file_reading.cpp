// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_reading.h"

#include <utility>

namespace scalebench {

FileReading::FileReading(InlineBar* bar, QObject* parent) : QObject(parent), m_bar(bar)
{
    constexpr int kPatience = 300;
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_bar)
            m_bar->showMessage(InlineBar::Level::Info, tr("Reading files…"));
        m_said = true;
    });
}

void FileReading::begin()
{
    if (m_running++ == 0)
        m_patience.start();
}

void FileReading::end()
{
    if (--m_running > 0)
        return;
    m_patience.stop();
    if (std::exchange(m_said, false) && m_bar)
        m_bar->clear();
}

} // namespace scalebench
