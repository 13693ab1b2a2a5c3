// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recurrent layers of a backend.

#include "engine/tensor/tensor.h"

namespace scalebench {

class RecurrentOps
{
public:
    virtual ~RecurrentOps() = default;
};

} // namespace scalebench
