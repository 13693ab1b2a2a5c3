// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Work off the window's thread. `done` runs in the owner's thread and never after the owner died.

#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <memory>

namespace scalebench {

template <typename Work, typename Done>
void inBackground(QObject* owner, Work work, Done done)
{
    // Shared, because the value need not have a default.
    using Value = std::shared_ptr<std::invoke_result_t<Work>>;
    auto* watcher = new QFutureWatcher<Value>(owner);
    QObject::connect(watcher, &QFutureWatcher<Value>::finished, owner, [watcher, done] {
        watcher->deleteLater();
        done(*watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(
        [work]() -> Value { return std::make_shared<std::invoke_result_t<Work>>(work()); }));
}

} // namespace scalebench
