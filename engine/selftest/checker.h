// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a case has at hand: the backend, the element type, random operands and comparisons. All
// comparisons are noted; a case goes on after a failed one.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/selftest/tolerance.h"
#include "engine/tensor/tensor.h"

namespace scalebench::selftest {

using Values = std::vector<double>;

/// Host numbers as a tensor of the backend.
Tensor constantTensor(Backend& backend, const Shape& shape, const std::vector<float>& values);
Tensor constantTensor(Backend& backend, const Shape& shape,
                      const std::vector<std::int32_t>& values);

/// How random operands are filled; all values are exact in f32 and bf16.
enum class Fill {
    Uniform,      ///< [-1,1)
    AwayFromZero, ///< magnitude in [0.125,1): no kink of a ReLU nearby
    Distinct,     ///< all different where there are fewer than 30,000: no ties for a maximum
    Positive      ///< [0.125,1)
};

class Checker
{
public:
    Checker(Backend& backend, DType dtype, std::uint64_t seed)
        : backend_(backend), dtype_(dtype), state_(seed)
    {
    }

    Backend& backend() const noexcept { return backend_; }
    DType dtype() const noexcept { return dtype_; }

    /// Random numbers, the same on every run.
    Values random(std::int64_t n, Fill fill = Fill::Uniform);
    /// Integers in [low, high).
    std::vector<std::int32_t> randomIntegers(std::int64_t n, std::int32_t low, std::int32_t high);
    /// In [0,1).
    double uniform();

    Tensor tensor(const Shape& shape, const Values& values, DType dtype);
    Tensor tensor(const Shape& shape, const Values& values)
    {
        return tensor(shape, values, dtype_);
    }
    Tensor tensor(const Shape& shape, const std::vector<std::int32_t>& values);
    /// Of a tensor of the backend, or of the host.
    Values values(const Tensor& tensor) const;
    std::vector<std::int32_t> integers(const Tensor& tensor) const;

    /// Largest difference, relative to the largest expected magnitude (or to `scale` if given).
    /// `limit`: tolerance(...) entries.
    void compare(const std::string& what, const Values& actual, const Values& expected,
                 double limit, double scale = 0);
    /// The output of the op against the reference, by the table.
    void compareValues(const std::string& what, const Tensor& actual, const Values& expected);
    void compareExactly(const std::string& what, const std::vector<std::int32_t>& actual,
                        const std::vector<std::int32_t>& expected);
    /// `sentence` says what is wrong when it does not hold.
    void require(bool condition, const std::string& sentence);

    double worst() const noexcept { return worst_; }
    int comparisons() const noexcept { return comparisons_; }
    /// The first failure, or empty.
    const std::string& failure() const noexcept { return failure_; }

private:
    std::uint64_t next();
    void fail(const std::string& sentence);

    Backend& backend_;
    DType dtype_;
    std::uint64_t state_;
    double worst_ = 0;
    int comparisons_ = 0;
    std::string failure_;
};

} // namespace scalebench::selftest
