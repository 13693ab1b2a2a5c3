// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace scalebench {

QString plotLibraryVersion(); ///< for the About box

} // namespace scalebench
