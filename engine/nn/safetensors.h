// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The reader of safetensors files; use openWeights().

#include "engine/nn/weights_file.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace scalebench {

class Safetensors final : public WeightsFile
{
public:
    /// Reads the header; throws as openWeights() does.
    explicit Safetensors(const std::string& path);
    /// The same from memory or any other stream of `bytes`; `name` is only for messages.
    Safetensors(std::unique_ptr<std::istream> in, uint64_t bytes, const std::string& name);

    std::string format() const override { return "safetensors"; }

private:
    struct Place {
        std::string type;            ///< "F32"
        uint64_t begin = 0, end = 0; ///< behind the header
    };
    std::vector<float> values(size_t entry) const override;
    void readHeader(uint64_t bytes);
    void addTensor(const std::string& name, const void* json);
    void checkPlaces(uint64_t dataBytes) const;

    std::unique_ptr<std::istream> in_;
    uint64_t data_ = 0; ///< where the values begin
    std::vector<Place> places_;
};

} // namespace scalebench
