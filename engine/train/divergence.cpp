// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/divergence.h"

#include <algorithm>
#include <cmath>

namespace scalebench::train {
namespace {

bool allFinite(Backend& backend, const Tensor& tensor)
{
    const Tensor t = tensor.onDevice() ? backend.download(tensor) : tensor;
    if (t.dtype() == DType::F32)
        return std::ranges::all_of(t.f32(), [](float x) { return std::isfinite(x); });
    if (t.dtype() == DType::BF16) // all exponent bits set: infinity or NaN
        return std::ranges::all_of(t.bf16(), [](bf16_t x) { return (x & 0x7f80u) != 0x7f80u; });
    if (t.dtype() == DType::F16)
        return std::ranges::all_of(t.f16(), [](f16_t x) { return (x & 0x7c00u) != 0x7c00u; });
    return true;
}

/// Forward order is the order of declaration.
std::string firstBadParameter(Backend& backend, const ParameterSet& parameters)
{
    for (size_t i = 0; i < parameters.parameters().size(); ++i)
        if (parameters.parameters()[i].here && !allFinite(backend, parameters.value(int(i))))
            return parameters.parameters()[i].name;
    return {};
}

std::string firstBadOutput(Backend& backend, Network& network, const Batch& batch,
                           const LossParams& params)
{
    std::string found;
    int count = 0;
    Tape tape(backend);
    tape.setInspector([&](const char* op, const std::string& layer, const Tensor& output) {
        ++count;
        if (found.empty() && !allFinite(backend, output))
            found = std::string("the output of ") + op + " (op " + std::to_string(count) +
                    (layer.empty() ? "" : ", layer " + layer) + ")";
    });
    if (network.forwardIsCollective())
        return found; // nobody asks the others
    network.setStatReducer({});
    network.loss(tape, batch, params, true);
    return found;
}

} // namespace

std::string explainDivergence(const DivergedStep& where, Backend& backend, Network& network,
                              const Batch& batch, const LossParams& params)
{
    std::string cause;
    if (const std::string bad = firstBadParameter(backend, network.parameters()); !bad.empty()) {
        cause = "the weights of layer " + bad + " are not finite after the update before";
    } else if (!std::ranges::all_of(batch.tensors,
                                    [&](const Tensor& t) { return allFinite(backend, t); })) {
        cause = "the input batch holds numbers that are not finite";
    } else {
        const std::string output = firstBadOutput(backend, network, batch, params);
        cause = "first in " + (output.empty() ? std::string("the loss itself") : output);
    }
    return "training diverged: the loss became NaN or infinite at step " +
           std::to_string(where.step + 1) + " on rank " + std::to_string(where.rank) + ", " +
           cause + ". Lower the learning rate or lengthen the warm-up.";
}

} // namespace scalebench::train
