// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sparse gradients as a ParameterSet keeps them.

#include "engine/tensor/sparse_rows.h"
