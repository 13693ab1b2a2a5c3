// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor_file.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "kernels/check.h"

namespace scalebench::bench {
namespace {

const char* fileType(const Tensor& t)
{
    if (t.dtype() == DType::F32)
        return "F32";
    if (t.dtype() == DType::I32)
        return "I32";
    throw Unsupported("tensor file: " + t.describe() + " is neither f32 nor i32");
}

} // namespace

void writeTensorFile(const std::string& path, const NamedTensors& tensors,
                     const std::map<std::string, std::string>& metadata)
{
    nlohmann::ordered_json header;
    header["__metadata__"] = metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        header[name] = {{"dtype", fileType(tensor)},
                        {"shape", tensor.shape()},
                        {"data_offsets", {offset, offset + tensor.bytes()}}};
        offset += tensor.bytes();
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();

    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << text;
    for (const auto& [name, tensor] : tensors)
        file.write(static_cast<const char*>(tensor.data()), std::streamsize(tensor.bytes()));
    file.close();
    if (!file)
        throw Error("io", "cannot write " + path);
}

} // namespace scalebench::bench
