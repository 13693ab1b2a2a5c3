// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/selftest/checker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"

namespace scalebench::selftest {

namespace {

double roundToBf16(double x)
{
    return double(formula::bf16ToF32(formula::f32ToBf16(float(x))));
}

/// The n-th of the 32,000 bf16 numbers from 2^-61 up, both signs in turn: all different.
double distinctValue(std::int64_t n)
{
    constexpr int kCodes = 8000; // per sign: 62 powers of two below 2, 128 steps each
    const int code = int(n / 2 % kCodes);
    const double magnitude = std::ldexp(1.0 + double(code % 128) / 128.0, -(code / 128) % 62);
    return n % 2 == 0 ? magnitude : -magnitude;
}

std::string number(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
}

} // namespace

namespace {

template <class T>
Tensor ownedTensor(Backend& backend, const Shape& shape, DType dtype, const std::vector<T>& values)
{
    CachingAllocator host;
    const Tensor t = Tensor::empty(shape, dtype, host);
    std::copy(values.begin(), values.end(), static_cast<T*>(t.data()));
    return backend.upload(t);
}

} // namespace

Tensor constantTensor(Backend& backend, const Shape& shape, const std::vector<float>& values)
{
    return ownedTensor(backend, shape, DType::F32, values);
}

Tensor constantTensor(Backend& backend, const Shape& shape, const std::vector<std::int32_t>& values)
{
    return ownedTensor(backend, shape, DType::I32, values);
}

std::uint64_t Checker::next()
{
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

double Checker::uniform()
{
    return double(next() >> 11) / double(std::uint64_t(1) << 53);
}

Values Checker::random(std::int64_t n, Fill fill)
{
    Values v(static_cast<std::size_t>(n));
    if (fill == Fill::Distinct) {
        for (std::int64_t i = 0; i < n; ++i)
            v[std::size_t(i)] = distinctValue(i);
        for (std::size_t i = v.size(); i > 1; --i)
            std::swap(v[i - 1], v[next() % i]);
        return v;
    }
    for (double& x : v) {
        const double u = uniform();
        if (fill == Fill::Uniform)
            x = 2.0 * u - 1.0;
        else
            x = 0.125 + 0.87 * u;
        if (fill == Fill::AwayFromZero && next() % 2 == 0)
            x = -x;
        x = roundToBf16(x);
    }
    return v;
}

std::vector<std::int32_t> Checker::randomIntegers(std::int64_t n, std::int32_t low,
                                                  std::int32_t high)
{
    std::vector<std::int32_t> v(static_cast<std::size_t>(n));
    for (std::int32_t& x : v)
        x = low + std::int32_t(next() % std::uint64_t(high - low));
    return v;
}

Tensor Checker::tensor(const Shape& shape, const Values& values, DType dtype)
{
    CachingAllocator host;
    const Tensor t = Tensor::empty(shape, dtype, host);
    if (dtype == DType::BF16)
        for (std::size_t i = 0; i < values.size(); ++i)
            t.bf16()[i] = formula::f32ToBf16(float(values[i]));
    else if (dtype == DType::F16)
        for (std::size_t i = 0; i < values.size(); ++i)
            t.f16()[i] = formula::f32ToF16(float(values[i]));
    else
        for (std::size_t i = 0; i < values.size(); ++i)
            t.f32()[i] = float(values[i]);
    return backend_.upload(t);
}

Tensor Checker::tensor(const Shape& shape, const std::vector<std::int32_t>& values)
{
    return constantTensor(backend_, shape, values);
}

Values Checker::values(const Tensor& maybeDevice) const
{
    const Tensor tensor = backend_.download(maybeDevice);
    Values v(static_cast<std::size_t>(tensor.count()));
    if (tensor.dtype() == DType::BF16)
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = double(formula::bf16ToF32(tensor.bf16()[i]));
    else if (tensor.dtype() == DType::F16)
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = double(formula::f16ToF32(tensor.f16()[i]));
    else if (tensor.dtype() == DType::F32)
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = double(tensor.f32()[i]);
    else if (tensor.dtype() == DType::I32)
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = double(tensor.i32()[i]);
    else
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = double(tensor.u8()[i]);
    return v;
}

std::vector<std::int32_t> Checker::integers(const Tensor& tensor) const
{
    const Tensor host = backend_.download(tensor);
    return {host.i32().begin(), host.i32().end()};
}

void Checker::fail(const std::string& sentence)
{
    if (failure_.empty())
        failure_ = sentence;
}

void Checker::compare(const std::string& what, const Values& actual, const Values& expected,
                      double limit, double scale)
{
    ++comparisons_;
    if (actual.size() != expected.size()) {
        worst_ = INFINITY;
        fail(what + ": " + std::to_string(actual.size()) + " elements instead of " +
             std::to_string(expected.size()));
        return;
    }
    double top = std::max(scale, 1e-6);
    if (scale <= 0)
        for (double e : expected)
            if (std::isfinite(e))
                top = std::max(top, std::abs(e));
    double largest = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool same =
            actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]));
        const double difference = same ? 0.0 : std::abs(actual[i] - expected[i]);
        if (!(difference <= largest)) { // also for NaN
            largest = std::isnan(difference) ? INFINITY : difference;
            at = i;
            if (std::isinf(largest))
                break;
        }
    }
    worst_ = std::max(worst_, largest / top / limit);
    if (!(largest <= limit * top))
        fail(what + ", element " + std::to_string(at) + ": " + number(actual[at]) + " instead of " +
             number(expected[at]) + " (error " + number(largest / top) + " of the largest value, " +
             number(limit) + " allowed)");
}

void Checker::compareValues(const std::string& what, const Tensor& actual, const Values& expected)
{
    compare(what, values(actual), expected, tolerance(actual.dtype()).value);
}

void Checker::compareExactly(const std::string& what, const std::vector<std::int32_t>& actual,
                             const std::vector<std::int32_t>& expected)
{
    ++comparisons_;
    if (actual == expected)
        return;
    worst_ = INFINITY;
    const std::size_t n = std::min(actual.size(), expected.size());
    for (std::size_t i = 0; i < n; ++i)
        if (actual[i] != expected[i]) {
            fail(what + ", element " + std::to_string(i) + ": " + std::to_string(actual[i]) +
                 " instead of " + std::to_string(expected[i]));
            return;
        }
    fail(what + ": " + std::to_string(actual.size()) + " elements instead of " +
         std::to_string(expected.size()));
}

void Checker::require(bool condition, const std::string& sentence)
{
    ++comparisons_;
    if (condition)
        return;
    worst_ = INFINITY;
    fail(sentence);
}

} // namespace scalebench::selftest
