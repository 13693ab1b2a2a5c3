// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling and resizing on the tape: each function calls the backend forward and records how to go
// back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

Variable maxPool(Tape& tape, const Variable& input, int window, int stride, int padding);

/// Average of windows; countPadding: divide by the whole window at the border too.
Variable avgPool(Tape& tape, const Variable& input, int window, int stride, int padding,
                 bool countPadding = true);

/// To [N,outH,outW,C], as torch.nn.functional.interpolate with align_corners=false.
Variable resize(Tape& tape, const Variable& input, std::int64_t outH, std::int64_t outW,
                ResizeMode mode);

/// [N,H,W,C] -> [N,C].
Variable globalAvgPool(Tape& tape, const Variable& input);

/// Option-A shortcut: every `stride`-th pixel, zero channels added up to `channels`.
Variable shortcutPad(Tape& tape, const Variable& input, std::int64_t channels, std::int64_t stride);

} // namespace scalebench::autograd
