// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/shared_copy.h"

#include "engine/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace scalebench::bench {

std::vector<double> maxOverWorkers(dist::Communicator& communicator, std::vector<double> mine)
{
    const std::string text(reinterpret_cast<const char*>(mine.data()),
                           mine.size() * sizeof(double));
    for (const std::string& other : communicator.allGather(std::string_view(text))) {
        std::vector<double> values(mine.size());
        std::memcpy(values.data(), other.data(), std::min(other.size(), text.size()));
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = std::max(mine[i], values[i]);
    }
    return mine;
}

SharedCopy::SharedCopy(dist::Communicator& communicator, std::size_t bytesPerWorker)
    : communicator_(communicator), part_((bytesPerWorker + 4095) / 4096 * 4096)
{
    const std::size_t total = part_ * std::size_t(communicator.size());
    std::string name = "/scalebench-bench-" + std::to_string(::getpid());
    int file = -1;
    if (communicator.rank() == 0 && communicator.nodes() == 1) {
        file = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
        // Reserved now: a full /dev/shm would end a worker by a signal later.
        if (file >= 0 && ::posix_fallocate(file, 0, off_t(total)) != 0) {
            ::close(file);
            ::shm_unlink(name.c_str());
            file = -1;
        }
    }
    name = communicator.allGather(std::string_view(file >= 0 ? name : ""))[0];
    if (name.empty())
        return;
    if (communicator.rank() != 0)
        file = ::shm_open(name.c_str(), O_RDWR, 0600);
    void* memory = MAP_FAILED;
    if (file >= 0) {
        memory = ::mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
    }
    const double failed =
        maxOverWorkers(communicator, {memory == MAP_FAILED ? 1.0 : 0.0})[0]; // all have opened it
    if (communicator.rank() == 0)
        ::shm_unlink(name.c_str());
    if (memory == MAP_FAILED)
        return;
    memory_ = static_cast<std::byte*>(memory);
    mapped_ = total;
    if (failed > 0) {
        ::munmap(memory_, mapped_);
        memory_ = nullptr;
        return;
    }
    std::memset(memory_ + part_ * std::size_t(communicator.rank()), 1, part_);
}

SharedCopy::~SharedCopy()
{
    if (memory_ != nullptr)
        ::munmap(memory_, mapped_);
}

double SharedCopy::copyBandwidth(std::size_t bytes)
{
    if (!usable() || bytes == 0 || bytes > part_)
        return 0;
    const std::size_t neighbour =
        std::size_t((communicator_.rank() + 1) % communicator_.size()) * part_;
    const Buffer own(bytes);
    // 64 MB a try, so that the barrier before it does not count.
    const int group = int(std::max<std::size_t>(1, (std::size_t{64} << 20) / bytes));
    std::vector<double> seconds;
    for (int attempt = 0; attempt < 5; ++attempt) {
        communicator_.barrier();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < group; ++i) {
            std::memcpy(own.data(), memory_ + neighbour, bytes);
            asm volatile("" : : "r"(own.data()) : "memory");
        }
        seconds.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    seconds = maxOverWorkers(communicator_, std::move(seconds));
    return double(bytes) * group / *std::min_element(seconds.begin(), seconds.end());
}

} // namespace scalebench::bench
