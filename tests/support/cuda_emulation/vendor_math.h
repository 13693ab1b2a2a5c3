// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the stand-ins of the vendor libraries share: elements of three types and a product of
// matrices that is fast enough for the self-test.

#include <cstddef>
#include <cstdint>
#include <string>

namespace scalebench::emulation {

enum class Element { F32, BF16, F16 };

constexpr std::size_t bytesOf(Element e)
{
    return e == Element::F32 ? 4 : 2;
}
float loadElement(Element type, const void* from, std::int64_t index);
void storeElement(Element type, void* to, std::int64_t index, float value);

/// d[j][i] = sum over k of a[k][i] b[j][k]: i < m, j < n, in fp32.
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
              float* d);

constexpr std::int64_t kTileRows = 256;
/// acc[c][i] += sum over k of a[k][i] b[c][k] for a part of such a product; strides in elements.
void multiplyTile(std::int64_t rows, std::int64_t columns, std::int64_t depth, const float* a,
                  std::int64_t aStride, const float* b, std::int64_t bStride,
                  float (*acc)[kTileRows]);

float geluTanh(float x);

/// Notes a run for takeVendorRuns(); waits where the candidate is not the fastest.
void noteVendorRun(const std::string& library, int candidate);

} // namespace scalebench::emulation
