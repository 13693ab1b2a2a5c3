// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention on the CPU: its part of the attention family.

#include "engine/backend/cpu/cpu_context.h"
#include "engine/backend/ops/dot_attention.h"

namespace scalebench::cpu_backend {

DotAttentionResult dotAttentionForward(CpuContext& context, const DotAttentionArgs& args,
                                       const TokenColumns& query, const TokenColumns& key,
                                       const TokenColumns& value, bool keep);
void dotAttentionBackward(CpuContext& context, const DotAttentionArgs& args,
                          const TokenColumns& query, const TokenColumns& key,
                          const TokenColumns& value, const DotAttentionResult& forward,
                          const Tensor& gradOutput, const DotAttentionGradients& gradients);

} // namespace scalebench::cpu_backend
