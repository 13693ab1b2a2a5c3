// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of batch norm over one chunk, for every width and number of rows that a vector may
// leave over, against the same formulas in double; what lies behind the chunk stays as it was.
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cpu/batch_norm_loops.h"
#include "kernels/formula/bf16.h"

using namespace scalebench;
namespace norm = scalebench::kernels::cpu::norm;

namespace {

constexpr std::size_t kGuard = 64;

template <class T>
T numberOf(double v)
{
    T stored;
    formula::store(&stored, float(v));
    return stored;
}

/// Random numbers, those behind the chunk too.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.3, 1.0);
    std::vector<T> out(n + kGuard);
    for (T& v : out)
        v = numberOf<T>(normal(random));
    return out;
}

template <class T>
double at(const std::vector<T>& v, std::size_t i)
{
    return formula::load(&v[i]);
}

template <class T>
bool near(double got, double expected, double terms)
{
    const double step = sizeof(T) == 2 ? 0x1p-8 : 0x1p-21;
    return std::abs(got - expected) <= step * std::abs(expected) + 2e-6 * terms;
}

template <class T>
class Case
{
public:
    Case(std::int64_t rows, std::int64_t width)
        : rows_(rows), width_(width), n_(std::size_t(rows * width))
    {
    }
    bool sums() const
    {
        std::vector<float> s = numbers<float>(std::size_t(width_), 11), q = s;
        const std::vector<float> s0 = s, q0 = q;
        norm::loopsOf(x_.data()).sums(x_.data(), rows_, width_, s.data(), q.data());
        return eachColumn(s, q, s0, [&](std::size_t c, double& sum, double& product, double& size) {
            for (std::size_t i = c; i < n_; i += std::size_t(width_)) {
                const double d = at(x_, i) - at(x_, c);
                sum += d, product += d * d, size += std::abs(d) + d * d;
            }
        });
    }
    bool apply(bool residual, bool relu) const
    {
        std::vector<T> y = numbers<T>(n_, 7);
        const std::vector<T> before = y;
        norm::loopsOf(x_.data()).apply(x_.data(), residual ? more_.data() : nullptr, affine(),
                                       y.data(), rows_, width_, relu);
        return eachNumber(y, before, [&](std::size_t i, std::size_t c, double& size) {
            double v = at(x_, i) * scale_[c] + shift_[c] + (residual ? at(more_, i) : 0.0);
            size = std::abs(at(x_, i) * scale_[c]) + std::abs(shift_[c]);
            return relu && v < 0.0 ? 0.0 : v;
        });
    }
    bool backwardSums(norm::Mask mask, bool hasMore, bool writes) const
    {
        std::vector<T> dz = numbers<T>(n_, 8);
        const std::vector<T> before = dz;
        std::vector<float> s = numbers<float>(std::size_t(width_), 11), q = s;
        const std::vector<float> s0 = s;
        norm::loopsOf(x_.data()).backwardSums(chunk(hasMore, writes ? dz.data() : nullptr, nullptr),
                                              mask, mean_.data(), affine(), s.data(), q.data());
        const bool written =
            !writes || eachNumber(dz, before, [&](std::size_t i, std::size_t c, double& size) {
                size = std::abs(at(dy_, i)) + std::abs(at(more_, i));
                return gradient(i, c, mask, hasMore);
            });
        return written &&
               eachColumn(s, q, s0, [&](std::size_t c, double& sum, double& product, double& size) {
                   for (std::size_t i = c; i < n_; i += std::size_t(width_)) {
                       const double g = gradient(i, c, mask, hasMore), d = at(x_, i) - mean_[c];
                       sum += g, product += g * d;
                       size += std::abs(g) * (1.0 + std::abs(d));
                   }
               });
    }
    bool backwardApply(norm::Mask mask, bool hasMore) const
    {
        std::vector<T> dx = numbers<T>(n_, 9);
        const std::vector<T> before = dx;
        norm::loopsOf(x_.data()).backwardApply(chunk(hasMore, nullptr, dx.data()), mask, affine(),
                                               {scale_.data(), mean_.data(), shift_.data()});
        return eachNumber(dx, before, [&](std::size_t i, std::size_t c, double& size) {
            const double g = scale_[c] * gradient(i, c, mask, hasMore), b = mean_[c] * at(x_, i);
            size = std::abs(g) + std::abs(b) + std::abs(shift_[c]);
            return g + b + shift_[c];
        });
    }

private:
    norm::Affine affine() const { return {scale_.data(), shift_.data()}; }
    norm::Chunk<T> chunk(bool hasMore, T* dz, T* dx) const
    {
        return {x_.data(), y_.data(), dy_.data(), hasMore ? more_.data() : nullptr,
                dz,        dx,        rows_,      width_};
    }
    double gradient(std::size_t i, std::size_t c, norm::Mask mask, bool hasMore) const
    {
        const double g = at(dy_, i) + (hasMore ? at(more_, i) : 0.0);
        // As the loops: an fp32 result, whose sign the rounding does not change here.
        if (mask == norm::kFromInput && at(x_, i) * scale_[c] + shift_[c] <= 0.0)
            return 0.0;
        return mask == norm::kFromOutput && at(y_, i) <= 0.0 ? 0.0 : g;
    }
    /// Sums of columns, and that nothing else was written.
    template <class Column>
    bool eachColumn(const std::vector<float>& s, const std::vector<float>& q,
                    const std::vector<float>& before, Column&& column) const
    {
        for (std::size_t c = 0; c < std::size_t(width_); ++c) {
            double sum = 0, product = 0, size = 0;
            column(c, sum, product, size);
            if (!near<float>(s[c], sum, size) || !near<float>(q[c], product, size))
                return false;
        }
        const std::size_t bytes = kGuard * sizeof(float);
        return std::memcmp(&s[std::size_t(width_)], &before[std::size_t(width_)], bytes) == 0 &&
               std::memcmp(&q[std::size_t(width_)], &before[std::size_t(width_)], bytes) == 0;
    }
    template <class Number>
    bool eachNumber(const std::vector<T>& got, const std::vector<T>& before, Number&& number) const
    {
        for (std::size_t i = 0; i < n_; ++i) {
            double size = 0;
            const double expected = number(i, i % std::size_t(width_), size);
            if (!near<T>(at(got, i), expected, size))
                return false;
        }
        return std::memcmp(&got[n_], &before[n_], kGuard * sizeof(T)) == 0;
    }

    std::int64_t rows_, width_;
    std::size_t n_;
    const std::vector<T> x_ = numbers<T>(n_, 1), y_ = numbers<T>(n_, 2), dy_ = numbers<T>(n_, 3),
                         more_ = numbers<T>(n_, 4);
    const std::vector<float> scale_ = numbers<float>(std::size_t(width_), 5),
                             shift_ = numbers<float>(std::size_t(width_), 6),
                             mean_ = numbers<float>(std::size_t(width_), 10);
};

template <class T>
void everyLoop(std::int64_t rows, std::int64_t width)
{
    const Case<T> c(rows, width);
    QVERIFY(c.sums());
    for (const bool one : {false, true})
        for (const bool other : {false, true})
            QVERIFY(c.apply(one, other));
    for (const bool more : {false, true}) {
        QVERIFY(c.backwardSums(norm::kNone, more, false));
        QVERIFY(c.backwardSums(norm::kFromInput, more, false));
        QVERIFY(c.backwardSums(norm::kNone, more, true));
        QVERIFY(c.backwardSums(norm::kFromOutput, more, true));
        QVERIFY(c.backwardApply(norm::kNone, more));
        QVERIFY(c.backwardApply(norm::kFromInput, more));
    }
}

} // namespace

class BatchNormLoopsTest : public QObject
{
    Q_OBJECT
private slots:
    void everyWidthAndNumberOfRows_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("width");
        for (const int width : {1, 3, 16, 20, 31, 32, 33, 48, 63, 64, 65, 100, 128, 200})
            for (const int rows : {1, 2, 3, 5, 31, 32, 67, 128})
                QTest::addRow("%d x %d", rows, width) << rows << width;
    }
    void everyWidthAndNumberOfRows()
    {
        QFETCH(int, rows);
        QFETCH(int, width);
        everyLoop<float>(rows, width);
        everyLoop<bf16_t>(rows, width);
    }
    /// A diverged loss must show: a NaN passes the ReLU and the sums.
    void aNanStaysOne()
    {
        for (const std::int64_t width : {20, 64, 96}) {
            const std::size_t n = std::size_t(3 * width), bad = std::size_t(width) + 17;
            std::vector<bf16_t> x = numbers<bf16_t>(n, 1), y(n);
            x[bad] = numberOf<bf16_t>(std::numeric_limits<double>::quiet_NaN());
            std::vector<float> one(std::size_t(width), 1.0f), s(one), q(one);
            const norm::Loops<bf16_t>& loops = norm::loopsOf(x.data());
            loops.apply(x.data(), nullptr, {one.data(), one.data()}, y.data(), 3, width, true);
            loops.sums(x.data(), 3, width, s.data(), q.data());
            for (std::size_t i = 0; i < n; ++i)
                QCOMPARE(std::isnan(at(y, i)), i == bad);
            for (std::size_t c = 0; c < std::size_t(width); ++c)
                QCOMPARE(std::isnan(s[c]) && std::isnan(q[c]), c == 17);
        }
    }
};

QTEST_APPLESS_MAIN(BatchNormLoopsTest)
#include "batch_norm_loops_test.moc"
