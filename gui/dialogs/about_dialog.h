// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace scalebench {

struct MachineInfo;

/// Versions of everything that takes part, licence, shortcuts.
void showAbout(QWidget* parent, const MachineInfo& machine);

} // namespace scalebench
