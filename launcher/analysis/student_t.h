// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalebench {

/// Two-sided quantile of Student's t distribution: P(|T| <= t) = `confidence` with `freedom`
/// degrees of freedom (>= 1). Accurate to about 1e-10.
double studentT(double confidence, int freedom);

} // namespace scalebench
