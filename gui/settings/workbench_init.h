// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalebench {

/// Icons, styles and translations; initWorkbench() does it too.
void initResources();

/// Resources and translators that every program linking this library needs. After QApplication.
void initWorkbench();

} // namespace scalebench
