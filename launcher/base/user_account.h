// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who runs this program, as the system knows it: the environment may not say, as in a service.

#include <QString>

namespace scalebench {

/// The account's name; its number where it has none, as in many containers.
QString userName();
/// Sets HOME to the account's folder where the environment has none, else everything that belongs
/// there goes to the root of the file system. Before anything asks for it.
void setMissingHome();

} // namespace scalebench
