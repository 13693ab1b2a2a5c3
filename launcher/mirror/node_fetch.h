// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What rank 0's host has of a run comes here before anything is removed there: at the end of a run,
// after its supervisor was lost, and when it is resumed.

#include "mirror/folder_mirror.h"
#include "ssh/nodes.h"

#include <functional>

namespace scalebench {

/// How the mirror finds the run's folder on rank 0's host.
MirrorSetup mirrorSetup(const NodeRun& run, const QString& localDir);

/// The last bytes and the checkpoints, for as long as something comes; `stopped` ends it before.
/// False where not everything is here.
bool fetchAll(FolderMirror& mirror, const std::function<bool()>& stopped = {});

/// An earlier attempt may have left a newer checkpoint there than the one here (its supervisor or
/// the link was lost): it and its stream are fetched and put beside the run's other streams, to be
/// resumed from. Whether it was so. Fails where it could not be fetched; nothing is changed then.
Result<bool> bringCheckpointHome(const NodeRun& run, const std::function<bool()>& stopped = {});

/// The run's folders on its hosts, if all that is in them `isSafe` here; what is still there then
/// is remembered (left_folders.h).
void removeOrRemember(const NodeRun& run, bool isSafe, bool newConnections = false);

/// A run whose supervisor is gone: its processes on hosts are ended, what they measured is fetched,
/// and where all of it is here, its folders there are removed.
struct ClosedNodes {
    QList<NodeEnd> ends;
    QString remains; ///< a sentence, where more than what is here may lie on a host; else empty
};
ClosedNodes closeNodes(const NodeRun& run);

} // namespace scalebench
