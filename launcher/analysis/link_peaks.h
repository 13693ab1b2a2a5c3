// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What links can carry at most, as their makers state it: what bandwidths of collectives are
// compared with. Pure.

#include <QList>
#include <QString>

namespace scalebench {

struct LinkPeak {
    QString name;
    /// GB/s in one direction: what a bus bandwidth is compared with. Makers of GPUs like to print
    /// both directions together.
    double oneWayGBs = 0;
};

/// Between the GPUs of a node and between nodes, by their usual names.
const QList<LinkPeak>& knownLinks();
/// Those between the GPUs of one node, by the device's name as nccl-tests print it; empty where it
/// does not tell.
QList<LinkPeak> linksOfDevice(const QString& device);

} // namespace scalebench
