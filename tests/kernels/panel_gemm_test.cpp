// SPDX-License-Identifier: GPL-3.0-or-later
// Products of panels against sums in double: operands packed in one go and in parts, results that
// end inside a vector, what lies beside an operand, NaN, and the same bits for any number of rows
// and threads.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <omp.h>

#include "kernels/cpu/panel_gemm.h"
#include "kernels/linear.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace panels = scalebench::kernels::cpu::panels;

namespace {

template <class T>
std::vector<T> numbers(const Values& values)
{
    std::vector<T> result;
    for (const double v : values)
        if constexpr (sizeof(T) == sizeof(float))
            result.push_back(float(v));
        else
            result.push_back(formula::f32ToBf16(float(v)));
    return result;
}

double valueOf(float v)
{
    return double(v);
}
double valueOf(bf16_t v)
{
    return double(formula::bf16ToF32(v));
}

/// Words that begin with a line of memory.
class Room
{
public:
    explicit Room(std::size_t words) : lines_(words / kWords + 1), words_(words) {}
    std::span<std::uint32_t> words() { return {lines_.front().words, words_}; }

private:
    static constexpr std::size_t kWords = 16;
    struct alignas(64) Line {
        std::uint32_t words[kWords];
    };
    std::vector<Line> lines_;
    std::size_t words_;
};

/// A (M x K) times B (K x N); rows of A are followed by NaN, rows of C by what must stay.
template <class T>
struct Product {
    std::int64_t M, N, K, lda = K + 3;
    std::vector<T> a, aTransposed, b;
    std::vector<float> bias;

    Product(std::int64_t rows, std::int64_t columns, std::int64_t depth)
        : M(rows),
          N(columns),
          K(depth),
          a(numbers<T>(Values(std::size_t(M * lda), std::numeric_limits<double>::quiet_NaN()))),
          aTransposed(std::size_t(M * K)),
          b(numbers<T>(randomValues(std::size_t(K * N), 2))),
          bias(numbers<float>(randomValues(std::size_t(N), 3)))
    {
        const std::vector<T> x = numbers<T>(randomValues(std::size_t(M * K), 1));
        for (std::int64_t m = 0; m < M; ++m)
            for (std::int64_t k = 0; k < K; ++k)
                a[std::size_t(m * lda + k)] = aTransposed[std::size_t(k * M + m)] =
                    x[std::size_t(m * K + k)];
    }

    std::vector<std::uint32_t> packedB() const
    {
        const std::int64_t words = panels::wordsOf<T>(K), part = 2 * panels::kInWord<T>;
        std::vector<std::uint32_t> to(std::size_t(words * panels::inPanels(N)), 0xffffffffu);
        for (std::int64_t k = 0; k < K; k += part)
            panels::packPanels(b.data() + k * N, N, std::min(part, K - k), N, to.data(),
                               k / panels::kInWord<T>, words);
        return to;
    }
    std::vector<std::uint32_t> tilesOfA() const
    {
        const std::int64_t words = panels::wordsOf<T>(K);
        std::vector<std::uint32_t> to(std::size_t(words * panels::inTiles(M)), 0xffffffffu);
        panels::packTiles(aTransposed.data(), M, K, M, to.data(), 0, words);
        return to;
    }

    template <class Out>
    std::vector<Out> run(bool tiles, panels::Finish finish) const
    {
        const std::int64_t words = panels::wordsOf<T>(K), ldc = N + 1;
        const std::vector<std::uint32_t> B = packedB(), A = tilesOfA();
        std::vector<Out> C = numbers<Out>(Values(std::size_t(M * ldc), 1.0));
        const panels::Panels<T> right{B.data(), words};
        if constexpr (sizeof(Out) == sizeof(float)) {
            if (tiles) {
                panels::multiply(M, N, K, panels::Tiles<T>{A.data(), words}, right, finish,
                                 C.data(), ldc);
                return C;
            }
        }
        panels::multiply(M, N, K, panels::Rows<T>{a.data(), lda}, right, finish, C.data(), ldc);
        return C;
    }

    template <class Out>
    std::string disagreement(const std::vector<Out>& C, panels::Finish finish) const
    {
        const double near = sizeof(Out) == sizeof(float) ? 2e-6 : 4e-3;
        for (std::int64_t m = 0; m < M; ++m) {
            if (valueOf(C[std::size_t(m * (N + 1) + N)]) != 1.0)
                return "row " + std::to_string(m) + " wrote behind its end";
            for (std::int64_t n = 0; n < N; ++n) {
                double sum = finish.accumulate ? 1.0 : 0.0, size = 1.0;
                for (std::int64_t k = 0; k < K; ++k) {
                    const double term =
                        valueOf(a[std::size_t(m * lda + k)]) * valueOf(b[std::size_t(k * N + n)]);
                    sum += term, size += std::abs(term);
                }
                if (finish.bias)
                    sum += double(finish.bias[n]);
                if (finish.relu)
                    sum = std::max(sum, 0.0);
                const double got = valueOf(C[std::size_t(m * (N + 1) + n)]);
                if (!(std::abs(got - sum) <= near * size))
                    return "row " + std::to_string(m) + ", column " + std::to_string(n) + ": " +
                           std::to_string(got) + " instead of " + std::to_string(sum);
            }
        }
        return {};
    }
};

template <class T>
std::string checkProduct(std::int64_t M, std::int64_t N, std::int64_t K)
{
    const Product<T> p(M, N, K);
    for (const panels::Finish finish :
         {panels::Finish{}, panels::Finish{p.bias.data(), true, false},
          panels::Finish{nullptr, false, true}}) {
        for (const bool tiles : {false, true})
            if (std::string text = p.disagreement(p.template run<float>(tiles, finish), finish);
                !text.empty())
                return (tiles ? "tiles, " : "rows, ") + text;
        if constexpr (sizeof(T) < sizeof(float))
            if (!finish.accumulate)
                if (std::string text = p.disagreement(p.template run<T>(false, finish), finish);
                    !text.empty())
                    return "to bf16, " + text;
    }
    return {};
}

/// A weight packed as B of both products, beside its parts packed as what they are.
template <class T>
std::string checkTransposed(std::int64_t rows, std::int64_t columns)
{
    const std::vector<T> x = numbers<T>(randomValues(std::size_t(rows * columns), 5));
    std::vector<T> turned(x.size());
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            turned[std::size_t(c * rows + r)] = x[std::size_t(r * columns + c)];
    const std::int64_t words = panels::wordsOf<T>(columns);
    std::vector<std::uint32_t> expected(std::size_t(words * panels::inPanels(rows))), got(expected);
    panels::packPanels(turned.data(), rows, columns, rows, expected.data(), 0, words);
    for (std::int64_t r = 0; r < rows; r += panels::kPanel)
        panels::packTransposed(
            x.data() + r * columns, columns, std::min(panels::kPanel, rows - r), columns,
            got.data() + r / panels::kColumns * panels::kColumns * words + r % panels::kColumns,
            panels::groupWidth(r, rows));
    return got == expected ? std::string() : "transposed panels differ";
}

/// What a layer's forward and backward passes give for `rows` rows, as bytes.
std::vector<unsigned char> layerBits(LinearParams p, std::int64_t rows, int threads)
{
    omp_set_num_threads(threads);
    p.N = rows;
    const auto N = std::size_t(p.N), in = std::size_t(p.in), out = std::size_t(p.out);
    const kernels::cpu::LinearPlan plan(p);
    const Buffer x(p.dtype, randomValues(N * in, 1)), w(DType::F32, randomValues(in * out, 2)),
        dy(p.dtype, randomValues(N * out, 4)), y(p.dtype, N * out), dx(p.dtype, N * in),
        dw(DType::F32, in * out), db(DType::F32, out), packed(DType::U8, plan.packedWeightBytes()),
        scratch(DType::U8, plan.workspaceBytes());
    plan.pack(w.f32(), packed.data());
    plan.forward(x.data(), w.f32(), packed.data(), nullptr, nullptr, y.data(), scratch.data());
    kernels::cpu::LinearBackward b;
    b.x = x.data(), b.w = w.f32(), b.packed = packed.data(), b.kept = y.data(), b.dy = dy.data();
    b.dx = dx.data(), b.dw = dw.f32(), b.db = db.f32();
    plan.backward(b, scratch.data());
    omp_set_num_threads(1);
    std::vector<unsigned char> bits;
    const auto add = [&](const Buffer& from, std::size_t n) {
        const auto* at = static_cast<const unsigned char*>(from.data());
        bits.insert(bits.end(), at, at + n);
    };
    add(y, N * out * dtypeBytes(p.dtype));
    add(dx, N * in * dtypeBytes(p.dtype));
    add(dw, in * out * sizeof(float));
    add(db, out * sizeof(float));
    return bits;
}

} // namespace

class PanelGemmTest : public QObject
{
    Q_OBJECT
private slots:
    void values_data()
    {
        QTest::addColumn<int>("M");
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("K");
        for (const auto& [M, N, K] : {std::array{1, 1, 1},
                                      {6, 64, 2},
                                      {7, 17, 33},
                                      {13, 80, 64},
                                      {11, 113, 75},
                                      {3, 47, 8},
                                      {4, 129, 31},
                                      {20, 200, 301}})
            QTest::addRow("%d x %d x %d", M, N, K) << M << N << K;
    }
    void values()
    {
        QFETCH(int, M);
        QFETCH(int, N);
        QFETCH(int, K);
        if (!panels::available(DType::F32))
            QSKIP("no products of panels on this processor");
        SB_AGREE(checkProduct<float>(M, N, K));
        SB_AGREE(checkTransposed<float>(N, K));
        if (panels::available(DType::BF16)) {
            SB_AGREE(checkProduct<bf16_t>(M, N, K));
            SB_AGREE(checkTransposed<bf16_t>(N, K));
        }
    }

    /// Both forms of a weight that is rounded on the way.
    void weight()
    {
        if (!panels::available(DType::BF16))
            QSKIP("no products in bf16 on this processor");
        for (const auto& [rows, columns] :
             {std::array<std::int64_t, 2>{1, 1}, {37, 83}, {90, 64}, {131, 2085}}) {
            std::vector<float> x;
            for (const double v : randomValues(std::size_t(rows * columns), 6))
                x.push_back(float(v) * 1.001f);
            std::vector<bf16_t> rounded;
            for (const float v : x)
                rounded.push_back(formula::f32ToBf16(v));
            const std::int64_t across = panels::wordsOf<bf16_t>(columns),
                               down = panels::wordsOf<bf16_t>(rows);
            std::vector<std::uint32_t> expectTurned(std::size_t(across * panels::inPanels(rows))),
                expectPlain(std::size_t(down * panels::inPanels(columns)));
            panels::packPanels(rounded.data(), columns, rows, columns, expectPlain.data(), 0, down);
            for (std::int64_t r = 0; r < rows; r += panels::kPanel)
                panels::packTransposed(rounded.data() + r * columns, columns,
                                       std::min(panels::kPanel, rows - r), columns,
                                       expectTurned.data() +
                                           r / panels::kColumns * panels::kColumns * across +
                                           r % panels::kColumns,
                                       panels::groupWidth(r, rows));
            // From the begin of a line a large one goes past the caches, from elsewhere it cannot.
            for (const std::size_t off : {0, 1}) {
                Room turnedRoom(expectTurned.size() + off), plainRoom(expectPlain.size() + off);
                const auto turned = turnedRoom.words().subspan(off),
                           plain = plainRoom.words().subspan(off);
                for (std::int64_t r = 0; r < rows; r += panels::kColumns)
                    panels::packWeight(x.data(), rows, columns, r, turned.data(), plain.data());
                QVERIFY(std::ranges::equal(plain, expectPlain));
                QVERIFY(std::ranges::equal(turned, expectTurned));
            }
        }
    }

    /// They spoil their own row or column and no other, and ReLU lets NaN pass.
    void notNumbers()
    {
        if (!panels::available(DType::F32))
            QSKIP("no products of panels on this processor");
        Product<float> p(14, 70, 50);
        p.a[std::size_t(3 * p.lda + 20)] = p.aTransposed[20 * 14 + 3] =
            std::numeric_limits<float>::quiet_NaN();
        p.b[11 * 70 + 66] = std::numeric_limits<float>::quiet_NaN();
        for (const bool tiles : {false, true}) {
            const std::vector<float> C = p.run<float>(tiles, {nullptr, true, false});
            for (std::int64_t m = 0; m < p.M; ++m)
                for (std::int64_t n = 0; n < p.N; ++n)
                    QCOMPARE(std::isnan(C[std::size_t(m * (p.N + 1) + n)]), m == 3 || n == 66);
        }
    }

    void layerBitsAreThoseOfOneThread()
    {
        for (const DType t : {DType::F32, DType::BF16}) {
            if (!panels::available(t))
                continue;
            LinearParams p;
            p.in = 75, p.out = t == DType::F32 ? 3501 : 200, p.dtype = p.outputType = t,
            p.activation = Activation::Relu;
            for (const std::int64_t rows : {1100, 2300}) { // in one piece and in several
                const std::vector<unsigned char> one = layerBits(p, rows, 1);
                QVERIFY(one == layerBits(p, rows, 2));
                QVERIFY(one == layerBits(p, rows, 3));
                // Rows are summed alike, however many there are.
                const std::vector<unsigned char> fewer = layerBits(p, 600, 2);
                const std::size_t bytes = 600 * std::size_t(p.out) * dtypeBytes(t);
                QVERIFY(std::memcmp(one.data(), fewer.data(), bytes) == 0);
            }
        }
    }
};

QTEST_GUILESS_MAIN(PanelGemmTest)
#include "panel_gemm_test.moc"
