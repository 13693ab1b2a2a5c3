// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a submission says about the machine of its logs: SUBMITTER/systems/SYSTEM.json from v0.6 on,
// results/SYSTEM/entry.json with submission.json beside "results" in v0.5.

#include <QByteArray>
#include <QString>

#include <optional>

namespace scalebench::imports {

struct SystemDescription {
    QString file; ///< where it was read
    QString submitter, system, division, status;
    QString accelerator; ///< model; empty: processors only
    QString framework;
    int nodes = 0; ///< 0: not told
    int acceleratorsPerNode = 0;
    int processors = 0;       ///< of one node
    int accelerators() const; ///< all of them; 0: not told, or there are none
    /// Of a machine without accelerators: all its processors, or nodes where those are not told.
    int processorsInAll() const;
    /// v0.5's descriptions of clusters give all of it, the logs not how much of it ran.
    bool wholeCluster = false;
    QString problem; ///< why the file could not be read; the numbers are 0 then
};

/// Of JSON, or of v0.6's lines `platform: {"value": ..}`.
SystemDescription parseSystemDescription(const QByteArray& bytes, const QString& file);

/// Looks where a submission has it for the log `path`; nothing when there is none.
std::optional<SystemDescription> findSystemDescription(const QString& path);

/// The submitter's folder in the layout above: of ".../Dell/results/SYSTEM/resnet/result_0.txt" it
/// is "Dell"; empty in another layout.
QString submitterInPath(const QString& path);
/// "resnet" and "SYSTEM" of the same path.
QString benchmarkInPath(const QString& path);
QString systemInPath(const QString& path);

} // namespace scalebench::imports
