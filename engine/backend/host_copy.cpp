// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/host_copy.h"

#include "kernels/check.h"

namespace scalebench {
namespace {

Tensor viewOf(std::span<const float> array, bool onDevice)
{
    return Tensor::view(const_cast<float*>(array.data()), {std::int64_t(array.size())}, DType::F32,
                        {}, onDevice);
}

} // namespace

std::vector<float> toHost(Backend& backend, std::span<const float> array)
{
    std::vector<float> host(array.size());
    if (!array.empty())
        backend.copy(viewOf(array, backend.allocator().onDevice()), viewOf(host, false));
    return host;
}

void fromHost(Backend& backend, std::span<const float> host, std::span<float> array)
{
    SB_REQUIRE(host.size() == array.size(), "fromHost: the arrays differ in length");
    if (!host.empty())
        backend.copy(viewOf(host, false), viewOf(array, backend.allocator().onDevice()));
}

} // namespace scalebench
