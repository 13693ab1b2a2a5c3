// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention and its gradients by cuDNN's fused kernels, where they suit and win: 16-bit types,
// sentences of one number of rows (padding included, packed sequences not), forward without dropout
// only, whose elements would have to lie in memory. A graph that no engine takes leaves the call to
// our kernels, and so does one that gives other numbers or is slower: both run once on the first
// operands that are worth it, are compared and timed.

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "engine/backend/cuda/attention_graphs.h"
#include "engine/backend/cuda/cudnn_plans.h"
#include "engine/backend/plan_cache.h"
#include "kernels/cuda/attention.h"

namespace scalebench::cuda_backend {

class FusedAttention
{
public:
    /// Our kernels on the operands.
    using OwnForward = std::function<void(const AttentionForward&)>;
    using Own = std::function<void(const AttentionBackward&)>;

    explicit FusedAttention(CudaContext& context) : context_(context) {}

    /// False: not done, by the choice for calls like this one. `list`: of `mask`.
    bool forward(const AttentionParams& p, const std::vector<AttentionSegment>& mask,
                 const kernels::cuda::SegmentList& list, const AttentionForward& f,
                 const OwnForward& own);
    bool backward(const AttentionParams& p, const std::vector<AttentionSegment>& mask,
                  const kernels::cuda::SegmentList& list, const AttentionBackward& b,
                  const Own& own);

    /// What served the last call, for a benchmark's row: "cuDNN engine 6 24=26", "own kernels", or
    /// with the reason.
    const std::string& served() const { return served_; }

    /// The part of a result's root mean square by which both may differ.
    static constexpr float kTolerance = 0.03f;
    /// Scratch of all kinds takes no more than this part of the device's memory.
    static constexpr std::size_t kScratchPart = 32;
    /// Operations for which calls of one kind have asked before cuDNN compiles kernels for them,
    /// which takes it most of a second: more than as long in our kernels (H200). Where shapes
    /// repeat, the first call is enough.
    static constexpr double kWorthAPlan = 1e14;

private:
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t, std::int64_t, std::int64_t, std::int64_t, int>;
    struct Choice {
        double work = 0; ///< operations so far
        bool made = false;
        std::optional<CudnnPlan> plan; ///< none: our kernels
        AttentionForwardIds forward{}; ///< of the plan's direction
        AttentionGradientIds gradient{};
        std::string why = "own kernels";
    };
    struct Call {
        const AttentionParams& p;
        const SentenceShape& shape;
        const kernels::cuda::SegmentList& list;
    };
    /// What is compared: the heads of ours and of theirs, in p's type, or numbers in F32.
    struct Compared {
        const void *ours, *theirs;
        std::int64_t rows, stride;
        bool numbers = false;
    };
    /// One direction of a call.
    struct Side {
        const CudnnGraph& graph;
        std::function<void()> own, fused;
        std::function<bool()> agrees;
    };

    Choice& choiceOf(const Call& call, bool forward);
    /// Whether to choose now; true once. `products`: of the direction.
    bool due(const Call& call, int products, Choice& choice) const;
    /// Fills in the plan and why it serves, or why not.
    static void choose(Choice& choice, const std::function<std::string()>& rejection);
    /// Empty, or why the plan that it makes does not serve.
    std::string rejection(const Call& call, const Side& side, Choice& choice);
    bool agree(const AttentionParams& p, std::initializer_list<Compared> parts);
    bool forwardAgrees(const Call& call, const AttentionForward& f, const OwnForward& own,
                       const Choice& choice);
    bool backwardAgrees(const Call& call, const AttentionBackward& b, const Own& own,
                        const Choice& choice);
    void run(const Call& call, const AttentionForward& f, const Choice& choice);
    void run(const Call& call, const AttentionBackward& b, const Choice& choice);

    CudaContext& context_;
    std::unique_ptr<CudnnPlans> plans_; ///< made at the first need
    PlanCache<Key, Choice> choices_;
    std::string served_ = "own kernels";
};

} // namespace scalebench::cuda_backend
