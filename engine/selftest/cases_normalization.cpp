// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/normalization.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

struct Norm {
    const char* name;
    Shape shape;
    bool relu = false, residual = false;
};

const Norm kNorms[] = {{"resnet50 stem", {1, 112, 112, 64}, true},
                       {"resnet50 stage 1", {1, 56, 56, 256}, true, true},
                       {"resnet50 shortcut", {1, 56, 56, 256}},
                       {"resnet50 stage 4", {2, 7, 7, 2048}, true, true},
                       {"resnet20 stage 1", {4, 32, 32, 16}, true, true},
                       {"resnet20 stage 2", {4, 16, 16, 32}, true},
                       {"retinanet stage 2", {1, 50, 50, 256}, true},
                       {"smallest", {3, 1, 1, 1}}, // of two rows the gradient is nearly zero
                       {"odd", {7, 3}, true},
                       {"odd, residual", {7, 3}, false, true},
                       {"folded rows with a rest", {11, 16}, true, true},
                       {"odd channels", {9, 37}, true, true},
                       {"48 channels", {6, 48}, true},
                       {"many rows", {20000, 5}, true, true},
                       {"empty batch", {0, 7, 7, 16}, true, true}};

constexpr BatchNormArgs kArgs{1e-5, 0.1, false};

std::vector<Operand> operandsOf(const Norm& n)
{
    const std::int64_t C = n.shape.back();
    std::vector<Operand> list{activation("x", n.shape), parameter("gamma", {C}, Fill::AwayFromZero),
                              parameter("beta", {C})};
    if (n.residual)
        list.push_back(activation("residual", n.shape));
    return list;
}

void budget(GradientCase& c, const Shape& shape)
{
    const std::int64_t n = elementCount(shape);
    c.elements = n > 500000 ? 3 : n > 50000 ? 6 : 16;
    c.directions = n > 50000 ? 1 : 2;
    c.slow = n > 500000;
}

/// With ReLU: two uses of `y` behind ReLUs (which change nothing), so that two gradients of its own
/// reach the op, to be added and overwritten as in a network. Else `y`, with one shared gradient.
std::vector<Variable> usedTwice(Tape& tape, bool relu, const Variable& y)
{
    if (relu)
        return {autograd::relu(tape, y), autograd::relu(tape, y)};
    return {y};
}

/// The reference that goes with usedTwice().
void setDoubledReference(GradientCase& c, bool relu,
                         std::function<Values(const std::vector<Values>&)> beforeRelu)
{
    setReference(c, relu, std::move(beforeRelu));
    if (relu)
        c.branchedReference = [once = c.branchedReference](const std::vector<Values>& base,
                                                           const std::vector<Values>& moved) {
            std::vector<Values> y = once(base, moved);
            y.push_back(y[0]);
            return y;
        };
}

Tensor filled(Backend& backend, std::int64_t C, float value)
{
    return constantTensor(backend, {C}, std::vector<float>(std::size_t(C), value));
}

void addTraining(CaseList& list, const Norm& n)
{
    GradientCase c;
    c.family = "normalization";
    c.name = std::string("batch norm ") + n.name + " " + toString(n.shape) +
             (n.residual ? " + residual" : "") + (n.relu ? " relu" : "");
    c.operands = operandsOf(n);
    BatchNormArgs args = kArgs;
    args.relu = n.relu;
    const std::int64_t C = n.shape.back();
    c.forward = [=](const OperandSet& o) {
        Backend& backend = o.tape.backend();
        return usedTwice(o.tape, n.relu,
                         autograd::batchNorm(o.tape, args, o.x(0), n.residual ? o.x(3) : Variable(),
                                             o.p(1), o.p(2), filled(backend, C, 0.0f),
                                             filled(backend, C, 1.0f), true, {}));
    };
    setDoubledReference(c, n.relu, [=](const std::vector<Values>& in) {
        return ref::batchNormForward(elementCount(n.shape) / C, C, false, args.epsilon, in[0],
                                     n.residual ? in[3] : Values(), in[1], in[2]);
    });
    // The gradient of x is a small difference of larger terms (its sum over rows is zero).
    c.looser = 2.0;
    budget(c, n.shape);
    addGradientCase(list, c);
}

/// Statistics as a trained network has them: different for every channel.
float frozenMean(std::int64_t c)
{
    return 0.25f * float(c % 7 - 3);
}
float frozenVariance(std::int64_t c)
{
    return 0.5f + 0.125f * float(c % 5);
}

void addFrozen(CaseList& list, const Norm& n, bool trained)
{
    GradientCase c;
    c.family = "normalization";
    c.name = std::string("frozen batch norm ") + n.name + " " + toString(n.shape) +
             (n.residual ? " + residual" : "") + (n.relu ? " relu" : "") +
             (trained ? " trained gamma" : "");
    const std::int64_t C = n.shape.back();
    const Shape channels{C};
    c.operands = operandsOf(n);
    if (!trained) // gamma and beta have no gradient: F32 values that the case brings itself
        c.operands.erase(c.operands.begin() + 1, c.operands.begin() + 3);
    BatchNormArgs args = kArgs;
    args.relu = n.relu;
    auto gammaAt = [](std::int64_t i) { return i % 3 == 0 ? -0.5f : 0.25f * float(i % 4 + 1); };
    auto betaAt = [](std::int64_t i) { return 0.125f * float(i % 9 - 4); };
    c.forward = [=](const OperandSet& o) {
        auto perChannel = [&](auto&& value) {
            std::vector<float> values;
            for (std::int64_t i = 0; i < C; ++i)
                values.push_back(value(i));
            return constantTensor(o.tape.backend(), {C}, values);
        };
        ParameterRef gamma, beta;
        if (trained) {
            gamma = o.p(1), beta = o.p(2);
        } else {
            gamma.value = perChannel(gammaAt);
            beta.value = perChannel(betaAt);
        }
        return usedTwice(o.tape, n.relu,
                         autograd::frozenBatchNorm(
                             o.tape, args, o.x(0), n.residual ? o.x(trained ? 3 : 1) : Variable(),
                             gamma, beta, perChannel(frozenMean), perChannel(frozenVariance)));
    };
    setDoubledReference(c, n.relu, [=](const std::vector<Values>& in) {
        Values mean, variance, gamma, beta;
        for (std::int64_t i = 0; i < C; ++i) {
            mean.push_back(double(frozenMean(i)));
            variance.push_back(double(frozenVariance(i)));
            gamma.push_back(trained ? in[1][std::size_t(i)] : double(gammaAt(i)));
            beta.push_back(trained ? in[2][std::size_t(i)] : double(betaAt(i)));
        }
        return ref::frozenBatchNormForward(false, args.epsilon, in[0],
                                           n.residual ? in.back() : Values(), gamma, beta, mean,
                                           variance);
    });
    budget(c, n.shape);
    addGradientCase(list, c);
}

/// Two workers with half a batch each and shared sums against one with the whole: outputs and all
/// gradients. The workers run one after the other: what the other one has contributed to each
/// reduction is recorded in a first pass whose results are not looked at.
class Halves
{
public:
    Halves(Checker& check, const Norm& n) : check_(check), norm_(n)
    {
        args_.relu = n.relu;
        C_ = n.shape.back();
        const std::int64_t count = elementCount(n.shape);
        x_ = check.random(count);
        dy_ = check.random(count);
        if (n.residual)
            z_ = check.random(count);
        gamma_ = check.random(C_, Fill::AwayFromZero);
        beta_ = check.random(C_);
    }

    void run()
    {
        const std::int64_t rows = elementCount(norm_.shape) / C_, split = rows / 3;
        const Result whole = pass(0, rows, {});
        // Sums of each reduction, by worker: forward's depend on nothing, backward's on forward's.
        std::vector<std::vector<double>> sums[2];
        const std::int64_t bounds[] = {0, split, rows};
        Result part[2];
        for (int round = 0; round < 3; ++round)
            for (int w = 0; w < 2; ++w) {
                std::size_t call = 0;
                std::vector<std::vector<double>> mine;
                part[w] = pass(bounds[w], bounds[w + 1], [&](std::span<double> s) {
                    mine.emplace_back(s.begin(), s.end());
                    const auto& other = sums[1 - w];
                    if (call < other.size())
                        for (std::size_t i = 0; i < s.size(); ++i)
                            s[i] += other[call][i];
                    ++call;
                });
                sums[w] = mine;
            }
        compareParts(whole, part);
    }

private:
    struct Result {
        Values y, dx, dz, dgamma, dbeta, runningMean, runningVar;
    };

    Result pass(std::int64_t begin, std::int64_t end, const StatReducer& reducer)
    {
        Backend& backend = check_.backend();
        NormalizationOps& ops = backend.normalization();
        auto rowsOf = [&](const Values& v) {
            return check_.tensor({end - begin, C_}, Values(v.begin() + std::ptrdiff_t(begin * C_),
                                                           v.begin() + std::ptrdiff_t(end * C_)));
        };
        const Tensor x = rowsOf(x_), z = norm_.residual ? rowsOf(z_) : Tensor();
        const Tensor gamma = check_.tensor({C_}, gamma_, DType::F32),
                     beta = check_.tensor({C_}, beta_, DType::F32);
        const Tensor mean = filled(backend, C_, 0.0f), var = filled(backend, C_, 1.0f);
        Tensor dgamma = filled(backend, C_, 0.0f), dbeta = filled(backend, C_, 0.0f);
        BatchNormSaved saved;
        const Tensor y = ops.batchNormForward(args_, x, z, gamma, beta, mean, var, reducer, saved);
        BatchNormGradients g =
            ops.batchNormBackward(args_, x, y, norm_.residual, {rowsOf(dy_)}, gamma, beta, saved,
                                  reducer, dgamma, dbeta, false);
        Result r{check_.values(y),      check_.values(g.input), {},
                 check_.values(dgamma), check_.values(dbeta),   check_.values(mean),
                 check_.values(var)};
        if (norm_.residual)
            r.dz = check_.values(g.residual);
        return r;
    }

    void compareParts(const Result& whole, const Result (&part)[2])
    {
        const Tolerance limit = tolerance(check_.dtype());
        auto joined = [&](Values Result::*field) {
            Values v = part[0].*field;
            v.insert(v.end(), (part[1].*field).begin(), (part[1].*field).end());
            return v;
        };
        check_.compare("output", joined(&Result::y), whole.y, limit.value);
        check_.compare("gradient of x", joined(&Result::dx), whole.dx, limit.gradient);
        if (norm_.residual)
            check_.compare("gradient of the residual", joined(&Result::dz), whole.dz,
                           limit.gradient);
        for (Values Result::*field : {&Result::dgamma, &Result::dbeta}) {
            Values sum = part[0].*field; // as the gradient all-reduce adds them
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += (part[1].*field)[i];
            check_.compare("gradient of gamma and beta", sum, whole.*field, limit.gradient);
        }
        for (const Result& p : part) {
            const double fp32 = tolerance(DType::F32).value;
            check_.compare("running mean", p.runningMean, whole.runningMean, fp32);
            check_.compare("running variance", p.runningVar, whole.runningVar, fp32);
        }
    }

    Checker& check_;
    Norm norm_;
    BatchNormArgs args_ = kArgs;
    std::int64_t C_ = 0;
    Values x_, z_, dy_, gamma_, beta_;
};

void addSynchronised(CaseList& list, const Norm& n)
{
    for (DType dtype : {DType::F32, DType::BF16})
        list.push_back({"normalization",
                        std::string("synchronised batch norm ") + n.name + " " + toString(n.shape),
                        dtype, [n](Checker& check) { Halves(check, n).run(); }});
}

/// Running statistics after one batch, and a mean a thousand times the deviation.
void addRunningStatistics(CaseList& list)
{
    list.push_back(
        {"normalization", "running statistics of a shifted batch", DType::F32, [](Checker& check) {
             const std::int64_t rows = 20000, C = 16;
             Values x = check.random(rows * C);
             for (double& v : x)
                 v = double(float(v + 1000.0));
             Backend& backend = check.backend();
             const Tensor gamma = filled(backend, C, 1.0f), beta = filled(backend, C, 0);
             Tensor mean = filled(backend, C, 0.0f), var = filled(backend, C, 1.0f);
             BatchNormSaved saved;
             const Tensor y = backend.normalization().batchNormForward(
                 kArgs, check.tensor({rows, C}, x), {}, gamma, beta, mean, var, {}, saved);
             // fp32 resolves 1000 +- 1 to 6e-5
             check.compare("output", check.values(y),
                           ref::batchNormForward(rows, C, false, kArgs.epsilon, x, {},
                                                 Values(C, 1.0), Values(C, 0.0)),
                           2e-3);
             Values sum(C), square(C);
             for (std::size_t i = 0; i < x.size(); ++i)
                 sum[i % C] += x[i] / double(rows);
             for (std::size_t i = 0; i < x.size(); ++i)
                 square[i % C] += (x[i] - sum[i % C]) * (x[i] - sum[i % C]);
             Values newVar(C), newMean(C);
             for (std::size_t c = 0; c < std::size_t(C); ++c) {
                 newMean[c] = 0.1 * sum[c];
                 newVar[c] = 0.9 + 0.1 * square[c] / double(rows - 1); // as torch
             }
             check.compare("running mean", check.values(mean), newMean, 1e-6);
             check.compare("running variance", check.values(var), newVar, 1e-4);
         }});
}

/// A NaN must come out where it goes in: a diverged network must show.
void addNormNan(CaseList& list)
{
    auto check = [](Checker& k) {
        Values v = k.random(64);
        v[5] = NAN;
        Backend& b = k.backend();
        const Tensor x = k.tensor({4, 16}, v), one = filled(b, 16, 1.0f), zero = filled(b, 16, 0);
        BatchNormArgs args = kArgs;
        args.relu = true;
        BatchNormSaved saved;
        const Tensor y = b.normalization().batchNormForward(args, x, {}, one, zero,
                                                            filled(b, 16, 0), one, {}, saved);
        k.require(std::isnan(k.values(y)[5]), "batch norm hides a NaN");
        const Tensor f =
            b.normalization().batchNormInference(args, x, {}, one, zero, zero, filled(b, 16, 1));
        k.require(std::isnan(k.values(f)[5]), "frozen batch norm hides a NaN");
    };
    for (DType dtype : {DType::F32, DType::BF16})
        list.push_back({"normalization", "batch norm of not a number", dtype, check});
}

} // namespace

void addNormalizationCases(CaseList& list)
{
    for (const Norm& n : kNorms) {
        addTraining(list, n);
        addFrozen(list, n, false);
    }
    for (const Norm& n : {Norm{"odd", {9, 5}, true, true}, Norm{"plain", {33, 64}},
                          Norm{"relu", {33, 64}, true}, Norm{"empty", {0, 8}, true}})
        addFrozen(list, n, true);
    for (const Norm& n :
         {Norm{"resnet50 stage 3", {2, 14, 14, 1024}, true, true},
          Norm{"resnet20 stage 1", {4, 32, 32, 16}, true}, Norm{"odd", {7, 3}, false, true}})
        addSynchronised(list, n);
    addRunningStatistics(list);
    addNormNan(list);
}

} // namespace scalebench::selftest
