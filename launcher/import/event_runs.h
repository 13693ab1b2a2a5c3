// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A training run out of the scalars of a TensorBoard event file.

#include "event_file.h"
#include "run/imported_study.h"

#include <QString>

#include <optional>

namespace scalebench::imports {

/// Tags that a person may name; empty ones are found by their words ("val/acc", "train_loss").
struct EventTags {
    QString quality;
    QString loss;
    QString learningRate;
    QString samplesPerSecond;
};

/// Nothing where the file has no scalar. Every point of the quality is an evaluation; its "epoch"
/// is the value of an `epoch` scalar at that step, else the step. Curves keep 2000 points.
std::optional<ImportedRun> runOfEvents(const EventFile& file, const QString& path,
                                       const EventTags& tags = {});

} // namespace scalebench::imports
