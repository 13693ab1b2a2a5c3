// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/parameter_set.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "kernels/check.h"

namespace scalebench {
namespace {

constexpr std::size_t kAlign = 16; // floats in 64 bytes

std::size_t roundUp(std::size_t elements)
{
    return (elements + kAlign - 1) / kAlign * kAlign;
}

std::shared_ptr<float> hostArena(std::size_t elements)
{
    // Rows of large tables are touched at random: with pages of 2 MiB few lookups miss the
    // processor's address cache.
    constexpr std::size_t kHugePage = 2 << 20;
    std::size_t bytes = std::max(roundUp(elements), kAlign) * sizeof(float);
    const bool large = bytes >= kHugePage;
    bytes = large ? (bytes + kHugePage - 1) / kHugePage * kHugePage : bytes;
    auto* p = static_cast<float*>(std::aligned_alloc(large ? kHugePage : 64, bytes));
    if (!p)
        throw Error("out_of_memory", "Out of memory: could not get " + std::to_string(bytes >> 20) +
                                         " MiB for parameters.");
#ifdef MADV_HUGEPAGE
    if (large)
        (void)madvise(p, bytes, MADV_HUGEPAGE); // a wish: where it is refused, nothing is lost
#endif
    return {p, [](float* q) { std::free(q); }};
}

std::uint64_t nextVersion()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

int ParameterSet::addParameter(std::string name, Shape shape, bool weightDecay)
{
    SB_REQUIRE(!built(), "parameter " + name + " declared after build()");
    SB_REQUIRE(elementCount(shape) > 0,
               "parameter " + name + " cannot have the shape " + toString(shape));
    for (const auto& p : parameters_)
        SB_REQUIRE(p.name != name, "two parameters are called " + name);
    const auto count = std::size_t(elementCount(shape));
    ParameterInfo info;
    info.name = std::move(name);
    info.shape = std::move(shape);
    info.count = count;
    info.weightDecay = weightDecay;
    parameters_.push_back(std::move(info));
    sparseGradients_.emplace_back();
    return int(parameters_.size()) - 1;
}

int ParameterSet::addSparseParameter(std::string name, Shape shape, bool weightDecay)
{
    SB_REQUIRE(shape.size() == 2,
               "sparse parameter " + name + " must be [rows,dim], not " + toString(shape));
    const int index = addParameter(std::move(name), std::move(shape), weightDecay);
    parameters_.back().sparse = true;
    sparseGradients_.back() = std::make_shared<SparseRows>();
    return index;
}

int ParameterSet::addOwnedTable(std::string name, Shape shape, bool weightDecay, int owner,
                                bool here)
{
    const int index = addSparseParameter(std::move(name), std::move(shape), weightDecay);
    ParameterInfo& p = parameters_.back();
    p.owner = owner;
    p.here = here;
    p.table = p.name;
    if (!here) {
        p.count = 0;
        sparseGradients_.back() = nullptr;
    }
    return index;
}

void ParameterSet::partOf(int parameter, std::string name, std::int64_t firstRow)
{
    ParameterInfo& p = parameters_.at(std::size_t(parameter));
    SB_REQUIRE(p.owner >= 0 && firstRow >= 0, "only an owned table is a part of another");
    p.table = std::move(name);
    p.firstRow = firstRow;
}

int ParameterSet::addCopies(std::string name, std::vector<CopiedRow> rows, bool weightDecay)
{
    SB_REQUIRE(copies_ < 0 && !rows.empty(), "copies of rows are declared once");
    const std::int64_t width = parameters_.at(std::size_t(rows[0].parameter)).shape.at(1);
    for (const CopiedRow& row : rows) {
        const ParameterInfo& p = parameters_.at(std::size_t(row.parameter));
        SB_REQUIRE(p.owner >= 0 && p.shape[1] == width && row.row >= 0 && row.row < p.shape[0],
                   "there is no row " + std::to_string(row.row) + " of " + p.name + " to copy");
    }
    copies_ = addSparseParameter(std::move(name), {std::int64_t(rows.size()), width}, weightDecay);
    parameters_.back().copies = true;
    copiedRows_ = std::move(rows);
    return copies_;
}

void ParameterSet::stack(int parameter, int parts)
{
    ParameterInfo& p = parameters_.at(std::size_t(parameter));
    SB_REQUIRE(!built() && parts > 0 && p.shape.front() % parts == 0,
               "parameter " + p.name + " of shape " + toString(p.shape) + " has no " +
                   std::to_string(parts) + " parts");
    constexpr std::size_t kAligned = 64 / sizeof(float);
    if (p.count / std::size_t(parts) % kAligned == 0)
        p.parts = parts;
}

int ParameterSet::addBuffer(std::string name, Shape shape, float initial)
{
    SB_REQUIRE(!built(), "buffer " + name + " declared after build()");
    SB_REQUIRE(elementCount(shape) > 0,
               "buffer " + name + " cannot have the shape " + toString(shape));
    for (const auto& b : buffers_)
        SB_REQUIRE(b.name != name, "two buffers are called " + name);
    const auto count = std::size_t(elementCount(shape));
    buffers_.push_back({std::move(name), std::move(shape), bufferCount_, count});
    bufferInitial_.push_back(initial);
    bufferCount_ += roundUp(count);
    return int(buffers_.size()) - 1;
}

void ParameterSet::build(const ArenaAllocator& gradientArena)
{
    SB_REQUIRE(!built(), "a parameter set is built once");
    for (const bool sparse : {false, true}) {
        for (int i = int(parameters_.size()) - 1; i >= 0; --i) {
            auto& p = parameters_[std::size_t(i)];
            if (p.sparse != sparse || !p.here)
                continue;
            p.offset = valueCount_;
            valueCount_ += roundUp(p.count);
            (sparse ? sparseOrder_ : readyOrder_).push_back(i);
        }
        if (!sparse)
            arenaCount_ = valueCount_;
    }
    values_ = hostArena(valueCount_);
    gradients_ = gradientArena ? gradientArena(arenaCount_) : hostArena(arenaCount_);
    SB_REQUIRE(gradients_ != nullptr &&
                   reinterpret_cast<std::uintptr_t>(gradients_.get()) % 64 == 0,
               "the memory given for gradients must be 64-byte aligned");
    bufferValues_ = hostArena(bufferCount_);
    std::memset(values_.get(), 0, valueCount_ * sizeof(float));
    std::memset(gradients_.get(), 0, arenaCount_ * sizeof(float));
    std::memset(bufferValues_.get(), 0, bufferCount_ * sizeof(float));
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        std::fill_n(bufferValues_.get() + buffers_[i].offset, buffers_[i].count, bufferInitial_[i]);
    markValuesChanged();
}

void ParameterSet::moveTo(Backend& backend, const ArenaAllocator& gradientArena)
{
    SB_REQUIRE(built() && !onDevice_, "a parameter set is moved once, after it was built");
    if (!backend.allocator().onDevice())
        return;
    const auto moved = [&](const std::shared_ptr<float>& host, std::size_t count) {
        const Tensor all = Tensor::view(host.get(), {std::int64_t(count)}, DType::F32);
        const auto device = std::make_shared<Tensor>(backend.upload(all));
        return std::shared_ptr<float>(device, static_cast<float*>(device->data()));
    };
    values_ = moved(values_, valueCount_);
    bufferValues_ = moved(bufferValues_, bufferCount_);
    if (gradientArena)
        gradients_ = gradientArena(arenaCount_);
    else
        gradients_ = moved(gradients_, arenaCount_);
    onDevice_ = true;
    backend.clear(
        Tensor::view(gradients_.get(), {std::int64_t(arenaCount_)}, DType::F32, gradients_, true));
    markValuesChanged();
}

void ParameterSet::keepValuesIn(std::span<float> memory, bool fill)
{
    SB_REQUIRE(built() && !onDevice_, "only values in the host's memory can be kept elsewhere");
    SB_REQUIRE(memory.size() == valueCount_ &&
                   reinterpret_cast<std::uintptr_t>(memory.data()) % 64 == 0,
               "the memory given for values must be 64-byte aligned and as large as they are");
    if (fill)
        std::ranges::copy(values(), memory.begin());
    values_ = std::shared_ptr<float>(memory.data(), [](float*) {});
    markValuesChanged();
}

std::int64_t ParameterSet::trainableCount() const noexcept
{
    std::int64_t n = 0;
    for (const auto& p : parameters_)
        n += p.copies ? 0 : elementCount(p.shape);
    return n;
}

bool ParameterSet::hasOwnedTables() const noexcept
{
    return std::ranges::any_of(parameters_, [](const ParameterInfo& p) { return p.owner >= 0; });
}

Tensor ParameterSet::value(int parameter) const
{
    const auto& p = parameters_.at(std::size_t(parameter));
    if (!p.here)
        return {};
    return Tensor::view(values_.get() + p.offset, p.shape, DType::F32, values_, onDevice_);
}

Tensor ParameterSet::gradient(int parameter) const
{
    const auto& p = parameters_.at(std::size_t(parameter));
    if (p.sparse)
        return {};
    return Tensor::view(gradients_.get() + p.offset, p.shape, DType::F32, gradients_, onDevice_);
}

const std::shared_ptr<SparseRows>& ParameterSet::sparseGradient(int parameter) const
{
    return sparseGradients_.at(std::size_t(parameter));
}

Tensor ParameterSet::buffer(int buffer) const
{
    const auto& b = buffers_.at(std::size_t(buffer));
    return Tensor::view(bufferValues_.get() + b.offset, b.shape, DType::F32, bufferValues_,
                        onDevice_);
}

void ParameterSet::markValuesChanged()
{
    version_ = nextVersion();
}

} // namespace scalebench
