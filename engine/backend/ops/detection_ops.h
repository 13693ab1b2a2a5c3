// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object-detection operations of a backend.

#include "engine/tensor/tensor.h"

namespace scalebench {

class DetectionOps
{
public:
    virtual ~DetectionOps() = default;
};

} // namespace scalebench
