// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the attention of every device checks and works out from its arguments.

#include "engine/backend/ops/additive_attention.h"
#include "engine/backend/ops/dot_attention.h"
#include "kernels/additive_attention.h"
#include "kernels/attention.h"

#include <string>

namespace scalebench {

/// Parameters of a call whose operands are activations with at least one axis. InvalidArgument
/// where they do not belong together.
AttentionParams attentionParams(const DotAttentionArgs& args, const TokenColumns& query,
                                const TokenColumns& key, const TokenColumns& value);
/// InvalidArgument unless the gradients fit to the operands and forward kept what is needed.
void requireAttentionGradients(const TokenColumns& query, const TokenColumns& key,
                               const TokenColumns& value, const DotAttentionResult& forward,
                               const Tensor& gradOutput, const DotAttentionGradients& gradients);
/// Address of the first column.
void* firstColumn(const TokenColumns& c);

/// Parameters of a call whose query, key and value are activations with three axes. InvalidArgument
/// where shapes or types do not belong together; what lengths hold is not looked at.
AdditiveAttentionParams additiveAttentionParams(const AdditiveAttentionArgs& args);
/// InvalidArgument unless what backward gets fits to the parameters.
void requireAdditiveGradients(const AdditiveAttentionParams& p, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients);

} // namespace scalebench
