// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention of a backend.

#include "engine/tensor/tensor.h"

namespace scalebench {

class AttentionOps
{
public:
    virtual ~AttentionOps() = default;
};

} // namespace scalebench
