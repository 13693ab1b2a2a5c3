// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that use AMX, without a system below them, against sums in double. Says on the serial
// port what it found, a line each, and "end".
#include <cstdint>

#include <immintrin.h>

#include "kernels/cpu/split_block.h"
#include "kernels/cpu/tile_amx.h"
#include "kernels/cpu/tile_gemm.h"

using namespace scalebench;
using namespace scalebench::kernels::cpu;

// The compiler calls these for large objects.
extern "C" void* memset(void* to, int value, std::size_t bytes)
{
    auto* at = static_cast<unsigned char*>(to);
    for (; bytes > 0; --bytes)
        *at++ = static_cast<unsigned char>(value);
    return to;
}
extern "C" void* memcpy(void* to, const void* from, std::size_t bytes)
{
    auto* at = static_cast<unsigned char*>(to);
    for (const auto* source = static_cast<const unsigned char*>(from); bytes > 0; --bytes)
        *at++ = *source++;
    return to;
}

namespace scalebench::kernels::cpu::tile {
bool amxAvailable()
{
    return true;
}
} // namespace scalebench::kernels::cpu::tile

namespace {

// --- the first serial port (16550)

void put(char c)
{
    constexpr std::uint16_t kData = 0x3f8, kStatus = kData + 5;
    std::uint8_t status = 0;
    do
        asm volatile("inb %1, %0" : "=a"(status) : "Nd"(kStatus));
    while ((status & 0x20) == 0); // it still sends the last one
    asm volatile("outb %0, %1" : : "a"(c), "Nd"(kData));
}

void say(const char* text)
{
    for (; *text; ++text)
        put(*text);
}

void say(std::int64_t number)
{
    if (number >= 10)
        say(number / 10);
    put(char('0' + number % 10));
}

// --- numbers

std::uint32_t state = 1;

/// -1 ... 1, in bf16 times `scale`.
bf16_t randomNumber(float scale)
{
    state = state * 1664525u + 1013904223u;
    const float value = float(std::int32_t(state >> 8) % 2001 - 1000) / 1000.0f * scale;
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const auto high = std::uint16_t(bits >> 16);
    bf16_t result;
    __builtin_memcpy(&result, &high, sizeof result);
    return result;
}

double widened(bf16_t x)
{
    std::uint16_t high;
    __builtin_memcpy(&high, &x, sizeof high);
    const std::uint32_t bits = std::uint32_t(high) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return double(value);
}

double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/// "NAME ok|WRONG: error E of L": the largest error and sum, in billionths.
class Finding
{
public:
    explicit Finding(const char* name) : name_(name) {}
    void compare(float got, double expected)
    {
        const double error = magnitude(double(got) - expected);
        error_ = error > error_ || error != error ? error : error_;
        largest_ = magnitude(expected) > largest_ ? magnitude(expected) : largest_;
    }
    ~Finding()
    {
        say(name_);
        say(error_ < 2e-6 * largest_ ? " ok: error " : " WRONG: error ");
        say(std::int64_t(error_ * 1e9));
        say(" of ");
        say(std::int64_t(largest_ * 1e9));
        say("\r\n");
    }

private:
    const char* name_;
    double error_ = 0, largest_ = 0;
};

// --- kernels

void testSplitBlock()
{
    using namespace split;
    constexpr std::int64_t kSteps = 5, kNumbers = kSteps * kTiles * kTile;
    alignas(64) static bf16_t A[kNumbers], B[kNumbers];
    alignas(64) static float tiles[kEdge * kEdge], pairs[kEdge * kEdge];
    for (std::int64_t i = 0; i < kNumbers; ++i) {
        const std::int64_t part = i / kTile % kTiles / 2;
        const float scale = part == 0 ? 1 : part == 1 ? 1.0f / 512 : 1.0f / 262144;
        A[i] = randomNumber(scale);
        B[i] = randomNumber(scale);
    }
    sumBlock(kSteps, A, B, tiles);
    sumBlockInPairs(kSteps, A, B, pairs);
    Finding ofTiles("split, AMX"), ofPairs("split, AVX512_BF16");
    for (std::int64_t m = 0; m < kEdge; ++m)
        for (std::int64_t n = 0; n < kEdge; ++n) {
            double sum = 0;
            for (std::int64_t k = 0; k < kSteps * kStep; ++k)
                for (std::int64_t a = 0; a < kParts; ++a)
                    for (std::int64_t b = 0; a + b < kParts; ++b) {
                        const std::int64_t step = k / kStep * kTiles * kTile, in = k % kStep;
                        sum += widened(A[step + tileAt(a, m / 16) + m % 16 * kStep + in]) *
                               widened(
                                   B[step + tileAt(b, n / 16) + in / 2 * 32 + n % 16 * 2 + in % 2]);
                    }
            ofTiles.compare(tiles[m * kEdge + n], sum);
            ofPairs.compare(pairs[m * kEdge + n], sum);
        }
}

/// 48 x 80 x 96: whole blocks of 32 x 32 and rests of 16, added to what is there or not.
void testTileProduct(bool accumulate)
{
    constexpr std::int64_t M = 48, N = 80, K = 96;
    alignas(64) static bf16_t A[M * K], B[K * N];
    alignas(64) static float C[M * N];
    for (bf16_t& a : A)
        a = randomNumber(1);
    for (bf16_t& b : B)
        b = randomNumber(1);
    for (std::int64_t i = 0; i < M * N; ++i)
        C[i] = float(i % 7);
    tile::multiplyAmx(M, N, K, A, K, B, N, C, N, accumulate);
    Finding found(accumulate ? "tile product, added" : "tile product");
    for (std::int64_t m = 0; m < M; ++m)
        for (std::int64_t n = 0; n < N; ++n) {
            double sum = accumulate ? double((m * N + n) % 7) : 0;
            for (std::int64_t k = 0; k < K; ++k)
                sum += widened(A[m * K + k]) * widened(B[k / 2 * 2 * N + 2 * n + k % 2]);
            found.compare(C[m * N + n], sum);
        }
}

/// Eight tiles of 16 rows by 64 bytes, as tile::AmxScope has them.
struct alignas(64) TileConfig {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constinit TileConfig config;

__attribute__((target("amx-tile"))) void setUpTiles()
{
    _tile_loadconfig(&config);
}

} // namespace

extern "C" void amxMain()
{
    setUpTiles();
    testSplitBlock();
    testTileProduct(false);
    testTileProduct(true);
    say("end\r\n");
}
