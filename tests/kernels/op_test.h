// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the op tests share: random data in both precisions, one table of tolerances, comparison with
// the double reference, finite differences.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/formula/bf16.h"
#include "kernels/ref/reference.h"
#include "kernels/types.h"

namespace scalebench::test {

using Values = kernels::ref::Values;

/// Largest difference allowed, relative to the largest value of the expected tensor.
inline double tolerance(DType t)
{
    return t == DType::F32 ? 2e-5
                           : 8e-3; // bf16 keeps 8 bits: half a unit in the last place is 4e-3
}

/// Numbers that both precisions hold exactly, from a fixed sequence.
inline Values randomValues(std::size_t n, unsigned seed)
{
    Values v(n);
    std::uint64_t state = seed * 2654435761u + 12345u;
    for (double& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const double u = double(state >> 40) / double(1 << 24); // [0,1)
        x = double(formula::bf16ToF32(formula::f32ToBf16(float(2.0 * u - 1.0))));
    }
    return v;
}

/// 64-byte aligned array of a kernel's element type.
class Buffer
{
public:
    Buffer(DType type, std::size_t n)
        : type_(type),
          n_(n),
          bytes_((std::max<std::size_t>(n, 1) * dtypeBytes(type) + 63) / 64 * 64),
          data_(std::aligned_alloc(64, bytes_), std::free)
    {
        std::fill_n(static_cast<unsigned char*>(data_.get()), bytes_,
                    static_cast<unsigned char>(0xff));
    }
    Buffer(DType type, const Values& v) : Buffer(type, v.size())
    {
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (type == DType::BF16)
                static_cast<bf16_t*>(data())[i] = formula::f32ToBf16(float(v[i]));
            else
                static_cast<float*>(data())[i] = float(v[i]);
        }
    }
    void* data() const { return data_.get(); }
    float* f32() const { return static_cast<float*>(data_.get()); }
    Values values() const
    {
        Values v(n_);
        for (std::size_t i = 0; i < n_; ++i)
            v[i] = type_ == DType::BF16
                       ? double(formula::bf16ToF32(static_cast<const bf16_t*>(data())[i]))
                       : double(static_cast<const float*>(data())[i]);
        return v;
    }

private:
    DType type_;
    std::size_t n_, bytes_;
    std::unique_ptr<void, void (*)(void*)> data_;
};

/// Empty when all agree; else a sentence about the worst element.
inline std::string compare(const Values& actual, const Values& expected, double relative)
{
    if (actual.size() != expected.size())
        return "sizes differ";
    double top = 1e-6;
    for (double e : expected)
        top = std::max(top, std::abs(e));
    double worst = -1.0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double d = std::abs(actual[i] - expected[i]);
        if (!(d <= worst)) {
            worst = d;
            at = i;
        }
        if (std::isnan(d))
            break;
    }
    if (worst <= relative * top)
        return {};
    return "element " + std::to_string(at) + ": " + std::to_string(actual[at]) + " instead of " +
           std::to_string(expected[at]) + ", relative error " + std::to_string(worst / top);
}

/// Gradient of `f` by central differences.
inline Values finiteDifferences(const std::function<double(const Values&)>& f, Values x,
                                double h = 1e-5)
{
    Values g(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double keep = x[i];
        x[i] = keep + h;
        const double up = f(x);
        x[i] = keep - h;
        g[i] = (up - f(x)) / (2.0 * h);
        x[i] = keep;
    }
    return g;
}

inline double dot(const Values& a, const Values& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

} // namespace scalebench::test

/// Fails the test with the sentence unless it is empty.
#define SB_AGREE(sentence)                                                                         \
    do {                                                                                           \
        const std::string sbText = (sentence);                                                     \
        QVERIFY2(sbText.empty(), sbText.c_str());                                                  \
    } while (false)
