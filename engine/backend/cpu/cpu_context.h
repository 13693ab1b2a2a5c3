// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the op families of the CPU backend share: memory, scratch, packed weights, profile, and the
// checks of their arguments.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/op_work.h"
#include "engine/backend/plan_cache.h"
#include "engine/backend/tensor_checks.h"
#include "engine/core/compute_clock.h"
#include "kernels/check.h"
#include "kernels/weight_layout.h"

namespace scalebench::cpu_backend {

class CpuContext
{
public:
    CachingAllocator& allocator() { return allocator_; }
    Tensor make(Shape shape, DType dtype)
    {
        return Tensor::empty(std::move(shape), dtype, allocator_);
    }

    /// Scratch of the running op; grows to the largest need. The next call may move it.
    void* workspace(std::size_t bytes);

    /// The weight in a plan's layout, packed again only when its version changed.
    /// pack(const float* weight, void* packed). Good until the next call.
    template <class Pack>
    const void* packedWeight(const WeightRef& weight, kernels::cpu::WeightLayout layout,
                             std::size_t bytes, Pack&& pack)
    {
        PackedWeight& entry = packedEntry(weight, layout, bytes);
        if (entry.version != weight.version) {
            pack(weight.value.f32().data(), entry.data.data());
            entry.version = weight.version;
        }
        return entry.data.data();
    }

    void copy(const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }

    /// Runs a kernel; families that are the same on every device call theirs so.
    template <class Kernel, class... Arguments>
    void launch(Kernel kernel, const Arguments&... arguments)
    {
        kernel(arguments...);
    }

    void setProfiling(bool on);
    std::vector<OpTime> profile() const;
    const std::map<std::string, OpWork>& work() const { return work_; }

    /// Times the op it is a local variable of, while profiling.
    class Timer
    {
    public:
        Timer(CpuContext& context, const char* op) : context_(context), op_(op)
        {
            if (context_.profiling_)
                start_ = computeSeconds();
        }
        ~Timer()
        {
            if (context_.profiling_)
                context_.noteTime(op_, start_);
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

        /// What the op has to do: operations of its arithmetic, bytes of operands and results.
        void work(double flops, double bytes) const
        {
            if (context_.profiling_)
                context_.noteWork(op_, flops, bytes);
        }

    private:
        CpuContext& context_;
        const char* op_;
        double start_ = 0;
    };

private:
    struct PackedWeight {
        std::uint64_t version = 0;
        Tensor data;
    };
    using PackedWeights = PlanCache<kernels::cpu::WeightLayout, PackedWeight>;
    PackedWeight& packedEntry(const WeightRef& weight, kernels::cpu::WeightLayout layout,
                              std::size_t bytes);
    void noteTime(const char* op, double start);
    void noteWork(const char* op, double flops, double bytes);

    CachingAllocator allocator_;
    Tensor workspace_;
    std::map<const void*, PackedWeights> packed_; ///< by master weight
    bool profiling_ = false;
    std::map<std::string, std::pair<double, std::int64_t>> times_; ///< milliseconds, calls
    std::map<std::string, OpWork> work_;
};

/// Unsupported unless f32 or bf16; InvalidArgument unless defined with `rank` axes (0: any).
void requireActivation(const char* op, const Tensor& t, std::size_t rank);

} // namespace scalebench::cpu_backend
