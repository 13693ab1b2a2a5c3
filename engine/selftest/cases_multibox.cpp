// SPDX-License-Identifier: GPL-3.0-or-later
// SSD's loss: which boxes are taken, what they count, and all gradients.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/models/ssd/multibox_loss.h"
#include "engine/selftest/case_list.h"
#include "engine/selftest/gradient_case.h"
#include "kernels/check.h"
#include "kernels/ref/loss.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;
using BoxLabels = std::vector<std::int32_t>;

/// How many boxes of a picture are positives.
enum class Objects {
    Few,
    None,
    Many, ///< more negatives are wanted than there are
    All,
    One
};

BoxLabels labelsOfPicture(Objects objects, std::int64_t boxes, std::int64_t classes)
{
    BoxLabels labels(std::size_t(boxes), 0);
    for (std::int64_t a = 0; a < boxes; ++a) {
        const bool positive = objects == Objects::Few    ? a % 97 == 5
                              : objects == Objects::Many ? a % 3 != 0
                              : objects == Objects::All  ? true
                              : objects == Objects::One  ? a == boxes / 2
                                                         : false;
        if (positive)
            labels[std::size_t(a)] = std::int32_t(1 + (a * 31 + 7) % (classes - 1));
    }
    return labels;
}

/// A batch with its reference.
struct MultiboxProblem {
    std::int64_t boxes, classes;
    std::vector<Objects> pictures;
    bool tied = false; ///< boxes have one of two rows of logits

    std::int64_t count() const { return std::int64_t(pictures.size()); }
    Shape logitShape() const { return {count(), boxes, classes}; }
    Shape deltaShape() const { return {count(), boxes, 4}; }
    float scale() const { return 1.0f / float(std::max<std::int64_t>(count(), 1)); }
    MultiboxParams params() const { return {.negativesPerPositive = 3, .scale = scale()}; }

    BoxLabels labels() const
    {
        BoxLabels all;
        for (const Objects objects : pictures) {
            const BoxLabels more = labelsOfPicture(objects, boxes, classes);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }
    Values logits(Checker& check) const
    {
        Values z = check.random(count() * boxes * classes);
        for (double& v : z)
            v *= 4.0;
        for (std::size_t i = std::size_t(2 * classes); tied && i < z.size(); ++i)
            z[i] = z[i - std::size_t(2 * classes)];
        return z;
    }
    Values weights(const Values& logits) const
    {
        return ref::multiboxWeights(boxes, classes, 3, logits, labels());
    }
};

/// d loss / d logits, and d deltas, of the boxes that count.
std::pair<Values, Values> gradientsOf(const MultiboxProblem& m, const Values& logits,
                                      const Values& deltas, const Values& targets,
                                      const Values& weights)
{
    const BoxLabels labels = m.labels();
    Values dLogits(logits.size(), 0.0), dDeltas(deltas.size(), 0.0);
    for (std::size_t a = 0; a < labels.size(); ++a) {
        if (weights[a] == 0.0)
            continue;
        const std::size_t first = a * std::size_t(m.classes), end = first + std::size_t(m.classes);
        double sum = 0.0;
        for (std::size_t i = first; i < end; ++i)
            sum += std::exp(logits[i]);
        for (std::size_t i = first; i < end; ++i)
            dLogits[i] =
                double(m.scale()) * weights[a] *
                (std::exp(logits[i]) / sum - (i - first == std::size_t(labels[a]) ? 1.0 : 0.0));
        for (std::size_t i = 4 * a; labels[a] > 0 && i < 4 * a + 4; ++i)
            dDeltas[i] =
                double(m.scale()) * weights[a] * std::clamp(deltas[i] - targets[i], -1.0, 1.0);
    }
    return {std::move(dLogits), std::move(dDeltas)};
}

/// Rows with something in them.
std::vector<std::int32_t> rowsTaken(const Values& values, std::int64_t width)
{
    std::vector<std::int32_t> taken(values.size() / std::size_t(width), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0.0)
            taken[i / std::size_t(width)] = 1;
    return taken;
}

void checkMultibox(Checker& check, const MultiboxProblem& m)
{
    const DType type = check.dtype();
    const Values logits = m.logits(check);
    Values deltas = check.random(m.count() * m.boxes * 4);
    for (double& v : deltas)
        v *= 2.0;
    const Values targets = check.random(m.count() * m.boxes * 4);
    const BoxLabels labels = m.labels();
    const Tensor z = check.tensor(m.logitShape(), logits), d = check.tensor(m.deltaShape(), deltas);
    const Tensor l = constantTensor(check.backend(), {m.count(), m.boxes}, labels);
    const Tensor t = check.tensor(m.deltaShape(), targets, DType::F32);
    LossOps& ops = check.backend().loss();
    Tensor gz, gd;
    const LossOutput out = ops.multiboxLoss(z, d, l, t, m.params(), true, gz, gd);
    const SoftmaxCeResult sums = out.sums.get();

    const Values weights = m.weights(logits);
    const double loss = ref::multiboxLoss(m.classes, logits, deltas, labels, targets, weights);
    check.compare("sum", {sums.lossSum}, {loss}, tolerance(DType::F32).value);
    check.compare("loss", check.values(out.value), {double(m.scale()) * loss},
                  tolerance(DType::F32).value);
    std::int32_t counted = 0, correct = 0;
    for (std::size_t a = 0; a < weights.size(); ++a)
        if (weights[a] > 0.0) {
            const double* row = logits.data() + std::int64_t(a) * m.classes;
            ++counted;
            correct += std::max_element(row, row + m.classes) - row == labels[a];
        }
    check.compareExactly("counts", {std::int32_t(sums.counted), std::int32_t(sums.correct)},
                         {counted, correct});
    const auto [dLogits, dDeltas] = gradientsOf(m, logits, deltas, targets, weights);
    const Values actual = check.values(gz);
    check.compareExactly("boxes taken", rowsTaken(actual, m.classes),
                         rowsTaken(dLogits, m.classes));
    check.compare("gradient of the logits", actual, dLogits, tolerance(type).gradient);
    check.compare("gradient of the deltas", check.values(gd), dDeltas, tolerance(type).gradient);

    Tensor az, ad;
    const LossOutput again = ops.multiboxLoss(z, d, l, t, m.params(), true, az, ad);
    check.require(again.sums.get().lossSum == sums.lossSum && check.values(az) == actual &&
                      check.values(ad) == check.values(gd),
                  "the same loss twice differs");
    Tensor none;
    const LossOutput alone = ops.multiboxLoss(z, d, l, t, m.params(), false, none, none);
    check.require(!none.defined() && alone.sums.get().lossSum == sums.lossSum,
                  "the loss without gradients differs");
}

/// Against differences of the reference, with the boxes that are taken where it is.
void addMultiboxGradient(CaseList& list, const std::string& use, const MultiboxProblem& m)
{
    GradientCase c;
    c.family = "loss";
    c.name = "multibox loss " + use + " " + toString(m.logitShape());
    // Targets of 0.
    c.operands = {activation("logits", m.logitShape(), Fill::Uniform, 4.0),
                  activation("deltas", m.deltaShape(), Fill::Uniform, 2.0)};
    c.forward = [m](const OperandSet& o) {
        Backend& b = o.tape.backend();
        return std::vector<Variable>{
            multiboxLoss(o.tape, o.x(0), o.x(1),
                         constantTensor(b, {m.count(), m.boxes}, m.labels()),
                         b.zeros(m.deltaShape(), DType::F32), m.params())
                .loss};
    };
    c.branchedReference = [m](const std::vector<Values>& base, const std::vector<Values>& moved) {
        return std::vector<Values>{
            {double(m.scale()) * ref::multiboxLoss(m.classes, moved[0], moved[1], m.labels(),
                                                   Values(moved[1].size(), 0.0),
                                                   m.weights(base[0]))}};
    };
    addGradientCase(list, c);
}

/// NaN in, NaN out: also in one negative among many.
void checkMultiboxNan(Checker& check)
{
    const MultiboxProblem m{50, 9, {Objects::One, Objects::None}};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor l = constantTensor(check.backend(), {m.count(), m.boxes}, m.labels());
    const Tensor t = check.backend().zeros(m.deltaShape(), DType::F32);
    const auto sumOf = [&](const Values& z, const Values& d) {
        Tensor gz, gd;
        return check.backend()
            .loss()
            .multiboxLoss(check.tensor(m.logitShape(), z), check.tensor(m.deltaShape(), d), l, t,
                          m.params(), true, gz, gd)
            .sums.get()
            .lossSum;
    };
    const Values logits = m.logits(check), deltas = check.random(m.count() * m.boxes * 4);
    check.require(std::isfinite(sumOf(logits, deltas)), "the loss is not finite");
    for (const std::int64_t at : {m.classes * 3, m.classes * 49 + 8, m.classes * 25 + 4}) {
        Values z = logits;
        z[std::size_t(at)] = nan;
        check.require(std::isnan(sumOf(z, deltas)), "the loss hides a NaN of the logits");
    }
    Values d = deltas;
    d[25 * 4 + 1] = nan;
    check.require(std::isnan(sumOf(logits, d)), "the loss hides a NaN of the deltas");
}

/// Labels that are no class are refused.
void checkMultiboxLabels(Checker& check)
{
    Backend& backend = check.backend();
    const MultiboxProblem m{12, 4, {Objects::One}};
    for (const std::int32_t bad : {-1, 4, 1000000}) {
        BoxLabels labels = m.labels();
        labels[3] = bad;
        bool refused = false;
        try {
            Tensor gz, gd;
            backend.loss().multiboxLoss(check.tensor(m.logitShape(), m.logits(check)),
                                        check.tensor(m.deltaShape(), Values(12 * 4, 0.0)),
                                        constantTensor(backend, {1, m.boxes}, labels),
                                        backend.zeros(m.deltaShape(), DType::F32), m.params(), true,
                                        gz, gd);
            backend.synchronize(); // a device tells of it when it is waited for
        } catch (const InvalidArgument&) {
            refused = true;
        }
        check.require(refused, "label " + std::to_string(bad) + " is accepted");
    }
}

} // namespace

void addMultiboxCases(CaseList& list)
{
    using enum Objects;
    addMultiboxGradient(list, "mixed", {30, 7, {Few, Many, None, One}});
    addMultiboxGradient(list, "all positive", {9, 3, {All}});
    addMultiboxGradient(list, "one box", {1, 2, {One}});
    addMultiboxGradient(list, "no object", {6, 5, {None, None}});
    const struct {
        const char* use;
        MultiboxProblem problem;
        bool slow = false;
    } problems[] = {
        {"ssd300", {8732, 81, {Few, One, None, Many}}, true},
        {"ssd300", {8732, 81, {Few}}},
        {"desk", {1360, 7, {Few, None, Many, All, One}}},
        {"ties", {600, 11, {Few, Many, One}, true}},
        {"many classes", {40, 1203, {One, Few, Many}}},
        {"empty", {8732, 81, {}}},
        {"no boxes", {0, 5, {None, Few}}},
    };
    for (const DType type : {DType::F32, DType::BF16, DType::F16}) {
        for (const auto& [use, m, slow] : problems)
            list.push_back({"loss",
                            std::string("multibox loss ") + use + " " + toString(m.logitShape()),
                            type, [m = m](Checker& check) { checkMultibox(check, m); }, slow});
        list.push_back({"loss", "multibox loss: NaN stays NaN", type, checkMultiboxNan});
        list.push_back({"loss", "multibox loss: labels outside", type, checkMultiboxLabels});
    }
}

} // namespace scalebench::selftest
