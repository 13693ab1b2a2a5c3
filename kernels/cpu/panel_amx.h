// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The AMX form of panel_gemm.h's product of rows in bf16, which chooses it.

#include <cstdint>

#include "kernels/cpu/panel_gemm.h"

namespace scalebench::kernels::cpu::panels {

/// Whether products of rows this deep are made by AMX here: whole tiles of them.
bool amxMultiplies(std::int64_t K);

/// multiply() of Rows<bf16_t>, given in bytes, by panels. A row is summed in one order, whatever
/// lies beside it.
void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const char* A,
                 std::int64_t rowBytes, Panels<bf16_t> B, Finish finish, bf16_t* C,
                 std::int64_t ldc, const Ahead& ahead);
void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const char* A,
                 std::int64_t rowBytes, Panels<bf16_t> B, Finish finish, float* C, std::int64_t ldc,
                 const Ahead& ahead);

} // namespace scalebench::kernels::cpu::panels
