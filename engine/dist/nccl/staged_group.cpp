// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/nccl/staged_group.h"

#include <chrono>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "kernels/check.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"

namespace scalebench::dist {
namespace {

class StagedGroup final : public DeviceGroup
{
public:
    StagedGroup(Backend& backend, Communicator& communicator)
        : backend_(backend), communicator_(communicator)
    {
    }

    int rank() const override { return communicator_.rank(); }
    int size() const override { return communicator_.size(); }
    const char* method() const override { return "staged"; }

    void allReduceSum(void* data, std::size_t count, DType dtype) override
    {
        const Waiting waiting(*this);
        std::vector<float> sums = fetchFloats(data, count, dtype);
        communicator_.allReduceSum(std::span<float>(sums));
        storeFloats(sums, data, dtype);
    }

    void reduceSum(void* data, std::size_t count, DType dtype, int) override
    {
        allReduceSum(data, count, dtype);
    }

    void reduceScatterSum(const void* input, void* output, std::size_t count, DType dtype) override
    {
        const Waiting waiting(*this);
        const std::size_t all = count * std::size_t(size());
        std::vector<float> sums = fetchFloats(input, all, dtype);
        communicator_.allReduceSum(std::span<float>(sums));
        const auto first = sums.begin() + std::ptrdiff_t(count * std::size_t(rank()));
        storeFloats({first, first + std::ptrdiff_t(count)}, output, dtype);
    }

    void allGather(const void* mine, void* all, std::size_t bytes) override
    {
        const Waiting waiting(*this);
        const std::vector<std::byte> part = fetch(mine, bytes);
        std::vector<std::byte> whole(bytes * std::size_t(size()));
        const std::vector<std::size_t> sizes(std::size_t(size()), bytes);
        communicator_.allGather(part, sizes, whole);
        store(whole, all);
    }

    void allToAll(const void* send, std::span<const std::size_t> sendSizes, void* receive,
                  std::span<const std::size_t> receiveSizes) override
    {
        const Waiting waiting(*this);
        const auto sum = [](std::span<const std::size_t> sizes) {
            return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
        };
        const std::vector<std::byte> out = fetch(send, sum(sendSizes));
        std::vector<std::byte> in(sum(receiveSizes));
        communicator_.allToAll(out, sendSizes, in, receiveSizes);
        store(in, receive);
    }
    void broadcast(void* data, std::size_t bytes, int root) override
    {
        const Waiting waiting(*this);
        std::vector<std::byte> all = fetch(data, bytes);
        communicator_.broadcast(all, root);
        store(all, data);
    }

    void join() override {} // nothing is under way
    double takeExposedMs() override { return std::exchange(exposedMs_, 0.0); }

private:
    class Waiting
    {
    public:
        explicit Waiting(StagedGroup& group) : group_(group) {}
        ~Waiting()
        {
            const auto passed = std::chrono::steady_clock::now() - start_;
            group_.exposedMs_ += std::chrono::duration<double, std::milli>(passed).count();
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

    private:
        StagedGroup& group_;
        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    };

    static Tensor bytesAt(const void* data, std::size_t bytes, bool onDevice)
    {
        return Tensor::view(const_cast<void*>(data), {std::int64_t(bytes)}, DType::U8, {},
                            onDevice);
    }

    std::vector<std::byte> fetch(const void* data, std::size_t bytes)
    {
        std::vector<std::byte> host(bytes);
        if (bytes > 0)
            backend_.copy(bytesAt(data, bytes, true), bytesAt(host.data(), bytes, false));
        return host;
    }

    void store(const std::vector<std::byte>& host, void* data)
    {
        if (!host.empty())
            backend_.copy(bytesAt(host.data(), host.size(), false),
                          bytesAt(data, host.size(), true));
    }

    /// Sums are fp32 for every type, as NCCL's are not for the short ones: better, not the same.
    std::vector<float> fetchFloats(const void* data, std::size_t count, DType dtype)
    {
        const std::vector<std::byte> raw = fetch(data, count * dtypeBytes(dtype));
        std::vector<float> floats(count);
        if (dtype == DType::F32) {
            std::memcpy(floats.data(), raw.data(), raw.size());
            return floats;
        }
        requireShort(dtype);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t bits;
            std::memcpy(&bits, raw.data() + 2 * i, sizeof bits);
            floats[i] = dtype == DType::BF16 ? formula::bf16ToF32(bits) : formula::f16ToF32(bits);
        }
        return floats;
    }

    void storeFloats(const std::vector<float>& floats, void* data, DType dtype)
    {
        std::vector<std::byte> raw(floats.size() * dtypeBytes(dtype));
        if (dtype == DType::F32)
            std::memcpy(raw.data(), floats.data(), raw.size());
        else
            for (std::size_t i = 0; i < floats.size(); ++i) {
                const std::uint16_t bits = dtype == DType::BF16 ? formula::f32ToBf16(floats[i])
                                                                : formula::f32ToF16(floats[i]);
                std::memcpy(raw.data() + 2 * i, &bits, sizeof bits);
            }
        store(raw, data);
    }

    static void requireShort(DType dtype)
    {
        SB_REQUIRE(dtype == DType::BF16 || dtype == DType::F16,
                   std::string("staged all-reduce: cannot sum ") + dtypeName(dtype));
    }

    Backend& backend_;
    Communicator& communicator_;
    double exposedMs_ = 0;
};

} // namespace

std::unique_ptr<DeviceGroup> makeStagedGroup(Backend& backend, Communicator& communicator)
{
    return std::make_unique<StagedGroup>(backend, communicator);
}

} // namespace scalebench::dist
