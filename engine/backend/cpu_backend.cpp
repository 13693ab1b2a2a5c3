// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"
#include "kernels/batch_norm.h"
#include "kernels/check.h"
#include "kernels/cpu_features.h"
#include "kernels/elementwise.h"
#include "kernels/linear.h"
#include "kernels/pool2d.h"
#include "kernels/sgd.h"

namespace scalebench {
namespace {

namespace cpu = kernels::cpu;

std::int64_t rowsOf(const Tensor& t)
{
    return t.count() / t.shape().back();
}

void requireSame(const char* op, const Tensor& a, const Tensor& b)
{
    SB_REQUIRE(a.dtype() == b.dtype() && a.shape() == b.shape(),
               std::string(op) + ": " + a.describe() + " and " + b.describe() + " must agree");
}

void requireActivation(const char* op, const Tensor& t, std::size_t rank)
{
    SB_REQUIRE(t.defined() && t.count() > 0, std::string(op) + ": empty input " + t.describe());
    if (t.dtype() != DType::F32 && t.dtype() != DType::BF16)
        throw Unsupported(std::string(op) + " " + t.describe() +
                          ": the CPU backend computes in f32 and bf16");
    SB_REQUIRE(rank == 0 || t.shape().size() == rank, std::string(op) + ": " + t.describe() +
                                                          " must have " + std::to_string(rank) +
                                                          " axes");
}

void requireChannels(const char* op, const Tensor& t, std::int64_t channels)
{
    SB_REQUIRE(t.dtype() == DType::F32 && t.count() == channels,
               std::string(op) + ": " + t.describe() + " must be f32 with " +
                   std::to_string(channels) + " elements");
}

struct ConvKey {
    Conv2dParams p;
    bool data;
    bool operator<(const ConvKey& o) const
    {
        auto tie = [](const ConvKey& k) {
            return std::tuple(k.p.N, k.p.H, k.p.W, k.p.C, k.p.K, k.p.R, k.p.S, k.p.stride,
                              k.p.padding, k.p.dtype, k.data);
        };
        return tie(*this) < tie(o);
    }
};

struct LinearKey {
    LinearParams p;
    bool operator<(const LinearKey& o) const
    {
        auto tie = [](const LinearParams& k) { return std::tuple(k.N, k.in, k.out, k.dtype); };
        return tie(p) < tie(o.p);
    }
};

class CpuBackend final : public Backend
{
public:
    CpuBackend() : features_(cpu::cpuFeatures()) {}

    std::string describe() const override
    {
        return "cpu (" + features_.library + ", " + features_.isa + ")";
    }
    CachingAllocator& allocator() override { return allocator_; }

    ComputePrecision computePrecision(Precision requested) const override
    {
        if (requested == Precision::Fp32)
            return {Precision::Fp32, "fp32 as requested"};
        return {features_.bf16Fast ? Precision::Bf16 : Precision::Fp32, features_.bf16Reason};
    }

    // --- convolution ---

    Tensor conv2dForward(const Conv2dParams& p, const Tensor& input,
                         const WeightRef& weight) override
    {
        const Timer timer(*this, "conv2d forward");
        checkConv(p, input, {p.N, p.H, p.W, p.C}, weight.value);
        const auto& plan = convPlan(p, false);
        void* scratch = workspace(plan.workspaceBytes());
        const void* packed =
            packedWeight(weight, &plan, plan.forwardWeightBytes(),
                         [&](const float* w, void* out) { plan.packForward(w, out, scratch); });
        Tensor output = make({p.N, p.outH(), p.outW(), p.K}, p.dtype);
        plan.forward(input.data(), packed, output.data(), scratch);
        return output;
    }

    Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                              const WeightRef& weight) override
    {
        const Timer timer(*this, "conv2d data gradient");
        checkConv(p, gradOutput, {p.N, p.outH(), p.outW(), p.K}, weight.value);
        const auto& plan = convPlan(p, true);
        void* scratch = workspace(plan.workspaceBytes());
        const void* packed =
            packedWeight(weight, &plan, plan.dataWeightBytes(),
                         [&](const float* w, void* out) { plan.packData(w, out, scratch); });
        Tensor gradInput = make({p.N, p.H, p.W, p.C}, p.dtype);
        plan.backwardData(gradOutput.data(), packed, gradInput.data(), scratch);
        return gradInput;
    }

    void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input, const Tensor& gradOutput,
                              Tensor gradWeight, bool accumulate) override
    {
        const Timer timer(*this, "conv2d weight gradient");
        checkConv(p, input, {p.N, p.H, p.W, p.C}, gradWeight);
        checkConv(p, gradOutput, {p.N, p.outH(), p.outW(), p.K}, gradWeight);
        const auto& plan = convPlan(p, false);
        plan.backwardWeight(input.data(), gradOutput.data(), gradWeight.f32().data(), accumulate,
                            workspace(plan.workspaceBytes()));
    }

    // --- linear ---

    Tensor linearForward(const Tensor& input, const WeightRef& weight, const Tensor& bias) override
    {
        const Timer timer(*this, "linear forward");
        const LinearParams p = linearParams(input, weight.value);
        const auto& plan = linearPlan(p);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        const void* packed = packedWeight(weight, &plan, plan.packedWeightBytes(),
                                          [&](const float* w, void* out) { plan.pack(w, out); });
        Tensor output = make({p.N, p.out}, DType::F32);
        plan.forward(input.data(), packed, bias.defined() ? bias.f32().data() : nullptr,
                     output.f32().data(), workspace(plan.workspaceBytes()));
        return output;
    }

    Tensor linearBackward(const Tensor& input, const WeightRef& weight, const Tensor& gradOutput,
                          Tensor gradWeight, Tensor gradBias, bool accumulate) override
    {
        const Timer timer(*this, "linear backward");
        const LinearParams p = linearParams(input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == DType::F32 && gradOutput.shape() == Shape({p.N, p.out}),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        const auto& plan = linearPlan(p);
        const void* packed = packedWeight(weight, &plan, plan.packedWeightBytes(),
                                          [&](const float* w, void* out) { plan.pack(w, out); });
        Tensor gradInput = make(input.shape(), p.dtype);
        plan.backward(input.data(), packed, gradOutput.f32().data(), gradInput.data(),
                      gradWeight.f32().data(), gradBias.defined() ? gradBias.f32().data() : nullptr,
                      accumulate, workspace(plan.workspaceBytes()));
        return gradInput;
    }

    // --- normalisation ---

    Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input, const Tensor& residual,
                            const Tensor& gamma, const Tensor& beta, Tensor runningMean,
                            Tensor runningVar, const StatReducer& reducer,
                            BatchNormSaved& saved) override
    {
        const Timer timer(*this, "batch norm forward");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormStatistics(p, input.data(), sums.data(),
                                 workspace(cpu::batchNormWorkspaceBytes(p)));
        saved.count = reduceSums(reducer, sums, double(p.rows));
        saved.mean = make({p.C}, DType::F32);
        saved.invStd = make({p.C}, DType::F32);
        cpu::batchNormFinish(p.C, saved.count, args.epsilon, args.momentum, sums.data(),
                             saved.mean.f32().data(), saved.invStd.f32().data(),
                             runningMean.f32().data(), runningVar.f32().data());
        Tensor output = make(input.shape(), p.dtype);
        cpu::batchNormApply(p, input.data(), residual.data(), saved.mean.f32().data(),
                            saved.invStd.f32().data(), gamma.f32().data(), beta.f32().data(),
                            output.data());
        return output;
    }

    Tensor batchNormInference(const BatchNormArgs& args, const Tensor& input,
                              const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                              const Tensor& runningMean, const Tensor& runningVar) override
    {
        const Timer timer(*this, "batch norm inference");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        std::vector<float> invStd(std::size_t(p.C));
        for (std::size_t c = 0; c < invStd.size(); ++c)
            invStd[c] = float(1.0 / std::sqrt(double(runningVar.f32()[c]) + args.epsilon));
        Tensor output = make(input.shape(), p.dtype);
        cpu::batchNormApply(p, input.data(), residual.data(), runningMean.f32().data(),
                            invStd.data(), gamma.f32().data(), beta.f32().data(), output.data());
        return output;
    }

    BatchNormGradients batchNormBackward(const BatchNormArgs& args, const Tensor& input,
                                         const Tensor& output, bool hasResidual,
                                         std::vector<Tensor> gradOutputs, const Tensor& gamma,
                                         const Tensor& beta, const BatchNormSaved& saved,
                                         const StatReducer& reducer, Tensor gradGamma,
                                         Tensor gradBeta, bool accumulate) override
    {
        const Timer timer(*this, "batch norm backward");
        const BatchNormParams p = normParams(args, input, Tensor(), gamma, beta);
        requireChannels("batch norm gradient of gamma", gradGamma, p.C);
        requireChannels("batch norm gradient of beta", gradBeta, p.C);
        SB_REQUIRE(!gradOutputs.empty(), "batch norm backward needs a gradient");
        while (gradOutputs.size() > 2) { // two are added on the fly
            std::vector<Tensor> pair{std::move(gradOutputs[gradOutputs.size() - 2]),
                                     std::move(gradOutputs.back())};
            gradOutputs.pop_back();
            gradOutputs.back() = sum(std::move(pair));
        }
        for (const Tensor& g : gradOutputs)
            requireSame("batch norm backward", g, input);

        cpu::BatchNormBackward b;
        b.x = input.data();
        b.y = output.data();
        b.dy = gradOutputs[0].data();
        b.dyMore = gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr;
        b.mean = saved.mean.f32().data();
        b.invStd = saved.invStd.f32().data();
        b.gamma = gamma.f32().data();
        b.beta = beta.f32().data();
        // An unshared gradient is done with after this op: its memory takes a result.
        Tensor* reusable = nullptr;
        for (Tensor& g : gradOutputs)
            if (g.unique())
                reusable = &g;
        BatchNormGradients result;
        if (hasResidual) {
            result.residual = reusable ? *reusable : make(input.shape(), p.dtype);
            result.input = make(input.shape(), p.dtype);
            b.dz = result.residual.data();
        } else {
            result.input = reusable ? *reusable : make(input.shape(), p.dtype);
        }

        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormBackwardSums(p, b, sums.data(), workspace(cpu::batchNormWorkspaceBytes(p)));
        const auto gg = gradGamma.f32(), gb = gradBeta.f32();
        for (std::size_t c = 0; c < std::size_t(p.C); ++c) {
            gb[c] = float(sums[c] + (accumulate ? double(gb[c]) : 0.0));
            gg[c] = float(sums[std::size_t(p.C) + c] + (accumulate ? double(gg[c]) : 0.0));
        }
        if (reducer)
            reducer(sums);
        cpu::batchNormBackwardApply(p, b, sums.data(), saved.count, result.input.data());
        return result;
    }

    // --- pooling ---

    Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool needGradient, Tensor& argmax) override
    {
        const Timer timer(*this, "max pool forward");
        requireActivation("max pool", input, 4);
        const MaxPoolParams p = poolParams(input.shape(), window, stride, padding, input.dtype());
        Tensor output = make({p.N, p.outH(), p.outW(), p.C}, p.dtype);
        if (needGradient)
            argmax = make(output.shape(), DType::U8);
        cpu::maxPoolForward(p, input.data(), output.data(),
                            needGradient ? argmax.u8().data() : nullptr);
        return output;
    }

    Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           const Tensor& gradOutput, const Tensor& argmax) override
    {
        const Timer timer(*this, "max pool backward");
        requireActivation("max pool backward", gradOutput, 4);
        const MaxPoolParams p = poolParams(inputShape, window, stride, padding, gradOutput.dtype());
        SB_REQUIRE(gradOutput.shape() == argmax.shape() &&
                       gradOutput.shape() == Shape({p.N, p.outH(), p.outW(), p.C}),
                   "max pool backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = make(inputShape, p.dtype);
        cpu::maxPoolBackward(p, gradOutput.data(), argmax.u8().data(), gradInput.data());
        return gradInput;
    }

    Tensor globalAvgPoolForward(const Tensor& input) override
    {
        const Timer timer(*this, "average pool forward");
        requireActivation("global average pool", input, 4);
        const auto& s = input.shape();
        Tensor output = make({s[0], s[3]}, input.dtype());
        cpu::globalAvgPoolForward({s[0], s[1], s[2], s[3], input.dtype()}, input.data(),
                                  output.data());
        return output;
    }

    Tensor globalAvgPoolBackward(const Shape& s, const Tensor& gradOutput) override
    {
        const Timer timer(*this, "average pool backward");
        requireActivation("global average pool backward", gradOutput, 2);
        Tensor gradInput = make(s, gradOutput.dtype());
        cpu::globalAvgPoolBackward({s.at(0), s.at(1), s.at(2), s.at(3), gradOutput.dtype()},
                                   gradOutput.data(), gradInput.data());
        return gradInput;
    }

    // --- loss ---

    SoftmaxCeResult softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                        float labelSmoothing, float scale, bool needGradient,
                                        Tensor& gradLogits) override
    {
        const Timer timer(*this, "softmax cross-entropy");
        SB_REQUIRE(logits.dtype() == DType::F32 && logits.shape().size() == 2,
                   "softmax cross-entropy: logits must be f32 [N,classes], not " +
                       logits.describe());
        SB_REQUIRE(labels.dtype() == DType::I32 && labels.count() == logits.dim(0),
                   "softmax cross-entropy: labels must be i32 [N], not " + labels.describe() +
                       " for logits " + logits.describe());
        SB_REQUIRE(labelSmoothing >= 0.0f && labelSmoothing < 1.0f,
                   "label smoothing must be in [0,1), not " + std::to_string(labelSmoothing));
        for (auto label : labels.i32())
            SB_REQUIRE(label < logits.dim(1), "label " + std::to_string(label) +
                                                  " in a problem with " +
                                                  std::to_string(logits.dim(1)) + " classes");
        if (needGradient)
            gradLogits = make(logits.shape(), DType::F32);
        return cpu::softmaxCrossEntropy({logits.dim(0), logits.dim(1), labelSmoothing, scale},
                                        logits.f32().data(), labels.i32().data(),
                                        needGradient ? gradLogits.f32().data() : nullptr);
    }

    // --- elementwise ---

    Tensor cast(const Tensor& input, DType dtype) override
    {
        if (input.dtype() == dtype)
            return input;
        const Timer timer(*this, "cast");
        requireActivation("cast", input, 0);
        Tensor output = make(input.shape(), dtype);
        if (dtype == DType::BF16)
            cpu::castF32ToBf16(input.count(), input.f32().data(), output.bf16().data());
        else if (dtype == DType::F32)
            cpu::castBf16ToF32(input.count(), input.bf16().data(), output.f32().data());
        else
            throw Unsupported("cast " + input.describe() + " to " + dtypeName(dtype) +
                              ": only between f32 and bf16");
        return output;
    }

    Tensor sum(std::vector<Tensor> terms) override
    {
        SB_REQUIRE(!terms.empty(), "sum of no tensors");
        if (terms.size() == 1)
            return std::move(terms[0]);
        const Timer timer(*this, "sum");
        requireActivation("sum", terms[0], 0);
        Tensor total = std::move(terms[0]);
        if (!total.unique()) {
            Tensor copy = make(total.shape(), total.dtype());
            std::memcpy(copy.data(), total.data(), total.bytes());
            total = std::move(copy);
        }
        for (std::size_t i = 1; i < terms.size(); ++i) {
            requireSame("sum", total, terms[i]);
            cpu::addInPlace(total.dtype(), total.count(), terms[i].data(), total.data());
        }
        return total;
    }

    Tensor reluForward(const Tensor& input) override
    {
        const Timer timer(*this, "relu");
        requireActivation("relu", input, 0);
        Tensor output = make(input.shape(), input.dtype());
        cpu::reluForward(input.dtype(), input.count(), input.data(), output.data());
        return output;
    }

    Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) override
    {
        const Timer timer(*this, "relu backward");
        requireSame("relu backward", output, gradOutput);
        Tensor gradInput = make(output.shape(), output.dtype());
        cpu::reluBackward(output.dtype(), output.count(), output.data(), gradOutput.data(),
                          gradInput.data());
        return gradInput;
    }

    Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                              std::int64_t stride) override
    {
        const Timer timer(*this, "shortcut");
        requireActivation("shortcut", input, 4);
        const ShortcutPadParams p = shortcutParams(input.shape(), channels, stride, input.dtype());
        Tensor output = make({p.N, p.outH(), p.outW(), p.K}, p.dtype);
        cpu::shortcutPadForward(p, input.data(), output.data());
        return output;
    }

    Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                               const Tensor& gradOutput) override
    {
        const Timer timer(*this, "shortcut");
        requireActivation("shortcut backward", gradOutput, 4);
        const ShortcutPadParams p =
            shortcutParams(inputShape, gradOutput.dim(3), stride, gradOutput.dtype());
        SB_REQUIRE(gradOutput.shape() == Shape({p.N, p.outH(), p.outW(), p.K}),
                   "shortcut backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = make(inputShape, p.dtype);
        cpu::shortcutPadBackward(p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    // --- optimizer ---

    void sgdStep(float learningRate, float momentum, float weightDecay, bool nesterov,
                 std::span<const float> grad, std::span<float> weight,
                 std::span<float> velocity) override
    {
        const Timer timer(*this, "sgd");
        SB_REQUIRE(grad.size() == weight.size() && grad.size() == velocity.size(),
                   "sgd: gradients, weights and velocity must have one size");
        cpu::sgdStep({learningRate, momentum, weightDecay, nesterov}, std::int64_t(grad.size()),
                     grad.data(), weight.data(), velocity.data());
    }

    // --- profile ---

    void setProfiling(bool on) override
    {
        profiling_ = on;
        times_.clear();
    }

    std::vector<OpTime> profile() const override
    {
        std::vector<OpTime> list;
        for (const auto& [op, time] : times_)
            list.push_back({op, time.first, time.second});
        std::sort(list.begin(), list.end(),
                  [](const OpTime& a, const OpTime& b) { return a.ms > b.ms; });
        return list;
    }

private:
    using Clock = std::chrono::steady_clock;

    class Timer
    {
    public:
        Timer(CpuBackend& backend, const char* op) : backend_(backend), op_(op)
        {
            if (backend_.profiling_)
                start_ = Clock::now();
        }
        ~Timer()
        {
            if (!backend_.profiling_)
                return;
            auto& entry = backend_.times_[op_];
            entry.first += std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
            entry.second += 1;
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

    private:
        CpuBackend& backend_;
        const char* op_;
        Clock::time_point start_;
    };

    struct PackedWeight {
        std::uint64_t version = 0;
        Tensor data;
    };

    Tensor make(Shape shape, DType dtype)
    {
        return Tensor::empty(std::move(shape), dtype, allocator_);
    }

    /// Scratch of the running op; grows to the largest need.
    void* workspace(std::size_t bytes)
    {
        if (!workspace_.defined() || workspace_.bytes() < bytes) {
            workspace_ = Tensor(); // give back before asking for more
            workspace_ = make({std::int64_t(bytes)}, DType::U8);
        }
        return workspace_.data();
    }

    const cpu::Conv2dPlan& convPlan(const Conv2dParams& p, bool data)
    {
        auto it = convPlans_.find({p, data});
        if (it == convPlans_.end())
            it = convPlans_.emplace(ConvKey{p, data}, cpu::Conv2dPlan(p, data)).first;
        return it->second;
    }

    const cpu::LinearPlan& linearPlan(const LinearParams& p)
    {
        auto it = linearPlans_.find({p});
        if (it == linearPlans_.end())
            it = linearPlans_.emplace(LinearKey{p}, cpu::LinearPlan(p)).first;
        return it->second;
    }

    /// The weight in a plan's layout, packed again only when its version changed.
    template <class Pack>
    const void* packedWeight(const WeightRef& weight, const void* plan, std::size_t bytes,
                             Pack&& pack)
    {
        PackedWeight& entry = packed_[{weight.value.data(), plan}];
        if (!entry.data.defined())
            entry.data = make({std::int64_t(bytes)}, DType::U8);
        if (entry.version != weight.version) {
            pack(weight.value.f32().data(), entry.data.data());
            entry.version = weight.version;
        }
        return entry.data.data();
    }

    static void checkConv(const Conv2dParams& p, const Tensor& t, const Shape& shape,
                          const Tensor& weight)
    {
        SB_REQUIRE(t.dtype() == p.dtype && t.shape() == shape,
                   p.describe() + ": got " + t.describe() + " where " + dtypeName(p.dtype) +
                       toString(shape) + " belongs");
        SB_REQUIRE(weight.dtype() == DType::F32 && weight.shape() == Shape({p.K, p.C, p.R, p.S}),
                   p.describe() + ": weight is " + weight.describe());
    }

    static LinearParams linearParams(const Tensor& input, const Tensor& weight)
    {
        requireActivation("linear", input, 2);
        SB_REQUIRE(weight.dtype() == DType::F32 && weight.shape().size() == 2 &&
                       weight.dim(1) == input.dim(1),
                   "linear: weight " + weight.describe() + " does not fit input " +
                       input.describe());
        return {input.dim(0), input.dim(1), weight.dim(0), input.dtype()};
    }

    static BatchNormParams normParams(const BatchNormArgs& args, const Tensor& input,
                                      const Tensor& residual, const Tensor& gamma,
                                      const Tensor& beta)
    {
        requireActivation("batch norm", input, 0);
        if (residual.defined())
            requireSame("batch norm with residual", input, residual);
        const std::int64_t C = input.shape().back();
        requireChannels("batch norm gamma", gamma, C);
        requireChannels("batch norm beta", beta, C);
        return {rowsOf(input), C, input.dtype(), args.relu};
    }

    /// Adds up the sums and the row count over the workers; returns the count.
    static double reduceSums(const StatReducer& reducer, std::vector<double>& sums, double rows)
    {
        if (!reducer)
            return rows;
        sums.push_back(rows);
        reducer(sums);
        const double count = sums.back();
        sums.pop_back();
        return count;
    }

    static MaxPoolParams poolParams(const Shape& s, int window, int stride, int padding,
                                    DType dtype)
    {
        const MaxPoolParams p{s.at(0), s.at(1), s.at(2), s.at(3), window, stride, padding, dtype};
        SB_REQUIRE(window > 0 && window <= 15 && stride > 0 && padding >= 0 && padding < window &&
                       p.H + 2 * padding >= window && p.W + 2 * padding >= window,
                   "max pool of " + toString(s) + " with window " + std::to_string(window) +
                       ", stride " + std::to_string(stride) + ", padding " +
                       std::to_string(padding) + " is not possible");
        return p;
    }

    static ShortcutPadParams shortcutParams(const Shape& s, std::int64_t channels,
                                            std::int64_t stride, DType dtype)
    {
        SB_REQUIRE(channels >= s.at(3) && stride >= 1, "shortcut of " + toString(s) + " to " +
                                                           std::to_string(channels) +
                                                           " channels: channels can only be added");
        return {s[0], s[1], s[2], s[3], channels, stride, dtype};
    }

    cpu::CpuFeatures features_;
    CachingAllocator allocator_;
    Tensor workspace_;
    std::map<ConvKey, cpu::Conv2dPlan> convPlans_;
    std::map<LinearKey, cpu::LinearPlan> linearPlans_;
    std::map<std::pair<const void*, const void*>, PackedWeight> packed_;
    bool profiling_ = false;
    std::map<std::string, std::pair<double, std::int64_t>> times_;
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace scalebench
