// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether a host's key is to be trusted: the one question of ssh that nobody may answer unasked.

class QWidget;

namespace scalebench {

struct HostKey;

/// Shows the fingerprint and asks; Enter and Esc both mean no.
bool askToTrust(QWidget* parent, const HostKey& key);

} // namespace scalebench
