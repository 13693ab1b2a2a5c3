// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM and additive attention: values against the double reference, gradients against its finite
// differences, with every combination of direction, initial states and lengths; the formulas' error
// bounds.
#include <QTest>

#include <cmath>
#include <limits>

#include "kernels/check.h"
#include "kernels/cpu_features.h"
#include "kernels/formula/additive_attention.h"
#include "kernels/formula/lstm_cell.h"
#include "kernels/lstm.h"
#include "kernels/ref/recurrent.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;
namespace ref = scalebench::kernels::ref;

namespace {

/// Operands of one case, as doubles that both precisions hold.
struct Case {
    LstmParams p;
    bool states = false;
    std::vector<std::int32_t> lengths;
    Values x, wx, wh, bx, bh, h0, c0, dy, dhN, dcN;

    Case(LstmParams q, bool withStates, bool withLengths) : p(q), states(withStates)
    {
        const auto size = [](std::int64_t n) { return std::size_t(n); };
        const double scale = 1.0 / std::sqrt(double(std::max<std::int64_t>(1, p.H)));
        const auto small = [&](std::size_t n, unsigned seed) {
            Values v = randomValues(n, seed);
            for (double& e : v)
                e = double(formula::bf16ToF32(formula::f32ToBf16(float(e * scale))));
            return v;
        };
        x = randomValues(size(p.T * p.B * p.I), 1);
        wx = small(size(4 * p.H * p.I), 2);
        wh = small(size(4 * p.H * p.H), 3);
        bx = randomValues(size(4 * p.H), 4);
        bh = randomValues(size(4 * p.H), 5);
        dy = randomValues(size(p.T * p.B * p.H), 6);
        dhN = randomValues(size(p.B * p.H), 7);
        dcN = randomValues(size(p.B * p.H), 8);
        if (states) {
            h0 = randomValues(size(p.B * p.H), 9);
            c0 = randomValues(size(p.B * p.H), 10);
        }
        if (withLengths)
            for (std::int64_t b = 0; b < p.B; ++b)
                lengths.push_back(std::int32_t((p.T + b * 3) % (p.T + 1)));
    }

    ref::LstmResult reference() const
    {
        return ref::lstmForward(p, x, wx, wh, bx, bh, h0, c0, lengths);
    }
    double loss() const
    {
        const auto r = reference();
        return dot(r.y, dy) + dot(r.hN, dhN) + dot(r.cN, dcN);
    }
    /// Gradient of loss() with respect to one of the members.
    Values gradient(Values Case::*operand) const
    {
        Case c = *this;
        return finiteDifferences(
            [&](const Values& v) {
                c.*operand = v;
                return c.loss();
            },
            this->*operand);
    }
};

/// Values with rows `ld` apart and back; the gaps hold NaN.
Values spread(const Values& v, std::int64_t row, std::int64_t ld)
{
    if (ld == row || row == 0)
        return v;
    Values out(v.size() / std::size_t(row) * std::size_t(ld),
               std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < v.size(); ++i)
        out[i / std::size_t(row) * std::size_t(ld) + i % std::size_t(row)] = v[i];
    return out;
}
Values gather(const Values& v, std::int64_t row, std::int64_t ld)
{
    if (ld == row || row == 0)
        return v;
    Values out;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (i % std::size_t(ld) < std::size_t(row))
            out.push_back(v[i]);
    return out;
}

struct Run {
    Values y, hN, cN, dx, dwx, dwh, dbx, dbh, dh0, dc0;
};

/// Forward and backward through the kernel. accumulate: every gradient starts at 1.
Run run(const Case& k, bool accumulate = false)
{
    const LstmParams& p = k.p;
    const cpu::LstmPlan plan(p);
    const auto G = std::size_t(4 * p.H);
    const auto rows = std::size_t(p.T * p.B);
    const auto states = std::size_t(p.B * p.H);
    const std::int64_t ld = p.rowY();
    Buffer scratch(DType::U8, plan.workspaceBytes()), x(p.dtype, k.x), wxMaster(DType::F32, k.wx),
        whMaster(DType::F32, k.wh), wx(DType::U8, plan.inputWeightBytes()),
        wh(DType::U8, plan.recurrentWeightBytes()),
        whBack(DType::U8, plan.recurrentBackwardWeightBytes()), bx(DType::F32, k.bx),
        bh(DType::F32, k.bh), h0(p.dtype, k.h0), c0(DType::F32, k.c0),
        y(p.dtype, rows * std::size_t(ld)), c(DType::F32, rows * std::size_t(p.H)),
        gates(p.dtype, rows * G), hN(p.dtype, states), cN(DType::F32, states),
        dy(p.dtype, spread(k.dy, p.H, ld)), dhN(p.dtype, k.dhN), dcN(DType::F32, k.dcN),
        dh0(p.dtype, states), dc0(DType::F32, states);
    plan.packInput(wxMaster.f32(), wx.data());
    plan.packRecurrent(whMaster.f32(), wh.data(), scratch.data());
    plan.packRecurrentBackward(whMaster.f32(), whBack.data(), scratch.data());
    LstmForward f;
    f.x = x.data(), f.wx = p.dtype == DType::F32 ? wxMaster.data() : wx.data();
    f.wh = wh.data(), f.bx = bx.f32(), f.bh = bh.f32();
    f.h0 = k.states ? h0.data() : nullptr, f.c0 = k.states ? c0.f32() : nullptr;
    f.lengths = k.lengths.empty() ? nullptr : k.lengths.data();
    f.y = y.data(), f.c = c.f32(), f.gates = gates.data(), f.hN = hN.data(), f.cN = cN.f32();
    plan.forward(f, scratch.data());
    Run r;
    r.y = gather(y.values(), p.H, ld), r.hN = hN.values(), r.cN = cN.values();

    const auto ones = [&](DType t, std::size_t n) {
        return Buffer(t, Values(n, accumulate ? 1.0 : std::nan("")));
    };
    Buffer dx = ones(p.dtype, k.x.size()), dwx = ones(DType::F32, k.wx.size()),
           dwh = ones(DType::F32, k.wh.size()), dbx = ones(DType::F32, G),
           dbh = ones(DType::F32, G);
    LstmBackward b;
    b.x = f.x, b.wx = f.wx, b.wh = whBack.data(), b.h0 = f.h0, b.c0 = f.c0, b.lengths = f.lengths;
    b.y = f.y, b.c = f.c, b.gates = f.gates, b.dy = dy.data(), b.dhN = dhN.data();
    b.dcN = dcN.f32(), b.dx = dx.data(), b.dwx = dwx.f32(), b.dwh = dwh.f32();
    b.dbx = dbx.f32(), b.dbh = dbh.f32(), b.dh0 = dh0.data(), b.dc0 = dc0.f32();
    b.accumulate = b.addToDx = accumulate;
    plan.backward(b, scratch.data());
    r.dx = dx.values(), r.dwx = dwx.values(), r.dwh = dwh.values(), r.dbx = dbx.values();
    r.dbh = dbh.values(), r.dh0 = dh0.values(), r.dc0 = dc0.values();
    return r;
}

bool canRun(DType t)
{
    return t == DType::F32 || cpu::cpuFeatures().bf16Fast;
}

} // namespace

class RecurrentTest : public QObject
{
    Q_OBJECT
private slots:
    void formulas()
    {
        double worst = 0.0;
        for (double v = -90.0; v <= 90.0; v += 0.00137) {
            const auto a = float(v);
            const double s = 1.0 / (1.0 + std::exp(-double(a))), t = std::tanh(double(a));
            const auto g = formula::lstmActivate({a, -a, a, a * 0.5f});
            worst =
                std::max({worst, std::abs(double(g.i) - s), std::abs(double(g.f) - (1.0 - s)),
                          std::abs(double(g.g) - t), std::abs(double(formula::lstmTanh(a)) - t)});
        }
        QVERIFY2(worst < 4e-7, qPrintable(QString::number(worst)));
        const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
        QVERIFY(std::isnan(formula::lstmTanh(nan)));
        QVERIFY(std::isnan(formula::lstmActivate({0, 0, nan, 0}).g));
        QVERIFY(std::isnan(formula::lstmActivate({nan, 0, 0, 0}).i));
        QCOMPARE(formula::lstmTanh(-inf), -1.0f);
        double four = 0.0;
        for (double v = -90.0; v <= 90.0; v += 0.0137) {
            const auto a = float(v), b = 0.1f * a, c = 3.0f - a;
            const auto u = formula::tanh4({a, b, -b, c});
            four = std::max({four, std::abs(double(u.a) - std::tanh(double(a))),
                             std::abs(double(u.b) - std::tanh(double(b))),
                             std::abs(double(u.c) + std::tanh(double(b))),
                             std::abs(double(u.d) - std::tanh(double(c)))});
        }
        QVERIFY2(four < 4e-7, qPrintable(QString::number(four)));
        QVERIFY(std::isnan(formula::tanh4({0, 0, 0, nan}).d));
        QVERIFY(std::abs(formula::lstmActivate({inf, 0, 0, -inf}).i - 1.0f) < 1e-6f);
        QVERIFY(std::abs(formula::lstmActivate({inf, 0, 0, -inf}).o) < 1e-6f);
    }

    void againstReference_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QVector<int>>("shape"); // T, B, I, H, ldy
        QTest::addColumn<bool>("reverse");
        QTest::addColumn<bool>("states");
        QTest::addColumn<bool>("lengths");
        const QVector<int> shapes[] = {
            {5, 3, 4, 6, 0},  {1, 1, 1, 1, 0},  {4, 3, 5, 7, 14}, {7, 5, 3, 17, 0},
            {1, 4, 6, 5, 10}, {3, 2, 0, 3, 0},  {0, 2, 3, 4, 0},  {3, 0, 2, 4, 0},
            {50, 6, 1, 3, 0}, {54, 20, 1, 1, 0}}; // chunks of input products: in bf16, in both
        for (DType t : {DType::F32, DType::BF16})
            for (const auto& s : shapes)
                for (int mode = 0; mode < 8; ++mode)
                    QTest::addRow("%s T%d B%d I%d H%d ld%d%s%s%s", dtypeName(t), s[0], s[1], s[2],
                                  s[3], s[4], mode & 1 ? " reversed" : "",
                                  mode & 2 ? " states" : "", mode & 4 ? " lengths" : "")
                        << int(t) << s << bool(mode & 1) << bool(mode & 2) << bool(mode & 4);
    }

    void againstReference()
    {
        QFETCH(int, dtype);
        QFETCH(QVector<int>, shape);
        QFETCH(bool, reverse);
        QFETCH(bool, states);
        QFETCH(bool, lengths);
        if (!canRun(DType(dtype)))
            QSKIP("this processor computes bf16 in fp32");
        const LstmParams p{shape[0], shape[1], shape[2], shape[3], reverse, shape[4], DType(dtype)};
        const Case k(p, states, lengths);
        const auto expected = k.reference();
        // The reference is slow: long sequences check what reaches the input.
        const bool all = p.T <= 10;
        const auto gradient = [&](Values Case::*operand) {
            return all || operand == &Case::x ? k.gradient(operand) : Values();
        };
        const Values dx = gradient(&Case::x), dwx = gradient(&Case::wx), dwh = gradient(&Case::wh),
                     db = gradient(&Case::bx), dh0 = gradient(&Case::h0), dc0 = gradient(&Case::c0);
        const double value = p.dtype == DType::F32 ? 1e-5 : 2e-2;
        const double slope = p.dtype == DType::F32 ? 3e-5 : 4e-2;
        for (bool accumulate : {false, true}) {
            const Run r = run(k, accumulate);
            SB_AGREE(compare(r.y, expected.y, value));
            SB_AGREE(compare(r.hN, expected.hN, value));
            SB_AGREE(compare(r.cN, expected.cN, value));
            const auto from = [&](Values v) { // accumulated gradients start at 1
                for (double& e : v)
                    e += accumulate ? 1.0 : 0.0;
                return v;
            };
            SB_AGREE(compare(r.dx, from(dx), slope));
            if (!all)
                continue;
            SB_AGREE(compare(r.dwx, from(dwx), slope));
            SB_AGREE(compare(r.dwh, from(dwh), slope));
            SB_AGREE(compare(r.dbx, from(db), slope));
            SB_AGREE(compare(r.dbh, from(db), slope));
            if (states) {
                SB_AGREE(compare(r.dh0, dh0, slope));
                SB_AGREE(compare(r.dc0, dc0, slope));
            }
        }
    }

    void paddingIsZero()
    {
        Case k({6, 3, 4, 5, false, 0, DType::F32}, true, true);
        k.lengths = {6, 0, 2};
        const Run r = run(k);
        for (std::size_t t = 0; t < 6; ++t)
            for (std::size_t b = 0; b < 3; ++b)
                for (std::size_t j = 0; t >= std::size_t(k.lengths[b]) && j < 5; ++j) {
                    QCOMPARE(r.y[(t * 3 + b) * 5 + j], 0.0);
                    if (j < 4)
                        QCOMPARE(r.dx[(t * 3 + b) * 4 + j], 0.0);
                }
        for (std::size_t j = 0; j < 5; ++j) { // nothing happens to the state of an empty sequence
            QCOMPARE(r.hN[5 + j], k.h0[5 + j]);
            QCOMPARE(r.dc0[5 + j], k.dcN[5 + j]);
        }
    }

    void nanShows()
    {
        Case k({3, 2, 4, 5, false, 0, DType::F32}, false, false);
        k.x[0] = std::nan("");
        const Run r = run(k);
        QVERIFY(std::isnan(r.y[0]) && std::isnan(r.y[2 * 2 * 5]));
        QVERIFY(!std::isnan(r.y[5])); // the other sequence
    }

    void noReferenceImplementation()
    {
        for (DType t : {DType::F32, DType::BF16})
            if (canRun(t)) {
                const cpu::LstmPlan plan({8, 4, 64, 64, false, 0, t});
                QVERIFY(plan.implementations().find("ref") == std::string::npos);
            }
    }

    /// Memory for p and one row per key, not for every query, key and unit.
    void additiveAttentionKeepsLittle()
    {
        const cpu::AdditiveAttentionPlan plan({2, 200, 300, 1024, 64, true, DType::F32});
        const std::size_t everything = std::size_t(2) * 200 * 300 * 1024 * 4;
        QVERIFY2(plan.workspaceBytes() < everything / 50,
                 qPrintable(QString::number(plan.workspaceBytes())));
    }

    void additiveAttentionAgainstReference_data()
    {
        QTest::addColumn<QVector<int>>("shape"); // B, Tq, Tk, A, V
        QTest::addColumn<bool>("normalised");
        for (const bool normalised : {false, true}) {
            const char* name = normalised ? "normalised" : "plain";
            QTest::addRow("odd %s", name) << QVector<int>{3, 2, 5, 19, 7} << normalised;
            QTest::addRow("size 1 %s", name) << QVector<int>{1, 1, 1, 1, 1} << normalised;
            QTest::addRow("no values %s", name) << QVector<int>{2, 3, 4, 5, 0} << normalised;
            QTest::addRow("no keys %s", name) << QVector<int>{2, 3, 0, 5, 4} << normalised;
        }
    }

    void additiveAttentionAgainstReference()
    {
        QFETCH(QVector<int>, shape);
        QFETCH(bool, normalised);
        const AdditiveAttentionParams p{shape[0], shape[1],   shape[2],  shape[3],
                                        shape[4], normalised, DType::F32};
        const auto random = [](std::int64_t n, unsigned seed) {
            return randomValues(std::size_t(n), seed);
        };
        const Values q = random(p.Tq * p.B * p.A, 1), k = random(p.Tk * p.B * p.A, 2),
                     value = random(p.Tk * p.B * p.V, 3), v = random(p.A, 4), scale{1.5},
                     bias = random(p.A, 5), dy = random(p.Tq * p.B * p.V, 6);
        std::vector<std::int32_t> lengths(std::size_t(p.B), std::int32_t(p.Tk));
        if (p.B > 1)
            lengths[1] = std::int32_t(p.Tk / 2);
        const cpu::AdditiveAttentionPlan plan(p);
        Buffer bq(DType::F32, q), bk(DType::F32, k), bvalue(DType::F32, value), bv(DType::F32, v),
            bscale(DType::F32, scale), bbias(DType::F32, bias), bdy(DType::F32, dy),
            weights(DType::F32, std::size_t(p.B * p.Tq * p.Tk)), context(DType::F32, dy.size()),
            scratch(DType::U8, plan.workspaceBytes()), dq(DType::F32, q.size());
        const AdditiveAttentionInputs in{bq.data(),    bk.data(),   bvalue.data(), bv.f32(),
                                         bscale.f32(), bbias.f32(), lengths.data()};
        plan.forward(in, weights.data(), context.data(), scratch.data());
        const auto forward = [&](const Values& query) {
            return ref::additiveAttentionForward(p, query, k, value, v, scale, bias, lengths);
        };
        SB_AGREE(compare(context.values(), forward(q).context, 1e-5));
        SB_AGREE(compare(weights.values(), forward(q).probabilities, 1e-5));
        AdditiveAttentionGradients out;
        out.dq = dq.data(); // the others are not wanted
        plan.backward(in, weights.data(), bdy.data(), out, scratch.data());
        const Values expected = finiteDifferences(
            [&](const Values& query) { return dot(forward(query).context, dy); }, q);
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(dq.values()[i] - expected[i]) < 1e-6);
    }

    void badShapesAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(cpu::AdditiveAttentionPlan({1, -1, 1, 1, 1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(cpu::LstmPlan({-1, 1, 1, 1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(cpu::LstmPlan({1, 1, 1, 8, false, 4}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(cpu::LstmPlan({1, 1, 1, 8, false, 0, DType::I32}),
                                 InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(RecurrentTest)
#include "recurrent_test.moc"
