// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/plot_library.h"

#include "charts/qcp.h"

namespace scalebench {

QString plotLibraryVersion()
{
    return QStringLiteral(QCUSTOMPLOT_VERSION_STR);
}

} // namespace scalebench
