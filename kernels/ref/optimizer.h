// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Optimizer steps of one tensor in double precision, written from the papers and torch's
// documentation. w, m and v are updated in place.

#include <cstdint>

#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

struct OptimizerSettings {
    double learningRate = 0.1, weightDecay = 0.0, momentum = 0.9;
    bool nesterov = false;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    std::int64_t step = 1;
    bool decoupled = false;             ///< Adam: AdamW
    bool adapt = true;                  ///< LARS, LAMB: with the trust ratio
    double eta = 1e-3;                  ///< LARS
    bool learningRateInMomentum = true; ///< LARS
};

void sgd(const OptimizerSettings& s, const Values& grad, Values& w, Values& v);
void adam(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v);
void lars(const OptimizerSettings& s, const Values& grad, Values& w, Values& v);
void lamb(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v);
/// One row of a table.
void sparseAdam(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v);

/// sqrt(sum of x^2)
double norm(const Values& x);

} // namespace scalebench::kernels::ref
