// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/row_copies.h"

#include "engine/backend/host_copy.h"

#include <algorithm>
#include <utility>

namespace scalebench::train {
namespace {

Tensor viewOf(std::span<float> floats, bool onDevice)
{
    return Tensor::view(floats.data(), {int64_t(floats.size())}, DType::F32, {}, onDevice);
}

/// Numbers of the rows that some worker touched; undefined: none.
Tensor uploadTouched(Backend& backend, std::span<const float> touched)
{
    std::vector<int32_t> ids;
    for (size_t row = 0; row < touched.size(); ++row)
        if (touched[row] != 0)
            ids.push_back(int32_t(row));
    if (ids.empty())
        return {};
    const auto n = int64_t(ids.size());
    Tensor there = Tensor::empty({n}, DType::I32, backend.allocator());
    backend.copy(Tensor::view(ids.data(), {n}, DType::I32), there);
    return there;
}

} // namespace

RowCopies::RowCopies(Backend& backend, ParameterSet& parameters, const Optimizer& optimizer,
                     dist::Communicator& communicator, std::shared_ptr<dist::DeviceGroup> devices,
                     dist::AllReduceKind kind)
    : backend_(backend),
      parameters_(parameters),
      optimizer_(optimizer),
      comm_(communicator),
      rows_(parameters.copiedRows().size()),
      width_(size_t(parameters.parameters()[size_t(parameters.copies())].shape[1])),
      devices_(std::move(devices)),
      sums_(devices_ ? nullptr : communicator.makeArena(rows_ * (width_ + 1), kind))
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
    if (devices_)
        sumOnDevice(gradient);
    else
        sumOnHost(gradient);
}

/// Only which rows were touched goes through host memory.
void RowCopies::sumOnDevice(SparseRows& gradient)
{
    const Tensor sums = backend_.zeros({int64_t(rows_), int64_t(width_)}, DType::F32);
    std::vector<float> touched(rows_, 0.0f);
    if (!gradient.empty()) {
        backend_.embedding().embeddingBackward(gradient.rows, -1, gradient.values, sums, false);
        const Tensor ids = backend_.download(gradient.rows);
        for (const int32_t id : ids.i32())
            touched[size_t(id)] = 1;
    }
    devices_->allReduceSum(sums.data(), rows_ * width_, DType::F32);
    comm_.allReduceSum(std::span<float>(touched));
    const Tensor ids = uploadTouched(backend_, touched);
    devices_->join();
    gradient = {};
    if (ids.defined())
        gradient = {ids, backend_.elementwise().gather(sums, 0, ids)};
}

void RowCopies::sumOnHost(SparseRows& gradient)
{
    const std::span<float> sums = sums_->local();
    const std::span<float> touched = sums.subspan(rows_ * width_, rows_);
    std::ranges::fill(sums, 0.0f);
    if (!gradient.empty())
        for (size_t i = 0; i < size_t(gradient.rows.count()); ++i) {
            const auto row = size_t(gradient.rows.i32()[i]);
            std::ranges::copy(gradient.values.f32().subspan(i * width_, width_),
                              sums.begin() + std::ptrdiff_t(row * width_));
            touched[row] = 1;
        }
    sums_->allReduce(0, rows_ * (width_ + 1));
    gradient = {};
    const Tensor ids = uploadTouched(backend_, touched);
    if (!ids.defined())
        return;
    const Tensor all = viewOf(sums.first(rows_ * width_), false);
    gradient = {ids, backend_.elementwise().gather(all.reshaped({int64_t(rows_), int64_t(width_)}),
                                                   0, ids)};
}

} // namespace scalebench::train
