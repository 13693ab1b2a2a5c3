// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keys of hosts that ssh does not know yet: a person sees them, then trusts them.
#include "machine/machines.h"

#include <QByteArray>
#include <QString>

namespace scalebench {

/// The key of a host that ssh does not know yet, got without trusting it.
struct HostKey {
    QString host;
    QString fingerprint;       ///< "SHA256:…"
    QString type;              ///< "ED25519"
    QByteArray knownHostsLine; ///< what trusting it appends
    QString knownHostsFile;    ///< where
};
/// Asks the host for its key (up to `timeoutS`). Code "host_key_changed" when ssh knows another
/// one: that is never offered for trust.
Result<HostKey> fetchHostKey(const TargetMachine& machine, const QString& host, int timeoutS = 10);
/// After the user saw the fingerprint and agreed.
Result<void> trustHostKey(const HostKey& key);

} // namespace scalebench
