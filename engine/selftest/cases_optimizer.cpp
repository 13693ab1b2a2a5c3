// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/selftest/case_list.h"
#include "kernels/check.h"
#include "kernels/ref/optimizer.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

constexpr double kRate = 0.1, kScale = 0.5, kDecay = 0.01;
constexpr int kSteps = 3;

/// Tensors side by side in arenas, every third without decay, 16 elements between them that belong
/// to no one and must stay as they are.
class Arenas
{
public:
    Arenas(Checker& check, const std::vector<std::int64_t>& sizes) : check_(check)
    {
        std::int64_t offset = 16;
        for (std::int64_t n : sizes) {
            const auto tensor = std::int32_t(settings_.size());
            const bool decays = tensor % 3 != 1;
            settings_.push_back({decays ? float(kDecay) : 0.0f, 1.0f, decays});
            for (std::int64_t at = 0; at < n; at += kChunkElements)
                chunks_.push_back(
                    {offset + at, std::int32_t(std::min(kChunkElements, n - at)), tensor});
            pieces_.push_back({offset, n});
            offset += n + 16;
        }
        weight_ = check.random(offset);
        first_ = second_ = Values(weight_.size(), 0.0);
        for (Tensor* t : {&w_, &m_, &v_})
            *t = check.tensor({offset}, t == &w_ ? weight_ : first_, DType::F32);
        nextGradient();
    }

    void nextGradient()
    {
        gradient_ = check_.random(std::int64_t(weight_.size()));
        g_ = check_.tensor({std::int64_t(weight_.size())}, gradient_, DType::F32);
    }

    ChunkList chunks() const { return {chunks_, settings_}; }
    OptimizerArenas arenas() const { return {g_.f32(), w_.f32(), m_.f32(), v_.f32()}; }
    std::size_t tensors() const { return settings_.size(); }

    /// step(settings, gradient, w, m, v) of the reference for every tensor.
    template <class Step>
    void reference(std::int64_t number, Step&& step)
    {
        for (std::size_t t = 0; t < pieces_.size(); ++t) {
            const auto from = std::ptrdiff_t(pieces_[t].first);
            const auto to = from + std::ptrdiff_t(pieces_[t].second);
            auto part = [&](const Values& all) {
                return Values(all.begin() + from, all.begin() + to);
            };
            Values g = part(gradient_), w = part(weight_), m = part(first_), v = part(second_);
            for (double& x : g)
                x *= kScale;
            ref::OptimizerSettings s;
            s.learningRate = kRate;
            s.weightDecay = double(settings_[t].weightDecay);
            s.adapt = settings_[t].adapt;
            s.step = number;
            step(s, g, w, m, v);
            std::copy(w.begin(), w.end(), weight_.begin() + from);
            std::copy(m.begin(), m.end(), first_.begin() + from);
            std::copy(v.begin(), v.end(), second_.begin() + from);
        }
    }

    /// Arithmetic is fp32 element by element; moments of squares are compared by their own size.
    void compare()
    {
        const double limit = tolerance(DType::F32).value;
        check_.compare("weights", check_.values(w_), weight_, limit);
        check_.compare("first moments", check_.values(m_), first_, limit);
        check_.compare("second moments", check_.values(v_), second_, limit);
    }

private:
    Checker& check_;
    std::vector<TensorSetting> settings_;
    std::vector<TensorChunk> chunks_;
    std::vector<std::pair<std::int64_t, std::int64_t>> pieces_;
    Values weight_, gradient_, first_, second_;
    Tensor w_, m_, v_, g_;
};

struct SizeCase {
    const char* name;
    std::vector<std::int64_t> sizes;
};

/// ResNet-50's stem, biases, a 1x1 convolution and part of its classifier; BERT's layer norm,
/// a projection and embeddings of positions; chunk borders; nothing.
const std::vector<SizeCase>& sizeCases()
{
    static const std::vector<SizeCase> cases = {
        {"resnet50 [9408,64,64,16384,1000,102400]", {9408, 64, 64, 16384, 1000, 102400}},
        {"bert [1024,1024,131072,30522]", {1024, 1024, 131072, 30522}},
        {"borders [32768,32769,1,3,32767]", {32768, 32769, 1, 3, 32767}},
        {"one element [1]", {1}},
        {"no tensors", {}}};
    return cases;
}

using StepFn = std::function<void(Checker&, Arenas&, int)>;

void addStepCase(CaseList& list, const std::string& name, const StepFn& step)
{
    for (const SizeCase& c : sizeCases())
        list.push_back({"optimizer", name + " " + c.name, DType::F32, [c, step](Checker& check) {
                            Arenas a(check, c.sizes);
                            for (int i = 1; i <= kSteps; ++i) {
                                step(check, a, i);
                                a.nextGradient();
                            }
                            a.compare();
                        }});
}

void addSgd(CaseList& list, bool nesterov, float momentum)
{
    const std::string name = momentum == 0.0f ? "sgd plain" : nesterov ? "sgd nesterov" : "sgd";
    addStepCase(list, name, [nesterov, momentum](Checker& check, Arenas& a, int) {
        check.backend().optimizer().sgd({float(kRate), momentum, nesterov, float(kScale)},
                                        a.chunks(), a.arenas());
        a.reference(1, [&](auto s, const Values& g, Values& w, Values& m, Values&) {
            s.momentum = double(momentum);
            s.nesterov = nesterov;
            ref::sgd(s, g, w, m);
            if (momentum == 0.0f)
                m.assign(m.size(), 0.0); // the kernel keeps no velocity then
        });
    });
}

void addAdam(CaseList& list, bool decoupled)
{
    addStepCase(list, decoupled ? "adamw" : "adam", [=](Checker& check, Arenas& a, int i) {
        AdamParams p;
        p.learningRate = kRate;
        p.step = i;
        p.decoupled = decoupled;
        p.gradientScale = float(kScale);
        check.backend().optimizer().adam(p, a.chunks(), a.arenas());
        a.reference(i, [&](auto s, const Values& g, Values& w, Values& m, Values& v) {
            s.decoupled = decoupled;
            ref::adam(s, g, w, m, v);
        });
    });
}

void addLars(CaseList& list, bool inside)
{
    addStepCase(list, inside ? "lars" : "lars rate outside", [=](Checker& check, Arenas& a, int) {
        OptimizerOps& ops = check.backend().optimizer();
        LarsParams p;
        p.learningRate = kRate;
        p.learningRateInMomentum = inside;
        p.gradientScale = float(kScale);
        std::vector<double> gradSquares(a.tensors()), weightSquares(a.tensors());
        std::vector<float> trust(a.tensors());
        ops.sumOfSquares(a.chunks(), a.arenas().gradient, gradSquares);
        ops.sumOfSquares(a.chunks(), a.arenas().weight, weightSquares);
        ops.larsRatios(p, a.chunks(), gradSquares, weightSquares, trust);
        ops.lars(p, a.chunks(), trust, a.arenas());
        a.reference(1, [&](auto s, const Values& g, Values& w, Values& m, Values&) {
            s.learningRateInMomentum = inside;
            s.epsilon = 0.0;
            ref::lars(s, g, w, m);
        });
    });
}

void addLamb(CaseList& list)
{
    addStepCase(list, "lamb", [](Checker& check, Arenas& a, int i) {
        OptimizerOps& ops = check.backend().optimizer();
        LambParams p;
        p.learningRate = kRate;
        p.step = i;
        p.gradientScale = float(kScale);
        std::vector<double> weightSquares(a.tensors()), updateSquares(a.tensors());
        std::vector<float> trust(a.tensors());
        ops.lambMoments(p, a.chunks(), a.arenas(), weightSquares, updateSquares);
        ops.lambRatios(p, a.chunks(), weightSquares, updateSquares, trust);
        ops.lambApply(p, a.chunks(), trust, a.arenas());
        a.reference(i, [&](auto s, const Values& g, Values& w, Values& m, Values& v) {
            s.epsilon = 1e-6;
            s.adapt = s.weightDecay != 0.0;
            ref::lamb(s, g, w, m, v);
        });
    });
}

void addNorms(CaseList& list)
{
    for (const SizeCase& c : sizeCases())
        list.push_back(
            {"optimizer", "norms " + std::string(c.name), DType::F32, [c](Checker& check) {
                 Arenas a(check, c.sizes);
                 Values sums(a.tensors()), expected;
                 check.backend().optimizer().sumOfSquares(a.chunks(), a.arenas().gradient, sums);
                 a.reference(1, [&](auto, const Values& g, Values&, Values&, Values&) {
                     expected.push_back(std::pow(ref::norm(g) / kScale, 2));
                 });
                 check.compare("sums of squares", sums, expected, 1e-12);
             }});
}

/// Rows of tables: NCF's and DLRM's widths, one row, one column, no row.
void addSparse(CaseList& list)
{
    struct Table {
        std::int64_t rows, width, touched;
    };
    for (const Table t : {Table{1000, 64, 300}, Table{2000, 128, 37}, Table{5, 1, 5},
                          Table{1, 3, 1}, Table{7, 16, 0}})
        for (bool adam : {false, true}) {
            const std::string name = (adam ? "sparse adam [" : "sparse sgd [") +
                                     std::to_string(t.rows) + "," + std::to_string(t.width) + "] " +
                                     std::to_string(t.touched) + " rows";
            list.push_back(
                {"optimizer", name, DType::F32, [t, adam](Checker& check) {
                     OptimizerOps& ops = check.backend().optimizer();
                     const Shape shape{t.rows, t.width};
                     Values table = check.random(t.rows * t.width), m(table.size()),
                            v(table.size());
                     const Tensor w = check.tensor(shape, table, DType::F32);
                     const Tensor mt = check.tensor(shape, m, DType::F32);
                     const Tensor vt = check.tensor(shape, v, DType::F32);
                     for (int i = 1; i <= kSteps; ++i) {
                         std::vector<std::int32_t> rows;
                         for (std::int64_t r = 0; r < t.touched; ++r)
                             rows.push_back(std::int32_t(r * t.rows / t.touched));
                         const Values g = check.random(t.touched * t.width);
                         SparseRows grad;
                         if (t.touched > 0)
                             grad = {check.tensor({t.touched}, rows),
                                     check.tensor({t.touched, t.width}, g, DType::F32)};
                         if (adam)
                             ops.sparseAdam({kRate, 0.9, 0.999, 1e-8, i, float(kScale)}, grad, w,
                                            mt, vt);
                         else
                             ops.sparseSgd({kRate, float(kScale)}, grad, w);
                         for (std::size_t e = 0; e < g.size(); ++e) {
                             const std::size_t at = std::size_t(rows[e / std::size_t(t.width)]) *
                                                        std::size_t(t.width) +
                                                    e % std::size_t(t.width);
                             Values one{kScale * g[e]}, ws{table[at]}, ms{m[at]}, vs{v[at]};
                             ref::OptimizerSettings s;
                             s.learningRate = kRate;
                             s.momentum = 0.0;
                             s.step = i;
                             if (adam)
                                 ref::sparseAdam(s, one, ws, ms, vs);
                             else
                                 ref::sgd(s, one, ws, vs);
                             table[at] = ws[0], m[at] = ms[0], v[at] = adam ? vs[0] : 0.0;
                         }
                     }
                     check.compareValues("table", w, table);
                     check.compareValues("first moment", mt, m);
                     check.compareValues("second moment", vt, v);
                 }});
        }
}

void addElementary(CaseList& list)
{
    for (std::int64_t n : {0, 1, 31, 70001})
        list.push_back(
            {"optimizer", "elementary passes [" + std::to_string(n) + "]", DType::F32,
             [n](Checker& check) {
                 OptimizerOps& ops = check.backend().optimizer();
                 const Values x = check.random(n, Fill::Positive),
                              y = check.random(n, Fill::Positive);
                 const Tensor tx = check.tensor({n}, x), ty = check.tensor({n}, y);
                 const Tensor z = check.tensor({n}, Values(x.size()));
                 auto expect = [&](const char* what, auto f) {
                     Values e(x.size());
                     for (std::size_t i = 0; i < e.size(); ++i)
                         e[i] = f(x[i], y[i]);
                     check.compareValues(what, z, e);
                 };
                 ops.scale(-3.0f, tx.f32(), z.f32());
                 expect("scale", [](double a, double) { return -3.0 * a; });
                 ops.axpy(0.5f, ty.f32(), z.f32());
                 expect("axpy", [](double a, double b) { return -3.0 * a + 0.5 * b; });
                 ops.multiply(tx.f32(), ty.f32(), z.f32());
                 expect("multiply", [](double a, double b) { return a * b; });
                 ops.divide(tx.f32(), ty.f32(), z.f32());
                 expect("divide", [](double a, double b) { return a / b; });
                 ops.squareRoot(z.f32(), z.f32());
                 expect("square root", [](double a, double b) { return std::sqrt(a / b); });
                 ops.addScalar(2.0f, z.f32(), z.f32());
                 expect("add scalar", [](double a, double b) { return std::sqrt(a / b) + 2.0; });
             }});
}

} // namespace

void addOptimizerCases(CaseList& list)
{
    addSgd(list, false, 0.0f);
    addSgd(list, false, 0.9f);
    addSgd(list, true, 0.9f);
    addAdam(list, false);
    addAdam(list, true);
    addLars(list, true);
    addLars(list, false);
    addLamb(list);
    addNorms(list);
    addSparse(list);
    addElementary(list);
}

} // namespace scalebench::selftest
