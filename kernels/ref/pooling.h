// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling, resizing and the option-A shortcut in double precision, forward; layouts as in the ops'
// headers.

#include "kernels/avg_pool2d.h"
#include "kernels/elementwise.h"
#include "kernels/pool2d.h"
#include "kernels/ref/values.h"
#include "kernels/resize2d.h"

namespace scalebench::kernels::ref {

/// argmax: of every output, the element of x that it is (the first of equals); may be null.
Values maxPoolForward(const MaxPoolParams& p, const Values& x,
                      std::vector<std::size_t>* argmax = nullptr);
Values avgPoolForward(const AvgPoolParams& p, const Values& x);
Values globalAvgPoolForward(const GlobalAvgPoolParams& p, const Values& x);
Values shortcutPadForward(const ShortcutPadParams& p, const Values& x);
Values resize2dForward(const Resize2dParams& p, const Values& x);

} // namespace scalebench::kernels::ref
