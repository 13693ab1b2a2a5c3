// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs that this process has read from their folders, each file once for all who look at it: the
// index of the library, pages, exports and reports. Values that are handed out are shared with the
// store (Qt's implicit sharing) and never change.

#include "base/result.h"
#include "run/run_record.h"

#include <QHash>

#include <map>
#include <memory>
#include <mutex>

namespace scalebench {

/// Thread-safe. What was read is believed as long as inode, size and time of the files say that
/// they are the same; of a stream that has grown only the new bytes are read and parsed.
class RunStore
{
public:
    /// `mostBytes` of streams are remembered; the runs used least recently go first.
    explicit RunStore(qint64 mostBytes = qint64(256) << 20);
    ~RunStore();

    static RunStore& ofThisProcess();

    /// run.json, status.json and the stream, as they are now. `runDir`: absolute.
    Result<RunRecord> read(const QString& runDir);

    qint64 parsedBytes() const;     ///< of streams, since the start
    qint64 rememberedBytes() const; ///< size of the streams that are remembered

private:
    struct Entry;
    std::shared_ptr<Entry> entryOf(const QString& runDir);
    void account(const QString& runDir, qint64 bytes, qint64 parsed);

    mutable std::mutex m_mutex;
    QHash<QString, std::shared_ptr<Entry>> m_entries;
    std::map<quint64, QString> m_recent; ///< by Entry::used: least recently used first
    quint64 m_uses = 0;
    const qint64 m_mostBytes;
    qint64 m_remembered = 0, m_parsed = 0;
};

} // namespace scalebench
