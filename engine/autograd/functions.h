// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All functions of the tape: one per (fused) op, in functions/ by family. Each calls the backend
// forward and records how to go back. Models and layers call these and never name a device.
// A backward captures handles (cheap) of exactly what it needs; the tape drops them when it has
// run. Tape and backend are captured by address: both outlive the nodes.

#include "engine/autograd/functions/additive_attention.h"
#include "engine/autograd/functions/attention.h"
#include "engine/autograd/functions/convolution.h"
#include "engine/autograd/functions/detection.h"
#include "engine/autograd/functions/elementwise.h"
#include "engine/autograd/functions/embedding.h"
#include "engine/autograd/functions/loss.h"
#include "engine/autograd/functions/matmul.h"
#include "engine/autograd/functions/normalization.h"
#include "engine/autograd/functions/owned_tables.h"
#include "engine/autograd/functions/pooling.h"
#include "engine/autograd/functions/recurrent.h"
