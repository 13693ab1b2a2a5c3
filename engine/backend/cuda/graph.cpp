// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/graph.h"

#include "kernels/cuda/check.h"

namespace scalebench::cuda_backend {

using kernels::cuda::check;

namespace {

class Graph final : public RecordedWork
{
public:
    Graph(CudaContext& context, std::shared_ptr<DeviceAllocator::PrivatePool> pool,
          cudaGraphExec_t graph)
        : context_(context), pool_(std::move(pool)), graph_(graph)
    {
    }
    ~Graph() override
    {
        (void)cudaStreamSynchronize(context_.stream()); // a replay may be under way
        (void)cudaGraphExecDestroy(graph_);
    }
    const std::shared_ptr<DeviceAllocator::PrivatePool>& pool() const { return pool_; }
    void replay() override { check(cudaGraphLaunch(graph_, context_.stream()), "CUDA graph"); }

private:
    CudaContext& context_;
    std::shared_ptr<DeviceAllocator::PrivatePool> pool_;
    cudaGraphExec_t graph_;
};

/// Ends the capture whatever happens in between.
class Capture
{
public:
    Capture(CudaContext& context, std::shared_ptr<DeviceAllocator::PrivatePool> pool)
        : context_(context), pool_(std::move(pool))
    {
        context_.synchronize();
        if (pool_) {
            context_.allocator().reopen(pool_);
        } else {
            // What the eager steps cached would lie idle from now on.
            context_.allocator().trim();
            pool_ = context_.allocator().openPrivatePool();
        }
        context_.setRecording(true);
        // Relaxed: the pool grows while capturing.
        const cudaError_t begun =
            cudaStreamBeginCapture(context_.stream(), cudaStreamCaptureModeRelaxed);
        if (begun != cudaSuccess)
            leave(); // no destructor will
        check(begun, "beginning a CUDA graph");
    }
    ~Capture()
    {
        if (open_) {
            cudaGraph_t graph = nullptr;
            (void)cudaStreamEndCapture(context_.stream(), &graph);
            (void)cudaGetLastError(); // told by whoever broke it
            if (graph != nullptr)
                (void)cudaGraphDestroy(graph);
        }
        leave();
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::unique_ptr<RecordedWork> finish()
    {
        open_ = false;
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(context_.stream(), &graph), "ending a CUDA graph");
        cudaGraphExec_t executable = nullptr;
        const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
        (void)cudaGraphDestroy(graph);
        check(made, "instantiating a CUDA graph");
        return std::make_unique<Graph>(context_, pool_, executable);
    }

private:
    void leave()
    {
        context_.setRecording(false);
        context_.allocator().close();
    }

    CudaContext& context_;
    std::shared_ptr<DeviceAllocator::PrivatePool> pool_;
    bool open_ = true;
};

} // namespace

std::unique_ptr<RecordedWork> recordGraph(CudaContext& context, const std::function<void()>& work,
                                          const RecordedWork* beside)
{
    const auto* const other = dynamic_cast<const Graph*>(beside);
    Capture capture(context, other != nullptr ? other->pool() : nullptr);
    work();
    return capture.finish();
}

} // namespace scalebench::cuda_backend
