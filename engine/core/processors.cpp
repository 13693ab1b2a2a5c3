// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/processors.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <utility>

#include <sched.h>

namespace scalebench {
namespace {

constexpr int kMostProcessors = 1 << 16;

/// A set of the kernel's for so many processors.
class CpuSet
{
public:
    explicit CpuSet(int processors)
        : set_(CPU_ALLOC(std::size_t(processors)), [](cpu_set_t* set) { CPU_FREE(set); }),
          bytes_(CPU_ALLOC_SIZE(std::size_t(processors)))
    {
        CPU_ZERO_S(bytes_, set_.get());
    }
    cpu_set_t* get() { return set_.get(); }
    std::size_t bytes() const { return bytes_; }

private:
    std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set_;
    std::size_t bytes_;
};

} // namespace

const Processors& processorsOfProcess()
{
    static const Processors all = processorsOfThread();
    return all;
}

Processors processorsOfThread()
{
    for (int most = 1024; most <= kMostProcessors; most *= 2) { // the kernel may know of more
        CpuSet set(most);
        if (::sched_getaffinity(0, set.bytes(), set.get()) != 0) {
            if (errno == EINVAL)
                continue;
            break;
        }
        Processors processors;
        for (int i = 0; i < most; ++i)
            if (CPU_ISSET_S(std::size_t(i), set.bytes(), set.get()))
                processors.push_back(i);
        return processors;
    }
    return {0};
}

std::string processorList(const Processors& processors)
{
    std::string text;
    for (std::size_t i = 0; i < processors.size();) {
        std::size_t last = i;
        while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1)
            ++last;
        if (!text.empty())
            text += ',';
        text += std::to_string(processors[i]);
        if (last > i)
            text.append(1, '-').append(std::to_string(processors[last]));
        i = last + 1;
    }
    return text;
}

bool keepThreadTo(const Processors& processors)
{
    if (processors.empty() || processors.front() < 0 || processors.back() >= kMostProcessors)
        return false;
    CpuSet set(processors.back() + 1);
    for (const int processor : processors)
        CPU_SET_S(std::size_t(processor), set.bytes(), set.get());
    return ::sched_setaffinity(0, set.bytes(), set.get()) == 0;
}

bool computeOn(const Processors& processors)
{
    const Processors before = processorsOfThread();
    processorsOfProcess(); // as it was
    std::atomic<bool> kept = keepThreadTo(processors);
    // Threads of the team that are there already.
#pragma omp parallel
    if (!keepThreadTo(processors))
        kept = false;
    if (kept)
        return true;
#pragma omp parallel
    (void)keepThreadTo(before);
    return false;
}

std::thread helperThread(std::function<void()> work)
{
    return std::thread([work = std::move(work)] {
        keepThreadTo(processorsOfProcess());
        work();
    });
}

} // namespace scalebench
