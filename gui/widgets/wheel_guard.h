// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace scalebench {

/// Number fields and lists below `form` take the wheel only while they have the focus: else it
/// scrolls the page, and would change values that nobody looks at.
void guardWheel(QWidget* form);

} // namespace scalebench
