// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What may be a host name, an ssh destination or a path in a target machine. Host names end up as
// words of ssh and in hostfiles, where Open MPI accepts little; a word that begins with "-" would
// be read as an option. Paths may hold anything a file system takes, except what no line-based
// format can carry.

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// A host of a hostfile or host list: [user@]name, address or alias of the ssh config.
Result<void> checkHostName(const QString& name);
/// An ssh destination: as above, IPv6 addresses too.
Result<void> checkDestination(const QString& name, const QString& what);
/// ssh -J: destinations with ports, commas between.
Result<void> checkJumpHosts(const QString& text);
/// No control characters, no leading "-", not longer than a file system allows.
Result<void> checkPath(const QString& path, const QString& what);
bool hasControlCharacters(const QString& text);
/// The text with control characters made visible and cut, for messages.
QString printable(const QString& text);
/// Upper limit of hosts of one machine: a mistyped range must not fill the memory.
constexpr int kMostHosts = 65536;

} // namespace scalebench
