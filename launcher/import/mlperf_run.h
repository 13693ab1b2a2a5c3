// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a log's run means: the rules of its round, the description of its system and the place where
// it lay are put together with what its lines say.

#include "mlperf_log.h"
#include "run/imported_study.h"
#include "system_description.h"

#include <QString>

#include <optional>

namespace scalebench::imports {

struct LogContext {
    QString path; ///< of the file, absolute
    std::optional<SystemDescription> system;
    int accelerators = 0; ///< as a person gave them; 0: not given
};

/// Without its source's checksum and run id.
ImportedRun interpretRun(const MlperfRun& run, const LogContext& context);

} // namespace scalebench::imports
