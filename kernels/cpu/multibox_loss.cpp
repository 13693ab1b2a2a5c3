// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/multibox_loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kernels/cpu/loss_sum.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/row_max.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cpu {
namespace {

/// One picture's rows of everything; the gradients may be null.
template <class T>
struct PictureRows {
    const T *logits, *deltas;
    const std::int32_t* labels;
    const float* targets;
    T *gradLogits, *gradDeltas;
};

/// out[a] = log of the sum of the exponentials of row a.
template <class T>
SB_HOST_DEVICE void logSums(const T* logits, std::int64_t boxes, std::int64_t classes, float* out)
{
    for (std::int64_t a = 0; a < boxes; ++a) {
        const T* const row = logits + a * classes;
        const float most = rowMax(row, classes);
        const double sum = sumOfTerms(
            classes, [&](std::int64_t c) { return formula::exp(formula::load(row + c) - most); });
        out[a] = most + std::log(float(sum));
    }
}
SB_TARGET_CLONES void logSumsOf(const float* logits, std::int64_t boxes, std::int64_t classes,
                                float* out)
{
    logSums(logits, boxes, classes, out);
}
SB_TARGET_CLONES void logSumsOf(const bf16_t* logits, std::int64_t boxes, std::int64_t classes,
                                float* out)
{
    logSums(logits, boxes, classes, out);
}

template <class T>
class PictureLoss
{
public:
    PictureLoss(const MultiboxLossParams& p, const PictureRows<T>& rows)
        : p_(p),
          rows_(rows),
          boxes_(std::size_t(p.boxes)),
          classes_(std::size_t(p.classes)),
          row_(classes_)
    {
    }

    SoftmaxCeResult run()
    {
        if (rows_.gradLogits) {
            std::fill_n(rows_.gradLogits, boxes_ * classes_, T(0));
            std::fill_n(rows_.gradDeltas, boxes_ * 4, T(0));
        }
        const auto positives = std::count_if(rows_.labels, rows_.labels + boxes_,
                                             [](std::int32_t label) { return label > 0; });
        if (positives == 0)
            return {};
        weight_ = 1.0f / float(positives);
        logSums_.resize(boxes_);
        logSumsOf(rows_.logits, p_.boxes, p_.classes, logSums_.data());
        for (std::size_t a = 0; a < boxes_; ++a)
            if (rows_.labels[a] > 0) {
                addClass(a);
                addBox(a);
            }
        for (const std::size_t a :
             hardNegatives(std::size_t(positives) * std::size_t(p_.negativesPerPositive)))
            addClass(a);
        sums_.lossSum *= double(weight_);
        return sums_;
    }

private:
    /// The logits of a box, until the next call.
    std::span<const float> row(std::size_t a)
    {
        for (std::size_t c = 0; c < classes_; ++c)
            row_[c] = formula::load(rows_.logits + a * classes_ + c);
        return row_;
    }

    /// The negatives with the largest loss, in order of their number.
    std::vector<std::size_t> hardNegatives(std::size_t count) const
    {
        std::vector<std::pair<float, std::size_t>> losses;
        for (std::size_t a = 0; a < boxes_; ++a)
            if (rows_.labels[a] == 0) {
                // Falling loss: rising. A NaN has no place in an order.
                const float v = formula::load(rows_.logits + a * classes_) - logSums_[a];
                losses.emplace_back(std::isnan(v) ? -std::numeric_limits<float>::infinity() : v, a);
            }
        count = std::min(count, losses.size());
        std::ranges::nth_element(losses, losses.begin() + std::ptrdiff_t(count));
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < count; ++i)
            chosen.push_back(losses[i].second);
        std::ranges::sort(chosen);
        return chosen;
    }

    void addClass(std::size_t a)
    {
        const std::span<const float> z = row(a);
        const auto label = std::size_t(rows_.labels[a]);
        sums_.lossSum += double(logSums_[a] - z[label]);
        sums_.correct += std::size_t(std::ranges::max_element(z) - z.begin()) == label;
        ++sums_.counted;
        if (!rows_.gradLogits)
            return;
        T* to = rows_.gradLogits + a * classes_;
        for (std::size_t c = 0; c < classes_; ++c)
            formula::store(to + c, p_.scale * weight_ *
                                       (std::exp(z[c] - logSums_[a]) - (c == label ? 1.0f : 0.0f)));
    }

    void addBox(std::size_t a)
    {
        for (std::size_t i = 4 * a; i < 4 * a + 4; ++i) {
            const float d = formula::load(rows_.deltas + i) - rows_.targets[i];
            sums_.lossSum += std::abs(d) < 1 ? 0.5 * double(d) * double(d) : std::abs(d) - 0.5;
            if (rows_.gradDeltas)
                formula::store(rows_.gradDeltas + i,
                               p_.scale * weight_ * std::clamp(d, -1.0f, 1.0f));
        }
    }

    const MultiboxLossParams& p_;
    PictureRows<T> rows_;
    std::size_t boxes_, classes_;
    float weight_ = 0;
    std::vector<float> row_, logSums_;
    SoftmaxCeResult sums_;
};

template <class T>
SoftmaxCeResult allPictures(const MultiboxLossParams& p, const T* logits, const T* deltas,
                            const std::int32_t* labels, const float* targets, T* dlogits,
                            T* ddeltas)
{
    std::vector<SoftmaxCeResult> results(std::size_t(p.N));
    parallelFor(p.N, [&](std::int64_t n) {
        const std::int64_t box = n * p.boxes, logit = box * p.classes;
        const PictureRows<T> rows{logits + logit,
                                  deltas + box * 4,
                                  labels + box,
                                  targets + box * 4,
                                  dlogits ? dlogits + logit : nullptr,
                                  ddeltas ? ddeltas + box * 4 : nullptr};
        results[std::size_t(n)] = PictureLoss<T>(p, rows).run();
    });
    SoftmaxCeResult sums;
    for (const SoftmaxCeResult& result : results)
        sums += result;
    return sums;
}

} // namespace

SoftmaxCeResult multiboxLoss(const MultiboxLossParams& p, const void* logits, const void* deltas,
                             const std::int32_t* labels, const float* targets, void* dlogits,
                             void* ddeltas)
{
    if (p.dtype == DType::F32)
        return allPictures(p, static_cast<const float*>(logits), static_cast<const float*>(deltas),
                           labels, targets, static_cast<float*>(dlogits),
                           static_cast<float*>(ddeltas));
    return allPictures(p, static_cast<const bf16_t*>(logits), static_cast<const bf16_t*>(deltas),
                       labels, targets, static_cast<bf16_t*>(dlogits),
                       static_cast<bf16_t*>(ddeltas));
}

} // namespace scalebench::kernels::cpu
