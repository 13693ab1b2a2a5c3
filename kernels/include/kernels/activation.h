// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The activation functions that may follow a matrix product or stand alone. Formulas:
// kernels/formula/activation.h.

#include <cstdint>

namespace scalebench {

enum class Activation : std::uint8_t {
    None,
    Relu,
    GeluErf,  ///< x Phi(x) (arXiv 1606.08415), torch.nn.GELU()
    GeluTanh, ///< its tanh approximation, torch.nn.GELU(approximate="tanh")
    Tanh,
    Sigmoid
};

constexpr const char* activationName(Activation a)
{
    switch (a) {
    case Activation::None:
        return "none";
    case Activation::Relu:
        return "relu";
    case Activation::GeluErf:
        return "gelu";
    case Activation::GeluTanh:
        return "gelu tanh";
    case Activation::Tanh:
        return "tanh";
    case Activation::Sigmoid:
        return "sigmoid";
    }
    return "?";
}

} // namespace scalebench
