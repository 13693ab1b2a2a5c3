// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/cuda_emulation/vendor_math.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"
#include "support/cuda_emulation/vendor.h"

namespace scalebench::emulation {
namespace {

int fastest = -1; ///< -1: nobody waits
std::vector<std::string> runs;
std::atomic<std::int64_t> pretended{0}; ///< nanoseconds

} // namespace

std::chrono::nanoseconds pretendedTime()
{
    return std::chrono::nanoseconds(pretended);
}

float loadElement(Element type, const void* from, std::int64_t index)
{
    if (type == Element::F32)
        return static_cast<const float*>(from)[index];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(from)[index];
    return type == Element::BF16 ? formula::bf16ToF32(bits) : formula::f16ToF32(bits);
}

void storeElement(Element type, void* to, std::int64_t index, float value)
{
    if (type == Element::F32)
        static_cast<float*>(to)[index] = value;
    else
        static_cast<std::uint16_t*>(to)[index] =
            type == Element::BF16 ? formula::f32ToBf16(value) : formula::f32ToF16(value);
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
              float* d)
{
    std::fill(d, d + m * n, 0.0f);
    constexpr std::int64_t kRows = kTileRows, kDepth = 256, kColumns = 8;
    float acc[kColumns][kRows];
    for (std::int64_t i = 0; i < m; i += kRows)
        for (std::int64_t l = 0; l < k; l += kDepth)
            for (std::int64_t j = 0; j < n; j += kColumns) {
                const std::int64_t rows = std::min(kRows, m - i), depth = std::min(kDepth, k - l),
                                   columns = std::min(kColumns, n - j);
                std::memset(acc, 0, sizeof acc);
                multiplyTile(rows, columns, depth, a + l * m + i, m, b + j * k + l, k, acc);
                for (std::int64_t c = 0; c < columns; ++c)
                    for (std::int64_t r = 0; r < rows; ++r)
                        d[(j + c) * m + i + r] += acc[c][r];
            }
}

float geluTanh(float x)
{
    return 0.5f * x * (1.0f + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

void noteVendorRun(const std::string& library, int candidate)
{
    if (fastest >= 0 && candidate != fastest)
        pretended += std::chrono::nanoseconds(std::chrono::minutes(1)).count();
    runs.push_back(library + " " + std::to_string(candidate));
    if (runs.size() > 10000)
        runs.clear();
}

void setFastestCandidate(int number)
{
    fastest = number;
}

std::vector<std::string> takeVendorRuns()
{
    return std::exchange(runs, {});
}

} // namespace scalebench::emulation
