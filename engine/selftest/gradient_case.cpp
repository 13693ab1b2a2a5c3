// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/selftest/gradient_case.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <numeric>

#include "engine/nn/layers.h"
#include "engine/nn/parameter_set.h"

namespace scalebench::selftest {

namespace {

using Kind = Operand::Kind;

class Runner
{
public:
    Runner(const GradientCase& c, Checker& checker) : case_(c), check_(checker)
    {
        for (const Operand& o : c.operands) {
            Values v = checker.random(elementCount(o.shape), o.fill);
            for (double& x : v)
                x *= o.factor;
            values_.push_back(std::move(v));
        }
        buildParameters();
    }

    void run()
    {
        if (case_.branchedReference)
            base_ = values_;
        expected_ = referenceOutputs(values_);
        std::vector<Values> gradients = forwardBackward(false, true);
        const std::vector<Values> doubled = forwardBackward(true, false);
        for (std::size_t i = 0; i < case_.operands.size(); ++i) {
            const Operand& o = case_.operands[i];
            if (o.kind == Kind::Constant || values_[i].empty())
                continue;
            compareGradient(i, gradients[i]);
            if (o.kind == Kind::Parameter) {
                for (double& g : gradients[i])
                    g *= 2.0;
                check_.compare("accumulated gradient of " + o.name, doubled[i], gradients[i],
                               limit(tolerance(DType::F32).gradient));
            }
        }
    }

private:
    double limit(double fromTable) const
    {
        return fromTable * case_.looser * (check_.dtype() == DType::F16 ? case_.looserF16 : 1.0);
    }

    void buildParameters()
    {
        for (std::size_t i = 0; i < case_.operands.size(); ++i) {
            const Operand& o = case_.operands[i];
            indices_.push_back(
                o.kind == Kind::Parameter ? parameters_.addParameter(o.name, o.shape, true) : -1);
        }
        parameters_.build();
        for (std::size_t i = 0; i < indices_.size(); ++i)
            if (indices_[i] >= 0) {
                const Tensor t = parameters_.value(indices_[i]);
                std::copy(values_[i].begin(), values_[i].end(), t.f32().begin());
            }
        parameters_.markValuesChanged();
        parameters_.moveTo(check_.backend());
    }

    OperandSet operandSet(Tape& tape)
    {
        OperandSet set{tape, {}, {}};
        for (std::size_t i = 0; i < case_.operands.size(); ++i) {
            const Operand& o = case_.operands[i];
            Variable variable;
            ParameterRef parameterRef;
            if (o.kind == Kind::Parameter) {
                parameterRef = reference(parameters_, indices_[i]);
            } else {
                Tensor t = check_.tensor(o.shape, values_[i], o.f32 ? DType::F32 : check_.dtype());
                variable = o.kind == Kind::Constant
                               ? Variable(std::move(t))
                               : Variable(std::move(t), std::make_shared<GradientSlot>());
            }
            set.variables.push_back(std::move(variable));
            set.parameters.push_back(std::move(parameterRef));
        }
        return set;
    }

    /// Gradients by operand; outputs are compared when `compare`.
    std::vector<Values> forwardBackward(bool accumulate, bool compare)
    {
        Backend& backend = check_.backend();
        Tape tape(backend);
        tape.seedRandom(1);
        tape.setAccumulate(accumulate);
        const OperandSet set = operandSet(tape);
        const std::vector<Variable> outputs = case_.forward(set);
        check_.require(outputs.size() == expected_.size(), "number of outputs");
        bool differentiable = false;
        std::vector<std::pair<std::shared_ptr<GradientSlot>, Tensor>> seeds;
        for (std::size_t k = 0; k < outputs.size() && k < expected_.size(); ++k) {
            const Tensor& y = outputs[k].value();
            const std::string what = "output " + std::to_string(k);
            if (compare) {
                check_.compare(what, check_.values(y), expected_[k],
                               limit(tolerance(check_.dtype()).value));
                weights_.push_back(outputs[k].needsGradient() ? check_.random(y.count())
                                                              : Values());
            }
            if (outputs[k].needsGradient()) {
                if (compare)
                    spareKinks(weights_.back());
                seeds.emplace_back(outputs[k].slot(),
                                   check_.tensor(y.shape(), weights_[k], y.dtype()));
                differentiable = true;
            }
        }
        std::vector<Values> gradients(case_.operands.size());
        if (!differentiable)
            return gradients;
        const Variable loss = tape.record("weighted sum", backend.zeros({1}, DType::F32), true,
                                          [&seeds](std::vector<Tensor>) {
                                              for (auto& [slot, seed] : seeds)
                                                  Tape::addGradient(slot, seed);
                                          });
        tape.backward(loss);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const Operand& o = case_.operands[i];
            if (o.kind == Kind::Parameter)
                gradients[i] = check_.values(parameters_.gradient(indices_[i]));
            else if (o.kind == Kind::Activation)
                gradients[i] = collected(o, set.variables[i]);
        }
        return gradients;
    }

    void spareKinks(Values& weights) const
    {
        if (!case_.kinkDistance)
            return;
        const Values distance = case_.kinkDistance(values_);
        for (std::size_t e = 0; e < std::min(weights.size(), distance.size()); ++e)
            if (std::abs(distance[e]) < 1e-4)
                weights[e] = 0.0;
    }

    Values collected(const Operand& o, const Variable& variable)
    {
        Values sum(std::size_t(elementCount(o.shape)), 0.0);
        for (const Tensor& t : variable.slot()->pending) {
            check_.require(t.shape() == o.shape, "gradient of " + o.name + " is " + t.describe() +
                                                     " for an operand " + toString(o.shape));
            const Values v = check_.values(t);
            for (std::size_t i = 0; i < std::min(v.size(), sum.size()); ++i)
                sum[i] += v[i];
        }
        return sum;
    }

    std::vector<Values> referenceOutputs(const std::vector<Values>& at) const
    {
        return case_.branchedReference ? case_.branchedReference(base_, at) : case_.reference(at);
    }

    /// L in float64.
    double weightedSum(const std::vector<Values>& at) const
    {
        const std::vector<Values> outputs = referenceOutputs(at);
        double sum = 0;
        for (std::size_t k = 0; k < outputs.size(); ++k)
            for (std::size_t e = 0; e < weights_[k].size(); ++e)
                sum += weights_[k][e] * outputs[k][e];
        return sum;
    }

    double difference(std::size_t i, const Values& direction) const
    {
        // Small enough for kinks and third derivatives, large enough for 53 bits.
        const double h = 1e-5 * case_.operands[i].factor;
        std::vector<Values> at = values_;
        Values& moved = at[i];
        for (std::size_t e = 0; e < moved.size(); ++e)
            moved[e] += h * direction[e];
        const double up = weightedSum(at);
        for (std::size_t e = 0; e < moved.size(); ++e)
            moved[e] -= 2.0 * h * direction[e];
        return (up - weightedSum(at)) / (2.0 * h);
    }

    /// The differences along several directions, each on a thread of its own: nearly all the time
    /// of a self-test of a GPU goes into these.
    Values differences(std::size_t i, const std::vector<Values>& directions) const
    {
        Values found(directions.size());
        std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
        for (std::size_t d = 0; d < directions.size(); ++d) {
            try {
                found[d] = difference(i, directions[d]);
            } catch (...) {
#pragma omp critical
                failure = std::current_exception();
            }
        }
        if (failure)
            std::rethrow_exception(failure);
        return found;
    }

    void compareGradient(std::size_t i, const Values& gradient)
    {
        const std::string what = "gradient of " + case_.operands[i].name;
        const DType type = check_.dtype();
        double top = 0;
        for (double g : gradient)
            top = std::max(top, std::isfinite(g) ? std::abs(g) : 0.0);
        // Single elements: all where there are few, else the largest and random ones. Then all at
        // once: independent errors of the elements add up like a random walk.
        std::vector<Values> directions;
        Values actual, along;
        for (std::size_t e : chosenElements(gradient)) {
            directions.emplace_back(gradient.size(), 0.0);
            directions.back()[e] = 1.0;
            actual.push_back(gradient[e]);
        }
        for (int d = 0; d < case_.directions; ++d) {
            directions.push_back(check_.random(std::int64_t(gradient.size())));
            along.push_back(std::inner_product(gradient.begin(), gradient.end(),
                                               directions.back().begin(), 0.0));
        }
        Values expected = differences(i, directions);
        const Values expectedAlong(expected.begin() + std::ptrdiff_t(actual.size()),
                                   expected.end());
        expected.resize(actual.size());
        for (const double e : expected)
            top = std::max(top, std::abs(e));
        check_.compare(what + " (chosen elements)", actual, expected,
                       limit(tolerance(type).gradient), top);
        for (std::size_t d = 0; d < along.size(); ++d)
            check_.compare(what + " along a random direction", {along[d]}, {expectedAlong[d]},
                           limit(tolerance(type).gradient),
                           top * std::sqrt(double(gradient.size())));
    }

    std::vector<std::size_t> chosenElements(const Values& gradient)
    {
        const std::size_t wanted = std::size_t(std::max(case_.elements, 0));
        std::vector<std::size_t> all(gradient.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        if (all.size() <= wanted)
            return all;
        const std::size_t largest = wanted / 4;
        std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(largest), all.end(),
                          [&](std::size_t a, std::size_t b) {
                              return std::abs(gradient[a]) > std::abs(gradient[b]);
                          });
        for (std::size_t k = largest; k < wanted; ++k)
            std::swap(all[k], all[k + std::size_t(check_.uniform() * double(all.size() - k))]);
        all.resize(wanted);
        return all;
    }

    const GradientCase& case_;
    Checker& check_;
    std::vector<Values> values_;   ///< by operand
    std::vector<Values> base_;     ///< the same, never moved; only with branches
    std::vector<Values> expected_; ///< by output
    std::vector<Values> weights_;  ///< by output; empty for constants
    ParameterSet parameters_;
    std::vector<int> indices_; ///< of parameters, by operand
};

Operand operand(std::string name, Shape shape, Kind kind, Fill fill, double factor)
{
    Operand o;
    o.name = std::move(name);
    o.shape = std::move(shape);
    o.kind = kind;
    o.fill = fill;
    o.factor = factor;
    return o;
}

} // namespace

Operand activation(std::string name, Shape shape, Fill fill, double factor)
{
    return operand(std::move(name), std::move(shape), Kind::Activation, fill, factor);
}

Operand constant(std::string name, Shape shape, Fill fill, double factor)
{
    return operand(std::move(name), std::move(shape), Kind::Constant, fill, factor);
}

Operand parameter(std::string name, Shape shape, Fill fill, double factor)
{
    return operand(std::move(name), std::move(shape), Kind::Parameter, fill, factor);
}

void setReference(GradientCase& gradientCase, bool relu,
                  std::function<Values(const std::vector<Values>&)> beforeRelu)
{
    if (!relu) {
        gradientCase.reference = [before = std::move(beforeRelu)](const std::vector<Values>& in) {
            return std::vector<Values>{before(in)};
        };
        return;
    }
    gradientCase.kinkDistance = beforeRelu;
    gradientCase.branchedReference = [before =
                                          std::move(beforeRelu)](const std::vector<Values>& base,
                                                                 const std::vector<Values>& moved) {
        const Values sign = before(base);
        Values y = before(moved);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = sign[i] > 0.0 ? y[i] : 0.0;
        return std::vector<Values>{y};
    };
}

void addGradientCase(CaseList& list, GradientCase gradientCase)
{
    const auto shared = std::make_shared<const GradientCase>(std::move(gradientCase));
    for (DType dtype : shared->dtypes)
        list.push_back({shared->family, shared->name, dtype,
                        [shared](Checker& checker) { Runner(*shared, checker).run(); },
                        shared->slow});
    // fp16 has too few numbers for distinct ones.
    const bool distinct = std::ranges::any_of(
        shared->operands, [](const Operand& o) { return o.fill == Fill::Distinct; });
    if (!distinct && std::ranges::find(shared->dtypes, DType::BF16) != shared->dtypes.end())
        list.push_back({shared->family, shared->name, DType::F16,
                        [shared](Checker& checker) { Runner(*shared, checker).run(); },
                        shared->slow});
}

} // namespace scalebench::selftest
