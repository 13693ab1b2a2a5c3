// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A number that stands for how a plan packs a weight. Plans of one number pack alike, so that one
// packed weight serves pictures of every size that the library wants the same layout for.

#include <cstdint>

namespace scalebench::kernels::cpu {

using WeightLayout = std::uint64_t;

/// One that no other plan has. Thread-safe.
WeightLayout newWeightLayout();

} // namespace scalebench::kernels::cpu
