// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parameters of GNMT: for the whole pass (gnmt.cpp) and for one step at a time
// (gnmt_decoder.cpp).

#include <vector>

#include "engine/models/gnmt/gnmt.h"
#include "engine/nn/recurrent.h"

namespace scalebench {

struct Gnmt::Impl {
    GnmtConfig config;
    ComputePrecision precision;
    ParameterSet parameters; // declared in the order of use
    int embedding = -1;
    std::vector<LstmLayer> encoder;
    LstmLayer attentionLstm;
    AdditiveAttentionLayer attention;
    std::vector<LstmLayer> decoder;
    int classifierWeight = -1, classifierBias = -1;

    Impl(const GnmtConfig& c, Backend& backend, Precision requested);
    /// I32 [T,B], on the device -> [T,B,hidden].
    Variable embed(Tape& tape, const Tensor& tokens) const;
    /// [...,hidden] -> logits [rows,vocabulary] in the type of activations.
    Variable classify(Tape& tape, const Variable& x) const;
};

} // namespace scalebench
