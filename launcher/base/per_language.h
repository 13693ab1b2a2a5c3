// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tables whose texts are translated when they are made. The window may change its language while it
// is open: each language has its own table then, and none goes, for others hold pointers into it.

#include "base/translated.h"

#include <QMutex>

#include <atomic>
#include <map>
#include <memory>

namespace scalebench {

/// Which language the translators speak; a number is all that the launcher needs to know of it.
inline std::atomic<int>& textsLanguage()
{
    static std::atomic<int> number = 0;
    return number;
}

/// From any thread.
template <class T>
class PerLanguage
{
public:
    /// As `make` makes it, the first time that it is asked for in this language.
    template <class Make>
    const T& get(const Make& make)
    {
        const QMutexLocker lock(&m_mutex);
        constexpr int kEnglish = 0;
        std::unique_ptr<const T>& table =
            m_tables[EnglishText::isOn() ? kEnglish : textsLanguage().load()];
        if (!table)
            table = std::make_unique<const T>(make());
        return *table;
    }

private:
    QMutex m_mutex;
    std::map<int, std::unique_ptr<const T>> m_tables;
};

} // namespace scalebench
