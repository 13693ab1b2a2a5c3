// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/safetensors.h"

#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <numeric>
#include <utility>

namespace scalebench {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kLongestHeader = 8 << 20;
constexpr size_t kMostTensors = 100'000, kMostDimensions = 16, kLongestName = 1024;

uint64_t bytesOf(const std::string& type)
{
    static constexpr std::pair<const char*, uint64_t> kTypes[] = {
        {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
        {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
        {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
    for (const auto& [name, bytes] : kTypes)
        if (type == name)
            return bytes;
    return 0;
}

uint64_t littleEndian(const std::array<char, 8>& bytes)
{
    uint64_t value = 0;
    for (size_t i = 8; i-- > 0;)
        value = value << 8 | uint8_t(bytes[i]);
    return value;
}

/// The elements of a shape, or false where they would not fit into 2^60.
bool elements(const std::vector<int64_t>& shape, uint64_t& count)
{
    count = 1;
    for (const int64_t edge : shape)
        if (__builtin_mul_overflow(count, uint64_t(edge), &count) || count >> 60 != 0)
            return false;
    return true;
}

bool isCount(const Json& value)
{
    return value.is_number_unsigned() && value.get<uint64_t>() <= uint64_t(INT64_MAX);
}

} // namespace

Safetensors::Safetensors(const std::string& path)
    : WeightsFile(path), in_(std::make_unique<std::ifstream>(path, std::ios::binary))
{
    if (!*in_)
        refuse(path, "the file cannot be opened");
    in_->seekg(0, std::ios::end);
    const auto bytes = std::streamoff(in_->tellg());
    in_->seekg(0);
    readHeader(bytes < 0 ? 0 : uint64_t(bytes));
}

Safetensors::Safetensors(std::unique_ptr<std::istream> in, uint64_t bytes, const std::string& name)
    : WeightsFile(name), in_(std::move(in))
{
    readHeader(bytes);
}

void Safetensors::readHeader(uint64_t bytes)
{
    std::array<char, 8> length = {};
    if (!in_->read(length.data(), length.size()))
        refuse(path_, "the file is neither safetensors nor a checkpoint of Scalebench");
    const uint64_t header = littleEndian(length);
    if (header > kLongestHeader)
        refuse(path_,
               "it is neither a checkpoint of Scalebench nor safetensors with a header of 8 MB "
               "at most");
    if (header > bytes - length.size())
        refuse(path_, "the file ends within its header (it was cut off)");
    std::string text(header, '\0');
    if (!in_->read(text.data(), std::streamsize(header)))
        refuse(path_, "the file ends within its header (it was cut off)");
    data_ = length.size() + header;
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        refuse(path_, "its header is not a JSON object, so it is no safetensors file");
    if (json.size() > kMostTensors)
        refuse(path_, "it lists more than 100,000 tensors");
    for (const auto& [name, tensor] : json.items())
        if (name != "__metadata__")
            addTensor(name, &tensor);
    checkPlaces(bytes - data_);
}

void Safetensors::addTensor(const std::string& name, const void* json)
{
    const Json& tensor = *static_cast<const Json*>(json);
    const std::string shown = shownName(name);
    if (name.size() > kLongestName)
        refuse(path_, shown + " is longer than a name can be");
    const auto member = [&](const char* key) {
        const auto at = tensor.is_object() ? tensor.find(key) : tensor.end();
        return tensor.is_object() && at != tensor.end() ? *at : Json();
    };
    const Json type = member("dtype"), shape = member("shape"), place = member("data_offsets");
    if (!type.is_string() || !shape.is_array() || !place.is_array() || place.size() != 2 ||
        !isCount(place[0]) || !isCount(place[1]) || shape.size() > kMostDimensions ||
        !std::ranges::all_of(shape, isCount))
        refuse(path_, shown + " lacks \"dtype\", \"shape\" or \"data_offsets\" as the format asks");
    Entry entry{name, shape.get<std::vector<int64_t>>()};
    const Place at{type.get<std::string>(), place[0].get<uint64_t>(), place[1].get<uint64_t>()};
    const uint64_t each = bytesOf(at.type);
    if (each == 0)
        refuse(path_, shown + " has values of the unknown type " + shownName(at.type));
    uint64_t count = 0;
    if (!elements(entry.shape, count) || at.end < at.begin || at.end - at.begin != count * each)
        refuse(path_, shown + " has another number of bytes than its shape");
    entries_.push_back(std::move(entry));
    places_.push_back(at);
}

void Safetensors::checkPlaces(uint64_t dataBytes) const
{
    std::vector<size_t> order(places_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {},
                      [&](size_t i) { return std::pair(places_[i].begin, places_[i].end); });
    uint64_t end = 0;
    for (const size_t i : order) {
        const std::string shown = shownName(entries_[i].name);
        if (places_[i].end > dataBytes)
            refuse(path_, shown + " reaches behind the end of the file (it was cut off)");
        if (places_[i].begin < end)
            refuse(path_, shown + " overlaps with another tensor");
        if (places_[i].begin > end)
            refuse(path_, "there is a hole in front of " + shown);
        end = places_[i].end;
    }
    if (end != dataBytes)
        refuse(path_, "there are bytes behind the last tensor");
}

std::vector<float> Safetensors::values(size_t entry) const
{
    const Place& place = places_.at(entry);
    const std::string shown = shownName(entries_[entry].name);
    const bool half = place.type == "F16", brain = place.type == "BF16";
    if (place.type != "F32" && !half && !brain)
        refuse(path_, shown + " is of type " + place.type + "; F32, F16 and BF16 can be read");
    std::vector<char> bytes(place.end - place.begin);
    in_->clear();
    in_->seekg(std::streamoff(data_ + place.begin));
    if (!in_->read(bytes.data(), std::streamsize(bytes.size())))
        refuse(path_, shown + " cannot be read (the file was changed)");
    std::vector<float> all(bytes.size() / (half || brain ? 2 : 4));
    if (!half && !brain) {
        std::memcpy(all.data(), bytes.data(), bytes.size());
        return all;
    }
    for (size_t i = 0; i < all.size(); ++i) {
        uint16_t bits = 0;
        std::memcpy(&bits, bytes.data() + 2 * i, sizeof bits);
        all[i] = half ? formula::f16ToF32(bits) : formula::bf16ToF32(bits);
    }
    return all;
}

} // namespace scalebench
