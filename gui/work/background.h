// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Work off the window's thread. `done` runs in the owner's thread and never after the owner died.
// The application ends after the work.

#include <QCoreApplication>
#include <QFutureWatcher>
#include <QThreadPool>
#include <QtConcurrentRun>

#include <memory>
#include <optional>

namespace scalebench {

/// ~QCoreApplication waits for the pool as well, but only when there is no application any more,
/// without which Qt opens no database: what a closed window still reads would crash.
inline void endBeforeTheApplication()
{
    [[maybe_unused]] static const bool once = [] {
        qAddPostRoutine([] { QThreadPool::globalInstance()->waitForDone(); });
        return true;
    }();
}

template <typename Work, typename Done>
void inBackground(QObject* owner, Work work, Done done)
{
    endBeforeTheApplication();
    // Shared, because the value need not have a default; optional, so that a large one is let go
    // off the window's thread as well, whoever holds the future.
    using Value = std::shared_ptr<std::optional<std::invoke_result_t<Work>>>;
    auto* watcher = new QFutureWatcher<Value>(owner);
    QObject::connect(watcher, &QFutureWatcher<Value>::finished, owner, [watcher, done] {
        watcher->deleteLater();
        const Value value = watcher->result();
        done(**value);
        QThreadPool::globalInstance()->start([value] { value->reset(); });
    });
    watcher->setFuture(QtConcurrent::run(
        [work] { return std::make_shared<typename Value::element_type>(work()); }));
}

} // namespace scalebench
