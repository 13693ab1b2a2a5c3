// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Embedding tables of a backend.

#include "engine/tensor/tensor.h"

namespace scalebench {

class EmbeddingOps
{
public:
    virtual ~EmbeddingOps() = default;
};

} // namespace scalebench
