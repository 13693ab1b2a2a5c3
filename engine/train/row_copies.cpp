// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/row_copies.h"

#include "engine/backend/host_copy.h"

#include <algorithm>

namespace scalebench::train {
namespace {

Tensor viewOf(std::span<float> floats, bool onDevice)
{
    return Tensor::view(floats.data(), {int64_t(floats.size())}, DType::F32, {}, onDevice);
}

} // namespace

RowCopies::RowCopies(Backend& backend, ParameterSet& parameters, const Optimizer& optimizer,
                     dist::Communicator& communicator, dist::AllReduceKind kind)
    : backend_(backend),
      parameters_(parameters),
      optimizer_(optimizer),
      comm_(communicator),
      rows_(parameters.copiedRows().size()),
      width_(size_t(parameters.parameters()[size_t(parameters.copies())].shape[1])),
      sums_(communicator.makeArena(rows_ * (width_ + 1), kind))
{
    takeFromOwners();
}

std::vector<RowCopies::Array> RowCopies::arrays() const
{
    std::vector<Array> arrays = {[this](int parameter) {
        const ParameterInfo& p = parameters_.parameters()[size_t(parameter)];
        return parameters_.values().subspan(p.offset, p.count);
    }};
    for (const StateSpan& span : optimizer_.state())
        if (span.name.starts_with("table_"))
            arrays.emplace_back(
                [this, &span](int parameter) { return optimizer_.tableState(span, parameter); });
    return arrays;
}

std::span<float> RowCopies::rowOf(const Array& array, const CopiedRow& row) const
{
    return array(row.parameter).subspan(size_t(row.row) * width_, width_);
}

void RowCopies::takeFromOwners()
{
    const bool onDevice = backend_.allocator().onDevice();
    std::vector<float> numbers(rows_ * width_);
    for (const Array& array : arrays()) {
        std::ranges::fill(numbers, 0.0f); // one worker has a row, and zeros change nothing
        for (size_t i = 0; i < rows_; ++i) {
            const CopiedRow& row = parameters_.copiedRows()[i];
            if (parameters_.parameters()[size_t(row.parameter)].here)
                backend_.copy(viewOf(rowOf(array, row), onDevice),
                              viewOf(std::span(numbers).subspan(i * width_, width_), false));
        }
        comm_.allReduceSum(std::span<float>(numbers));
        fromHost(backend_, numbers, array(parameters_.copies()));
    }
    parameters_.markValuesChanged();
}

void RowCopies::giveToOwners()
{
    const bool onDevice = backend_.allocator().onDevice();
    for (const Array& array : arrays())
        for (size_t i = 0; i < rows_; ++i) {
            const CopiedRow& row = parameters_.copiedRows()[i];
            if (parameters_.parameters()[size_t(row.parameter)].here)
                backend_.copy(
                    viewOf(array(parameters_.copies()).subspan(i * width_, width_), onDevice),
                    viewOf(rowOf(array, row), onDevice));
        }
}

void RowCopies::sumGradient()
{
    SparseRows& gradient = *parameters_.sparseGradient(parameters_.copies());
    const std::span<float> sums = sums_->local();
    const std::span<float> touched = sums.subspan(rows_ * width_, rows_);
    std::ranges::fill(sums, 0.0f);
    if (!gradient.empty()) {
        const Tensor ids = backend_.download(gradient.rows);
        const Tensor values = backend_.download(gradient.values);
        for (size_t i = 0; i < size_t(ids.count()); ++i) {
            const auto row = size_t(ids.i32()[i]);
            std::ranges::copy(values.f32().subspan(i * width_, width_),
                              sums.begin() + std::ptrdiff_t(row * width_));
            touched[row] = 1;
        }
    }
    sums_->allReduce(0, rows_ * (width_ + 1));
    std::vector<int32_t> ids;
    std::vector<float> values;
    for (size_t row = 0; row < rows_; ++row) {
        if (touched[row] == 0)
            continue;
        ids.push_back(int32_t(row));
        const auto of = sums.subspan(row * width_, width_);
        values.insert(values.end(), of.begin(), of.end());
    }
    gradient = {};
    if (ids.empty())
        return;
    const auto n = int64_t(ids.size());
    gradient.rows = Tensor::empty({n}, DType::I32, backend_.allocator());
    gradient.values = Tensor::empty({n, int64_t(width_)}, DType::F32, backend_.allocator());
    backend_.copy(Tensor::view(ids.data(), {n}, DType::I32), gradient.rows);
    fromHost(backend_, values, gradient.values.f32());
}

} // namespace scalebench::train
