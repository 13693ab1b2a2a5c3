// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/interactions.h"

#include "engine/workloads/ncf/interaction_readers.h"

namespace scalebench::workloads {

Interactions readInteractions(const std::string& path, const InteractionOptions& options)
{
    const InteractionFiles files = findInteractions(path);
    Interactions set = files.format == InteractionFormat::Triplet ? readTriplet(files)
                                                                  : readRatingLog(files, options);
    set.format = nameOf(files.format);
    return set;
}

} // namespace scalebench::workloads
