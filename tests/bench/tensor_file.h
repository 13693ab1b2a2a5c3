// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes named tensors for another program to read, in the layout of safetensors
// (https://github.com/huggingface/safetensors#format): eight bytes with the length of a JSON header
// (little endian), the header {name: {dtype, shape, data_offsets}}, then the raw values.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/tensor/tensor.h"

namespace scalebench::bench {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// F32 and I32 tensors; `metadata` goes into the header. Throws Error when the file cannot be
/// written.
void writeTensorFile(const std::string& path, const NamedTensors& tensors,
                     const std::map<std::string, std::string>& metadata);

} // namespace scalebench::bench
