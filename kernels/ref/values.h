// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The type of all operands of the references.

#include <vector>

namespace scalebench::kernels::ref {

using Values = std::vector<double>;

} // namespace scalebench::kernels::ref
