// SPDX-License-Identifier: GPL-3.0-or-later
// Layer norm against its definition in double, for widths that end inside a vector and numbers of
// rows that end inside a group of them.
#include <QTest>

#include <cmath>
#include <vector>

#include "kernels/layer_norm.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

struct Results {
    Values sum, y, ds, dgamma, dbeta;
};

/// What rows of x and z, and a gradient that reached the sum on another way, give.
struct Case {
    std::int64_t rows, C;
    bool residual;
    Values x, z, gamma, beta, dy, more;

    Case(std::int64_t r, std::int64_t c, bool withResidual) : rows(r), C(c), residual(withResidual)
    {
        const auto n = std::size_t(rows * C);
        x = asBf16(n, 1), z = asBf16(n, 2), dy = asBf16(n, 3), more = asBf16(n, 4);
        gamma = asBf16(std::size_t(C), 5), beta = asBf16(std::size_t(C), 6);
    }

    static Values asBf16(std::size_t n, unsigned seed)
    {
        return Buffer(DType::BF16, randomValues(n, seed)).values();
    }

    Results computed(DType type) const
    {
        const auto n = std::size_t(rows * C);
        const Buffer bx(type, x), bz(type, z), bdy(type, dy), bmore(type, more), sum(type, n),
            y(type, n), ds(type, n), bgamma(DType::F32, gamma), bbeta(DType::F32, beta),
            mean(DType::F32, std::size_t(rows)), invStd(DType::F32, std::size_t(rows)),
            dgamma(DType::F32, std::size_t(C)), dbeta(DType::F32, std::size_t(C));
        const LayerNormParams p{rows, C, type, 1e-5f};
        cpu::layerNormForward(p, {bx.data(), residual ? bz.data() : nullptr,
                                  residual ? sum.data() : nullptr, bgamma.f32(), bbeta.f32(),
                                  y.data(), mean.f32(), invStd.f32()});
        const Buffer workspace(DType::F32, cpu::layerNormWorkspaceBytes(p) / sizeof(float));
        cpu::layerNormBackward(p,
                               {residual ? sum.data() : bx.data(), bgamma.f32(), mean.f32(),
                                invStd.f32(), bdy.data(), residual ? bmore.data() : nullptr,
                                ds.data(), dgamma.f32(), dbeta.f32()},
                               workspace.data());
        return {residual ? sum.values() : Values(), y.values(), ds.values(), dgamma.values(),
                dbeta.values()};
    }

    /// `sum`: as it was stored; the definition begins with it.
    Results defined(const Values& sum) const
    {
        Results r{sum, Values(x.size()), Values(x.size()), Values(std::size_t(C), 0.0),
                  Values(std::size_t(C), 0.0)};
        for (std::size_t row = 0; row < std::size_t(rows); ++row) {
            const auto c = std::size_t(C), at = row * c;
            const Values& s = residual ? sum : x;
            double mean = 0, variance = 0, g = 0, gh = 0;
            for (std::size_t i = 0; i < c; ++i)
                mean += s[at + i] / double(C);
            for (std::size_t i = 0; i < c; ++i)
                variance += (s[at + i] - mean) * (s[at + i] - mean) / double(C);
            const double scale = 1 / std::sqrt(variance + double(1e-5f));
            const auto h = [&](std::size_t i) { return (s[at + i] - mean) * scale; };
            for (std::size_t i = 0; i < c; ++i) {
                r.y[at + i] = h(i) * gamma[i] + beta[i];
                r.dgamma[i] += dy[at + i] * h(i);
                r.dbeta[i] += dy[at + i];
                g += dy[at + i] * gamma[i] / double(C);
                gh += dy[at + i] * gamma[i] * h(i) / double(C);
            }
            for (std::size_t i = 0; i < c; ++i)
                r.ds[at + i] = scale * (dy[at + i] * gamma[i] - g - h(i) * gh) +
                               (residual ? more[at + i] : 0.0);
        }
        return r;
    }
};

/// Of the largest number.
double apart(const Values& got, const Values& expected)
{
    double most = 1, error = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, std::abs(expected[i]));
        error = std::max(error, std::isnan(got[i]) ? 1e9 : std::abs(got[i] - expected[i]));
    }
    return error / most;
}

} // namespace

class LayerNormTest : public QObject
{
    Q_OBJECT
private slots:
    void isItsDefinition_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("residual");
        for (const DType t : {DType::F32, DType::BF16})
            for (const bool residual : {false, true})
                for (const auto& [rows, width] :
                     {std::pair{1, 2}, {3, 7}, {2, 32}, {5, 45}, {67, 48}, {4, 256}})
                    QTest::addRow("%s, %d x %d%s", t == DType::F32 ? "fp32" : "bf16", rows, width,
                                  residual ? ", residual" : "")
                        << int(t) << rows << width << residual;
    }
    void isItsDefinition()
    {
        QFETCH(int, dtype);
        QFETCH(int, rows);
        QFETCH(int, width);
        QFETCH(bool, residual);
        const Case c(rows, width, residual);
        const Results got = c.computed(DType(dtype)), expected = c.defined(got.sum);
        const double rounding = DType(dtype) == DType::F32 ? 2e-6 : 4.5e-3; // half a last place
        for (std::size_t i = 0; i < got.sum.size(); ++i)
            QVERIFY(std::abs(got.sum[i] - c.x[i] - c.z[i]) <= 2 * rounding);
        QCOMPARE_LT(apart(got.y, expected.y), rounding);
        QCOMPARE_LT(apart(got.ds, expected.ds), rounding);
        QCOMPARE_LT(apart(got.dgamma, expected.dgamma), 2e-6);
        QCOMPARE_LT(apart(got.dbeta, expected.dbeta), 2e-6);
    }
};

QTEST_APPLESS_MAIN(LayerNormTest)
#include "layer_norm_test.moc"
