// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much a test does, and how long it waits.

#include <QtGlobal>

namespace scalebench::test {

/// packaging/check runs every behaviour once; packaging/check --full (SB_TEST_FULL) also every
/// further case of it: the other connection, shape, type or size of the same thing.
inline bool fullCampaign()
{
    return qEnvironmentVariableIsSet("SB_TEST_FULL");
}

/// Ends a hang. Waiting stops as soon as the thing waited for is there, so this says nothing of
/// speed: a machine that is busy with other things passes too.
inline constexpr int kHangMs = 600'000;

} // namespace scalebench::test
