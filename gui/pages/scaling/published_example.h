// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Published MLPerf v0.5 results of a DGX-1 (8x V100), as reference to look at without training.

#include "run/study.h"

namespace scalebench {

Study publishedExample();
QString publishedExampleNotice();

} // namespace scalebench
