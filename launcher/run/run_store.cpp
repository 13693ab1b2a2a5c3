// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_store.h"

#include "base/file_io.h"
#include "base/file_version.h"
#include "run/stream_parser.h"
#include "run/study_files.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qint64 kTailBytes = 64; ///< before the new bytes, read again to be sure

/// What waits for one who follows.
struct Waiting {
    QList<RunDelta> pieces;
    bool told = false, restarted = false;
};

/// Of one run: what its files were and what they said.
struct RunStore::Entry {
    std::mutex mutex; ///< held while reading: who comes second finds it read
    FileVersion config, status, stream;
    RunRecord head, record; ///< without and with the stream
    bool hasHead = false;
    StreamParser parser;
    QByteArray tail; ///< last bytes that were parsed
    QList<Waiting*> followers;
    std::atomic<int> followed = 0; ///< as many
    // Guarded by the store's mutex:
    qint64 accounted = 0;
    quint64 used = 0;

    Result<void> readHead(const QString& runDir)
    {
        const FileVersion configNow = FileVersion::of(runDir + u"/run.json"_s);
        const FileVersion statusNow = FileVersion::of(runDir + u"/status.json"_s);
        const auto same = [](const FileVersion& was, const FileVersion& now) {
            return was == now && (now.isSettled() || !now.exists());
        };
        if (hasHead && same(config, configNow) && same(status, statusNow))
            return {};
        hasHead = false;
        Result<RunRecord> read = loadRunHead(runDir);
        if (!read)
            return read.failure();
        if (read.value().attempts != head.attempts) // its stream may be another one
            forgetStream();
        head = std::move(read.value());
        record = withHead(std::move(record));
        config = configNow;
        status = statusNow;
        hasHead = true;
        return {};
    }

    /// Returns how many bytes were parsed, of `most`.
    qint64 readStream(const QString& runDir, qint64 most = kMostStreamBytes)
    {
        const QString path = runDir + u"/result_0.txt"_s;
        const FileVersion now = FileVersion::of(path);
        const bool goesOn = now.isSameFile(stream) && now.size >= parser.bytesConsumed();
        if (!goesOn)
            forgetStream();
        if (goesOn && now == stream && now.size == parser.bytesConsumed() && now.isSettled())
            return 0;
        QFile file;
        if (!openOrdinaryFile(file, path))
            return 0;
        const qint64 known = tail.size();
        if (known > 0 && (!file.seek(parser.bytesConsumed() - known) || file.read(known) != tail)) {
            forgetStream();
            file.seek(0);
        }
        stream = now;
        const qint64 before = parser.bytesConsumed();
        while (parser.bytesConsumed() < kMostStreamBytes &&
               parser.bytesConsumed() - before < most) {
            const QByteArray bytes =
                file.read(std::min<qint64>(kMostStreamBytes - parser.bytesConsumed(), 1 << 20));
            if (bytes.isEmpty())
                break;
            RunDelta delta = parser.feed(bytes);
            record.apply(delta);
            delta.stepsSoFar = record.steps;
            for (Waiting* follower : std::as_const(followers))
                follower->pieces << delta;
            tail = (tail + bytes.last(std::min<qsizetype>(bytes.size(), kTailBytes)))
                       .last(std::min<qint64>(parser.bytesConsumed(), kTailBytes));
        }
        return parser.bytesConsumed() - before;
    }

private:
    void forgetStream()
    {
        parser = StreamParser();
        stream = {};
        tail.clear();
        record = head;
        for (Waiting* follower : std::as_const(followers)) {
            follower->pieces.clear();
            follower->restarted = follower->told;
        }
    }

    /// `read` with what run.json and status.json say.
    RunRecord withHead(RunRecord read) const
    {
        read.config = head.config;
        read.runDir = head.runDir;
        read.origin = head.origin;
        read.state = head.state;
        read.failure = head.failure;
        read.command = head.command;
        read.waiting = head.waiting;
        read.nodeEnds = head.nodeEnds;
        read.attempts = head.attempts;
        read.createdMs = head.createdMs;
        read.startedMs = head.startedMs;
        read.finishedMs = head.finishedMs;
        return read;
    }
};

struct RunSubscription::Private {
    RunStore& store;
    QString runDir;
    std::shared_ptr<RunStore::Entry> entry;
    Waiting waiting; ///< guarded by the entry's mutex
};

RunSubscription::RunSubscription(std::unique_ptr<Private> priv) : d(std::move(priv)) {}

RunSubscription::~RunSubscription()
{
    const std::lock_guard lock(d->entry->mutex);
    d->entry->followers.removeOne(&d->waiting);
    --d->entry->followed;
}

RunSubscription::Piece RunSubscription::take(qint64 mostBytes)
{
    const std::lock_guard lock(d->entry->mutex);
    Waiting& waiting = d->waiting;
    if (waiting.pieces.isEmpty()) {
        const qint64 parsed = d->entry->readStream(d->runDir, mostBytes);
        if (parsed > 0)
            d->store.account(d->runDir, d->entry->parser.bytesConsumed(), parsed);
    }
    Piece piece;
    piece.restarted = std::exchange(waiting.restarted, false);
    if (piece.restarted)
        waiting.told = false;
    if (!waiting.pieces.isEmpty()) {
        piece.delta = waiting.pieces.takeFirst();
        waiting.told = true;
        piece.more = true;
    }
    return piece;
}

RunStore::RunStore(qint64 mostBytes) : m_mostBytes(mostBytes) {}

RunStore::~RunStore() = default;

RunStore& RunStore::ofThisProcess()
{
    static RunStore store;
    return store;
}

Result<RunRecord> RunStore::read(const QString& runDir)
{
    const std::shared_ptr<Entry> entry = entryOf(runDir);
    const std::lock_guard lock(entry->mutex);
    if (const Result<void> head = entry->readHead(runDir); !head)
        return head.failure();
    const qint64 parsed = entry->readStream(runDir);
    account(runDir, entry->parser.bytesConsumed(), parsed);
    return entry->record;
}

std::unique_ptr<RunSubscription> RunStore::follow(const QString& runDir)
{
    // Clang 14 fills no aggregate by make_unique().
    std::unique_ptr<RunSubscription::Private> priv(
        new RunSubscription::Private{*this, runDir, entryOf(runDir), {}});
    Entry& entry = *priv->entry;
    const std::lock_guard lock(entry.mutex);
    // Another attempt has another stream. A damaged run.json is no reason not to follow.
    if (const Result<void> head = entry.readHead(runDir); !head)
        entry.hasHead = false;
    if (entry.parser.bytesConsumed() > 0)
        priv->waiting.pieces << entry.record.soFar(entry.parser.bytesConsumed());
    entry.followers << &priv->waiting;
    ++entry.followed;
    return std::unique_ptr<RunSubscription>(new RunSubscription(std::move(priv)));
}

qint64 RunStore::parsedBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_parsed;
}

qint64 RunStore::rememberedBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_remembered;
}

std::shared_ptr<RunStore::Entry> RunStore::entryOf(const QString& runDir)
{
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<Entry>& entry = m_entries[runDir];
    if (!entry)
        entry = std::make_shared<Entry>();
    m_recent.erase(entry->used);
    entry->used = ++m_uses;
    m_recent.emplace(entry->used, runDir);
    return entry;
}

void RunStore::account(const QString& runDir, qint64 bytes, qint64 parsed)
{
    static constexpr qint64 kHeadBytes = 4096; // run.json and status.json as values
    const std::lock_guard lock(m_mutex);
    m_parsed += parsed;
    if (const auto entry = m_entries.value(runDir)) {
        m_remembered += bytes + kHeadBytes - entry->accounted;
        entry->accounted = bytes + kHeadBytes;
    }
    for (auto it = m_recent.begin(); m_remembered > m_mostBytes && it != m_recent.end();) {
        if (m_entries.value(it->second)->followed > 0) {
            ++it;
            continue;
        }
        const auto oldest = m_entries.take(it->second);
        it = m_recent.erase(it);
        m_remembered -= oldest->accounted;
        oldest->accounted = 0;
    }
}

} // namespace scalebench
