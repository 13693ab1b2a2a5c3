// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events, graphs and the rest of the runtime. Streams are lazy: work is done when somebody
// waits for it, and then only what the order of streams and events asks for, so that a missing
// dependency shows as a wrong result every time.
#include <cuda_runtime_api.h>

#include "support/cuda_emulation/emulation.h"
#include "support/cuda_emulation/vendor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Work = std::function<void()>;

struct GraphNode {
    std::string name;
    Work work;
    std::set<std::size_t> after; ///< nodes that must have run
};

struct CUgraph_st {
    std::vector<GraphNode> nodes; ///< in the order of their issue
};

struct CUstream_st {
    std::deque<Work> queue;
    std::uint64_t issued = 0;
    std::atomic<std::uint64_t> finished{0};
    CUgraph_st* capture = nullptr; ///< while capturing
    bool origin = false;           ///< the stream that began the capture
    std::set<std::size_t> tail;    ///< while capturing: what its next node comes after
};

struct CUevent_st {
    CUstream_st* stream = nullptr; ///< that it was recorded in
    std::uint64_t position = 0;
    CUgraph_st* capture = nullptr;
    std::set<std::size_t> after; ///< of a capture: what it stands for
    std::shared_ptr<std::chrono::steady_clock::time_point> time =
        std::make_shared<std::chrono::steady_clock::time_point>();
};

struct CUgraphExec_st {
    std::vector<GraphNode> nodes;
};

namespace scalebench::emulation {
namespace {

std::set<CUstream_st*> streams;
cudaError_t sticky = cudaSuccess, last = cudaSuccess;
long kernels = 0, issued = 0, failIn = -1;
cudaError_t failWith = cudaErrorLaunchFailure;
bool captureBroken = false, graphFails = false;
std::atomic<std::thread::id> issuer; ///< the thread that issued last

CUstream_st* defaultStream()
{
    static CUstream_st* stream = [] {
        auto* s = new CUstream_st;
        streams.insert(s);
        return s;
    }();
    return stream;
}

CUstream_st* real(cudaStream_t s)
{
    return s == nullptr ? defaultStream() : s;
}

cudaError_t result(cudaError_t e)
{
    if (e != cudaSuccess)
        last = e;
    return e;
}

void drain(CUstream_st* s, std::uint64_t until)
{
    if (s->finished >= until || s->queue.empty())
        return;
    const DeviceAccess access; // for all of it: opening memory takes longer than a small kernel
    while (s->finished < until && !s->queue.empty()) {
        Work work = std::move(s->queue.front());
        s->queue.pop_front();
        ++s->finished; // before: the work may wait for this stream's own past
        if (sticky == cudaSuccess)
            work();
    }
}

void drainAll()
{
    for (CUstream_st* s : std::set<CUstream_st*>(streams))
        drain(s, s->issued);
}

bool alive(const CUgraph_st* capture)
{
    return std::any_of(streams.begin(), streams.end(),
                       [&](const CUstream_st* s) { return s->capture == capture; });
}

bool capturing()
{
    for (const CUstream_st* s : streams)
        if (s->capture != nullptr)
            return true;
    return false;
}

/// Calls that wait are not allowed while a capture runs, and end it.
bool forbiddenNow()
{
    if (!capturing())
        return false;
    captureBroken = true;
    return true;
}

void put(CUstream_st* s, const char* name, Work work)
{
    issuer = std::this_thread::get_id();
    if (s->capture != nullptr) {
        const std::size_t number = s->capture->nodes.size();
        s->capture->nodes.push_back({name, std::move(work), std::exchange(s->tail, {number})});
        return;
    }
    s->queue.push_back(std::move(work));
    ++s->issued;
}

void guarded(const std::string& name, const Work& work)
{
    try {
        const DeviceAccess access;
        work();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "CUDA emulation: %s: %s\n", name.c_str(), e.what());
        sticky = cudaErrorLaunchFailure;
    }
}

} // namespace

void enqueue(const char* name, cudaStream_t stream, std::function<void()> work)
{
    put(real(stream), name,
        [name = std::string(name), work = std::move(work)] { guarded(name, work); });
}

void launchKernel(const char* name, cudaStream_t stream, dim3 grid, dim3 block,
                  std::size_t sharedBytes, std::function<void()> thread)
{
    ++issued;
    enqueue(name, stream, [=, body = std::move(thread)] {
        ++kernels;
        if (failIn >= 0 && failIn-- == 0) {
            sticky = failWith;
            return;
        }
        runGrid(grid, block, sharedBytes, body);
    });
}

long kernelsRun()
{
    return kernels;
}

long kernelsIssued()
{
    return issued;
}

void failAfter(long count, cudaError_t error)
{
    failIn = count;
    failWith = error;
}

void failNextGraph()
{
    graphFails = true;
}

void clearErrors()
{
    sticky = last = cudaSuccess;
    failIn = -1;
}

} // namespace scalebench::emulation

using namespace scalebench::emulation;

// ---- Streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned)
{
    *s = new CUstream_st;
    streams.insert(*s);
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(s, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    drain(s, s->issued);
    streams.erase(s);
    delete s;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    if (forbiddenNow())
        return result(cudaErrorStreamCaptureUnsupported);
    drain(real(s), real(s)->issued);
    return result(sticky);
}
cudaError_t cudaStreamQuery(cudaStream_t s)
{
    return cudaStreamSynchronize(s); // asking often enough would have let it finish
}
cudaError_t cudaDeviceSynchronize()
{
    if (forbiddenNow())
        return result(cudaErrorStreamCaptureUnsupported);
    drainAll();
    return result(sticky);
}

// ---- Events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned)
{
    *e = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* e)
{
    return cudaEventCreateWithFlags(e, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    delete e;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t stream)
{
    CUstream_st* s = real(stream);
    put(s, "event",
        [time = e->time] { *time = std::chrono::steady_clock::now() + pretendedTime(); });
    e->capture = s->capture;
    e->after = s->tail;
    e->stream = s;
    e->position = s->issued;
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t e, unsigned)
{
    CUstream_st* s = real(stream);
    if (e->stream == nullptr)
        return cudaSuccess;
    if (e->capture != nullptr) { // joins the capture
        if (!alive(e->capture) || (s->capture != nullptr && s->capture != e->capture))
            return result(cudaErrorStreamCaptureIsolation);
        s->capture = e->capture;
        s->tail.insert(e->after.begin(), e->after.end());
        return cudaSuccess;
    }
    if (s->capture != nullptr)
        return result(cudaErrorStreamCaptureIsolation);
    put(s, "wait", [from = e->stream, position = e->position] { drain(from, position); });
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    if (forbiddenNow())
        return result(cudaErrorStreamCaptureUnsupported);
    if (e->stream != nullptr)
        drain(e->stream, e->position);
    return result(sticky);
}
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    // Who only watches another thread's streams does not move them.
    if (issuer.load() != std::this_thread::get_id())
        return e->stream == nullptr || e->stream->finished >= e->position ? cudaSuccess
                                                                          : cudaErrorNotReady;
    return cudaEventSynchronize(e);
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to)
{
    *ms = std::chrono::duration<float, std::milli>(*to->time - *from->time).count();
    return result(sticky);
}

// ---- Copies

namespace {

void copyNow(void* to, const void* from, std::size_t bytes)
{
    const DeviceAccess access;
    std::memcpy(to, from, bytes); // CUDA forbids them to overlap: the sanitizer looks at that
}

} // namespace

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (bytes == 0)
        return cudaSuccess;
    const bool toHost = !isDeviceAddress(to), fromHost = !isDeviceAddress(from);
    if ((kind == cudaMemcpyHostToDevice && (toHost || !fromHost)) ||
        (kind == cudaMemcpyDeviceToHost && (!toHost || fromHost)) ||
        (kind == cudaMemcpyDeviceToDevice && (toHost || fromHost)))
        return result(cudaErrorInvalidValue);
    CUstream_st* s = real(stream);
    if (fromHost && !isPinned(from)) { // pageable memory is read before the call returns
        if (s->capture != nullptr)
            return result(cudaErrorStreamCaptureUnsupported);
        auto copy = std::make_shared<std::vector<char>>(static_cast<const char*>(from),
                                                        static_cast<const char*>(from) + bytes);
        put(s, "copy", [=] { copyNow(to, copy->data(), bytes); });
        return cudaSuccess;
    }
    put(s, "copy", [=] { copyNow(to, from, bytes); });
    if (toHost && !isPinned(to)) // and written before it returns
        return cudaStreamSynchronize(s);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
{
    if (const cudaError_t e = cudaMemcpyAsync(to, from, bytes, kind, nullptr); e != cudaSuccess)
        return e;
    return cudaStreamSynchronize(nullptr);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream)
{
    if (bytes > 0)
        put(real(stream), "memset", [=] {
            const DeviceAccess access;
            std::memset(to, value, bytes);
        });
    return cudaSuccess;
}

// ---- Graphs: works and what each comes after. Branches run in the order of their issue, or
// (setOrder) each as late as what follows it allows

namespace {

/// The nodes that come before `tail`, itself included.
std::set<std::size_t> ancestors(const CUgraph_st& graph, const std::set<std::size_t>& tail)
{
    std::set<std::size_t> found;
    std::vector<std::size_t> open(tail.begin(), tail.end());
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (!found.insert(at).second)
            continue;
        const auto& before = graph.nodes[at].after;
        open.insert(open.end(), before.begin(), before.end());
    }
    return found;
}

std::vector<std::size_t> runOrder(const std::vector<GraphNode>& nodes)
{
    std::vector<std::size_t> list, waitsFor(nodes.size());
    std::vector<std::vector<std::size_t>> followers(nodes.size());
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        waitsFor[i] = nodes[i].after.size();
        for (const std::size_t before : nodes[i].after)
            followers[before].push_back(i);
        if (waitsFor[i] == 0)
            ready.insert(i);
    }
    while (!ready.empty()) {
        const auto it = order() == Order::Forward ? ready.begin() : std::prev(ready.end());
        const std::size_t next = *it;
        ready.erase(it);
        list.push_back(next);
        for (const std::size_t f : followers[next])
            if (--waitsFor[f] == 0)
                ready.insert(f);
    }
    return list;
}

} // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode)
{
    if (s == nullptr || s->capture != nullptr)
        return result(cudaErrorStreamCaptureUnsupported);
    captureBroken = false;
    s->capture = new CUgraph_st;
    s->origin = true;
    s->tail.clear();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph)
{
    *graph = nullptr;
    if (s->capture == nullptr || !s->origin)
        return result(cudaErrorIllegalState);
    CUgraph_st* captured = std::exchange(s->capture, nullptr);
    s->origin = false;
    for (CUstream_st* other : streams)
        if (other->capture == captured)
            other->capture = nullptr;
    const bool unjoined = ancestors(*captured, s->tail).size() != captured->nodes.size();
    if (captureBroken || unjoined) {
        delete captured;
        return result(captureBroken ? cudaErrorStreamCaptureInvalidated
                                    : cudaErrorStreamCaptureUnjoined);
    }
    *graph = captured;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status)
{
    *status =
        real(s)->capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long)
{
    if (std::exchange(graphFails, false))
        return result(cudaErrorInvalidValue);
    *exec = new CUgraphExec_st{graph->nodes};
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count)
{
    *count = graph->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    for (const std::size_t i : runOrder(exec->nodes))
        put(real(stream), exec->nodes[i].name.c_str(), exec->nodes[i].work);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    return cudaSuccess;
}

// ---- Errors and the device

cudaError_t cudaGetLastError()
{
    return std::exchange(last, sticky);
}
cudaError_t cudaPeekAtLastError()
{
    return last;
}
const char* cudaGetErrorName(cudaError_t e)
{
    return e == cudaSuccess                 ? "cudaSuccess"
           : e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
           : e == cudaErrorLaunchFailure    ? "cudaErrorLaunchFailure"
           : e == cudaErrorECCUncorrectable ? "cudaErrorECCUncorrectable"
                                            : "cudaErrorUnknown";
}
const char* cudaGetErrorString(cudaError_t e)
{
    return e == cudaErrorMemoryAllocation ? "out of memory" : "an error of the emulation";
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : result(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDevice(int* device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int)
{
    *p = {};
    std::snprintf(p->name, sizeof p->name, "emulated device");
    p->major = 8;
    p->minor = 0;
    p->multiProcessorCount = 4;
    p->sharedMemPerBlockOptin = 163 * 1024;
    std::size_t free = 0;
    return cudaMemGetInfo(&free, &p->totalGlobalMem);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrComputeCapabilityMajor         ? 8
             : attribute == cudaDevAttrMultiProcessorCount          ? 4
             : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 163 * 1024
                                                                    : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int)
{
    std::snprintf(text, std::size_t(length), "0000:00:00.0");
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
