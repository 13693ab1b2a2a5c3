// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The checkpoints of a run's folder (engine/core/checkpoint.h) as the launcher sees them: which is
// newer, whether it is whole, and whether the stream that belongs to it is there. What is in them
// may come from any host; the arrays and their checksums are the engine's to judge.

#include <QByteArray>
#include <QString>

#include <optional>

namespace scalebench {

/// `checkpoint/latest.sbckpt` and the others, relative to a run's folder.
QString latestCheckpoint();
QString previousCheckpoint();
/// One that is on its way from another computer.
QString incomingCheckpoint();

struct CheckpointHead {
    qint64 step = 0;        ///< updates done
    int epochs = 0;         ///< complete ones
    qint64 streamBytes = 0; ///< of the stream, which the checkpoint goes on from
};
/// All before the arrays, of a file that may be cut off after it; empty where it is not whole.
QByteArray checkpointHeader(const QString& path);
/// Nothing where the file is no checkpoint, its header is damaged, or it was cut off.
std::optional<CheckpointHead> readCheckpointHead(const QString& path);
/// Of the newest in a run's folder.
std::optional<CheckpointHead> newestCheckpoint(const QString& runDir);

/// The stream that the engine would go on from: `result_0.txt`, else that of the last attempt.
/// Empty: none.
QString streamToResume(const QString& runDir);

enum class Installed {
    Yes,
    NotNeeded, ///< older than both, damaged, or its stream is not here
    Lost       ///< the disk would not take it
};
/// The incoming checkpoint becomes `latest`, and what was `latest` becomes `previous`: at any
/// moment a whole one has one of the names. One that is not kept is removed.
Installed installCheckpoint(const QString& runDir);

/// Removes them all, so that the run begins anew. False where one could not be removed.
bool forgetCheckpoints(const QString& runDir);

/// What a run that was interrupted goes on from, as the end of a sentence about `epochs` epochs in
/// its stream: "3 complete epochs are kept, …".
QString whatIsKept(const QString& runDir, qsizetype epochs);

} // namespace scalebench
