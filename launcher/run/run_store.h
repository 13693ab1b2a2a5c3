// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs that this process has read from their folders, each file once for all who look at it: the
// index of the library, pages, exports, reports, and who follows a study. Values that are handed
// out are shared with the store (Qt's implicit sharing) and never change; who follows gets what is
// added.

#include "base/result.h"
#include "run/run_record.h"

#include <QHash>

#include <map>
#include <memory>
#include <mutex>

namespace scalebench {

/// The stream of one run for one who follows it.
class RunSubscription
{
public:
    ~RunSubscription();

    struct Piece {
        RunDelta delta;         ///< empty: nothing new
        bool restarted = false; ///< what was told before is not part of the stream any more
        bool more = false;      ///< there may be more at once
    };
    /// The next piece; first all that is known of it already. Looks into the file where nothing
    /// waits, for `mostBytes` at most.
    Piece take(qint64 mostBytes);

private:
    friend class RunStore;
    struct Private;
    explicit RunSubscription(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Thread-safe. What was read is believed as long as inode, size and time of the files say that
/// they are the same; of a stream that has grown only the new bytes are read and parsed.
class RunStore
{
public:
    /// `mostBytes` of streams are remembered; the runs used least recently go first, but for those
    /// that somebody follows.
    explicit RunStore(qint64 mostBytes = qint64(256) << 20);
    ~RunStore();

    static RunStore& ofThisProcess();

    /// run.json, status.json and the stream, as they are now. `runDir`: absolute.
    Result<RunRecord> read(const QString& runDir);

    /// From now on each piece of its stream, whoever reads it. Not to outlive the store.
    std::unique_ptr<RunSubscription> follow(const QString& runDir);

    qint64 parsedBytes() const;     ///< of streams, since the start
    qint64 rememberedBytes() const; ///< size of the streams that are remembered

private:
    friend class RunSubscription;
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
