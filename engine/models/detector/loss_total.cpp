// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/detector/loss_total.h"

#include "engine/autograd/functions/elementwise.h"
#include "kernels/check.h"

#include <utility>

namespace scalebench {

namespace {

LossSums totalOf(const std::vector<LossSums>& sums)
{
    const auto get = [sums] {
        SoftmaxCeResult total;
        for (const LossSums& one : sums)
            total += one.get();
        return total;
    };
    const auto start = [sums] {
        std::vector<LossSums> started;
        for (const LossSums& one : sums)
            started.push_back(one.started());
        return totalOf(started);
    };
    return LossSums(get, start);
}

} // namespace

void LossTotal::add(autograd::RecordedLoss loss)
{
    sum_ = sum_.value().defined() ? autograd::add(tape_, sum_, loss.loss) : std::move(loss.loss);
    sums_.push_back(std::move(loss.sums));
}

LossResult LossTotal::result() const
{
    SB_REQUIRE(sum_.value().defined(), "a loss of no objectives");
    return {sum_, totalOf(sums_)};
}

} // namespace scalebench
