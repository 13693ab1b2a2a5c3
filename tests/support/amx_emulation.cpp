// SPDX-License-Identifier: GPL-3.0-or-later
// AMX for programs on a processor without it: preloaded (LD_PRELOAD), this answers that the system
// lets them use it, and carries out what the processor then refuses (SIGILL): LDTILECFG,
// TILERELEASE, TILEZERO, TILELOADD, TILESTORED and TDPBF16PS, as the "Intel 64 and IA-32
// Architectures Software Developer's Manual" has them. So the kernels' paths for AMX are tested
// with everything around them; tests/platforms/amx has somebody else's emulator for the innermost
// loops. Their bf16 neighbours must run here (AVX512_BF16 at twice fp32's rate, which AMD's have),
// else the program ends with kSkipped. Where the processor has AMX itself, nothing is done.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

constexpr int kSkipped = 77;
constexpr long kRequestPermission = 0x1023, kTileData = 18; // arch_prctl(2)

bool hasAmx()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d >> 22 & 1) != 0;
}

bool isFitForEmulation()
{
    return __builtin_cpu_supports("avx512bf16") != 0 && __builtin_cpu_is("amd") != 0;
}

// --- state of a thread

struct Tile {
    std::uint8_t rows = 0;
    std::uint16_t rowBytes = 0;
    alignas(64) std::uint8_t at[16][64] = {};
};
thread_local std::array<Tile, 8> tiles;

void configure(const std::uint8_t* memory)
{
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i] = {};
        std::memcpy(&tiles[i].rowBytes, memory + 16 + 2 * i, 2);
        tiles[i].rows = memory[48 + i];
    }
}

void release()
{
    tiles.fill({});
}

void load(Tile& tile, const std::uint8_t* at, std::int64_t step)
{
    std::memset(tile.at, 0, sizeof tile.at);
    for (int row = 0; row < tile.rows; ++row)
        std::memcpy(tile.at[row], at + row * step, tile.rowBytes);
}

void store(const Tile& tile, std::uint8_t* at, std::int64_t step)
{
    for (int row = 0; row < tile.rows; ++row)
        std::memcpy(at + row * step, tile.at[row], tile.rowBytes);
}

using Floats = __m512;

/// The even or the odd ones of 16 pairs of bf16 numbers.
[[gnu::target("avx512f")]] Floats widened(__m512i pairs, bool odd)
{
    return _mm512_castsi512_ps(odd ? _mm512_and_si512(pairs, _mm512_set1_epi32(-0x10000))
                                   : _mm512_maskz_slli_epi32(0xffff, pairs, 16));
}

/// Sums of even and of odd numbers are made apart, then added. Denormal numbers are zeros. Sixteen
/// columns are computed, however many there are: rows behind their end are zeros.
[[gnu::target("avx512f")]] void addProducts(Tile& c, const Tile& a, const Tile& b)
{
    constexpr unsigned kZeros = 0x8040; // DAZ and FTZ, until the signal's end restores the register
    _mm_setcsr(_mm_getcsr() | kZeros);
    for (int m = 0; m < c.rows; ++m) {
        Floats even = _mm512_setzero_ps(), odd = even;
        for (int k = 0; k < a.rowBytes / 4; ++k) {
            int pair = 0;
            std::memcpy(&pair, a.at[m] + 4 * k, 4);
            const __m512i left = _mm512_set1_epi32(pair), right = _mm512_load_si512(b.at[k]);
            even = _mm512_fmadd_ps(widened(left, false), widened(right, false), even);
            odd = _mm512_fmadd_ps(widened(left, true), widened(right, true), odd);
        }
        alignas(64) float sums[16];
        _mm512_store_ps(sums, _mm512_add_ps(_mm512_load_ps(c.at[m]), _mm512_add_ps(even, odd)));
        std::memcpy(c.at[m], sums, c.rowBytes);
    }
}

// --- instructions

struct Operand {
    std::int64_t address = 0; ///< without the index
    std::int64_t index = 0;   ///< scaled; of tile instructions the bytes between rows
    int length = 0;           ///< of ModRM and what belongs to it
};

std::int64_t generalRegister(const gregset_t& registers, int number)
{
    constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};
    return registers[kPlaces[number]];
}

/// Of ModRM at `at` within an instruction whose prefix has the inverted bits B and X.
Operand memoryOperand(const std::uint8_t* at, bool b, bool x, const gregset_t& registers)
{
    const int mode = at[0] >> 6, rm = at[0] & 7;
    Operand result;
    result.length = 1;
    bool hasBase = true, wide = mode == 2;
    int base = rm | (b ? 8 : 0);
    if (rm == 4) {
        const int sib = at[1], index = (sib >> 3 & 7) | (x ? 8 : 0);
        ++result.length;
        base = (sib & 7) | (b ? 8 : 0);
        if (index != 4)
            result.index = generalRegister(registers, index) << (sib >> 6);
        if ((sib & 7) == 5 && mode == 0)
            hasBase = false, wide = true;
    } else if (rm == 5 && mode == 0) { // relative to the next instruction
        std::int32_t offset = 0;
        std::memcpy(&offset, at + 1, 4);
        result.length = 5;
        result.address = std::int64_t(reinterpret_cast<std::uintptr_t>(at)) + 5 + offset;
        return result;
    }
    if (hasBase)
        result.address = generalRegister(registers, base);
    if (wide) {
        std::int32_t offset = 0;
        std::memcpy(&offset, at + result.length, 4);
        result.address += offset;
        result.length += 4;
    } else if (mode == 1) {
        result.address += std::int8_t(at[result.length]);
        ++result.length;
    }
    return result;
}

/// Its length; 0: none of ours.
int execute(const std::uint8_t* at, const gregset_t& registers)
{
    constexpr int kConfig = 0x49, kMove = 0x4b, kProducts = 0x5c, kStart = 4;
    if (at[0] != 0xc4 || (at[1] & 0x1f) != 2 || (at[2] & 0x84) != 0) // VEX.128.0F38.W0
        return 0;
    const bool b = (at[1] & 0x20) == 0, x = (at[1] & 0x40) == 0;
    const int prefix = at[2] & 3, opcode = at[3], modRm = at[kStart];
    const bool inRegisters = modRm >> 6 == 3;
    Tile& tile = tiles[std::size_t(modRm >> 3 & 7)];
    if (opcode == kProducts && prefix == 2 && inRegisters) {
        addProducts(tile, tiles[std::size_t(modRm & 7)], tiles[std::size_t(~at[2] >> 3 & 7)]);
        return kStart + 1;
    }
    if (opcode == kConfig && inRegisters && (prefix == 0 || prefix == 3)) {
        if (prefix == 0)
            release();
        else
            std::memset(tile.at, 0, sizeof tile.at);
        return kStart + 1;
    }
    if (inRegisters || (opcode != kConfig && opcode != kMove))
        return 0;
    const Operand operand = memoryOperand(at + kStart, b, x, registers);
    auto* const memory = reinterpret_cast<std::uint8_t*>(operand.address); // NOLINT
    if (opcode == kConfig && prefix == 0)
        configure(memory + operand.index);
    else if (opcode == kMove && prefix == 3)
        load(tile, memory, operand.index);
    else if (opcode == kMove && prefix == 2)
        store(tile, memory, operand.index);
    else
        return 0;
    return kStart + operand.length;
}

void onIllegalInstruction(int signal, siginfo_t*, void* context)
{
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    // A signal takes longer than what most of them do: those that follow are done at once.
    int done = 0;
    for (int length = 0; (length = execute(reinterpret_cast<const std::uint8_t*>( // NOLINT
                                               registers[REG_RIP]),
                                           registers)) > 0;
         ++done)
        registers[REG_RIP] += length;
    if (done == 0)
        std::signal(signal, SIG_DFL); // it comes again
}

[[gnu::constructor]] void setUp()
{
    __builtin_cpu_init();
    if (hasAmx())
        return;
    if (!isFitForEmulation()) {
        std::puts("No AMX here, and no AVX512_BF16 to emulate it beside.");
        std::fflush(stdout);
        _exit(kSkipped);
    }
    struct sigaction action = {};
    action.sa_sigaction = onIllegalInstruction;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGILL, &action, nullptr);
}

} // namespace

/// libc's, but for the question whether tiles may be used.
extern "C" long syscall(long number, ...) noexcept
{
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (long& argument : a)
        argument = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_arch_prctl && a[0] == kRequestPermission && a[1] == kTileData && !hasAmx())
        return 0;
    long result = number;
    register long r10 asm("r10") = a[3];
    register long r8 asm("r8") = a[4];
    register long r9 asm("r9") = a[5];
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = int(-result);
        return -1;
    }
    return result;
}
