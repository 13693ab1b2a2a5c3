// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling and the option-A shortcut in double precision, forward; layouts as in the ops' headers.

#include "kernels/elementwise.h"
#include "kernels/pool2d.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

Values maxPoolForward(const MaxPoolParams& p, const Values& x);
Values globalAvgPoolForward(const GlobalAvgPoolParams& p, const Values& x);
Values shortcutPadForward(const ShortcutPadParams& p, const Values& x);

} // namespace scalebench::kernels::ref
