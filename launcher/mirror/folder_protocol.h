// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What both ends of resources/protocol/remote_follow.md share.

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

inline constexpr int kFolderProtocol = 3;
inline constexpr int kSignOfLifeMs = 2000; ///< from both sides
/// A follower that says nothing for so long is gone: its link broke without a word.
inline constexpr int kFollowerGoneMs = 30'000;

enum class ServedFolder {
    Study, ///< a whole study, with its queue
    Run    ///< a run's folder on a compute node
};

/// How much of a file somebody has.
struct FileMark {
    qint64 bytes = 0;
    QByteArray sha256; ///< hex, of these bytes
};
/// Of the first `bytes` of a file (-1: all of it); no sha256 where it is shorter or unreadable.
FileMark markOf(const QString& path, qint64 bytes = -1);
/// Of a checkpoint's header, which holds the checksums of all that follows it: reading gigabytes
/// would keep everything else waiting. `bytes` are the whole file's.
FileMark markOfCheckpoint(const QString& path);

/// Relative, no "..", no empty part, no control character, 8 parts and 1000 bytes at most.
bool isSafePath(const QString& path);
/// Names, relative to a run folder, that grow while the run goes on and are sent live.
bool isLiveName(const QString& name);
/// Of the run's checkpoints: they are sent whole, as `incoming`, and put in place by who gets them.
bool isCheckpoint(const QString& name);
/// Whether a file of a run folder is served at all.
bool isServed(ServedFolder kind, const QString& nameInRun);
/// How large the copy of a file may become: what is beyond that is not kept. Nothing where the file
/// has no place in the copy: names we do not know, and run.json, which only the one who planned the
/// study writes.
std::optional<qint64> keptBytes(ServedFolder kind, const QString& path);
/// study.json, plan.json, machine.json and each run's run.json and status.json: all that a new
/// study is sent with.
bool isPlanFile(const QString& path);
/// The first part of `path` below `dir` that is a link; empty where there is none.
QString linkOnTheWay(const QString& dir, const QString& path);
/// All files below `dir`, relative, temporary ones left out.
QStringList filesBelow(const QString& dir);

QByteArray frame(const QJsonObject& head, const QByteArray& payload = {});

/// Cuts a byte stream into heads and payloads.
class FrameReader
{
public:
    void feed(const QByteArray& bytes) { m_buffer += bytes; }
    /// False when the next frame is not complete yet. `damaged()` afterwards: it never will be.
    bool next(QJsonObject& head, QByteArray& payload);
    bool damaged() const { return m_damaged; }

private:
    QByteArray m_buffer;
    bool m_damaged = false;
};

} // namespace scalebench
