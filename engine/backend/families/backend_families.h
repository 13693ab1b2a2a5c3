// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The op families of a backend in one place: made, owned and given out, the same on every device.

#include "engine/backend/backend.h"

#include <memory>
#include <utility>
#include <vector>

namespace scalebench {

/// The namespace of Context has the families' makeAttentionOps(context) and so on.
template <class Context>
class BackendFamilies : public Backend
{
public:
    AttentionOps& attention() final { return *attention_; }
    ConvolutionOps& convolution() final { return *convolution_; }
    DetectionOps& detection() final { return *detection_; }
    ElementwiseOps& elementwise() final { return *elementwise_; }
    EmbeddingOps& embedding() final { return *embedding_; }
    LossOps& loss() final { return *loss_; }
    MatmulOps& matmul() final { return *matmul_; }
    NormalizationOps& normalization() final { return *normalization_; }
    OptimizerOps& optimizer() final { return *optimizer_; }
    PoolingOps& pooling() final { return *pooling_; }
    RecurrentOps& recurrent() final { return *recurrent_; }

    Allocator& allocator() final { return context_.allocator(); }
    void setProfiling(bool on) final { context_.setProfiling(on); }
    std::vector<OpTime> profile() final { return context_.profile(); }

protected:
    template <class... Arguments>
    explicit BackendFamilies(Arguments&&... arguments)
        : context_(std::forward<Arguments>(arguments)...)
    {
    }

    Context context_;

private:
    std::unique_ptr<ElementwiseOps> elementwise_ = makeElementwiseOps(context_);
    std::unique_ptr<AttentionOps> attention_ = makeAttentionOps(context_);
    std::unique_ptr<ConvolutionOps> convolution_ = makeConvolutionOps(context_, *elementwise_);
    std::unique_ptr<DetectionOps> detection_ = makeDetectionOps(context_);
    std::unique_ptr<EmbeddingOps> embedding_ = makeEmbeddingOps(context_);
    std::unique_ptr<LossOps> loss_ = makeLossOps(context_);
    std::unique_ptr<MatmulOps> matmul_ = makeMatmulOps(context_);
    std::unique_ptr<NormalizationOps> normalization_ =
        makeNormalizationOps(context_, *elementwise_);
    std::unique_ptr<OptimizerOps> optimizer_ = makeOptimizerOps(context_);
    std::unique_ptr<PoolingOps> pooling_ = makePoolingOps(context_);
    std::unique_ptr<RecurrentOps> recurrent_ = makeRecurrentOps(context_);
};

} // namespace scalebench
