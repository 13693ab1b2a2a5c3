// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All parameters of a network in one flat fp32 value arena and one flat fp32 gradient arena with
// the same layout, and its non-trainable buffers (batch-norm running statistics) in a third. Layers
// declare, build() lays out once, then everything is a view. Filling values is the layers' job,
// reducing gradients the caller's, updating the optimizer's.
//
// Layout: parameters are declared in the order forward uses them and laid out in reverse, which is
// the order in which backward makes gradients ready: offset 0 is ready first, so that a bucket
// [begin, end) of the gradient arena may be reduced as soon as the parameter that ends in it is
// reported ready. Every parameter starts on a 64-byte boundary; the padding between is zero in
// every arena and stays zero under the optimizers here.
//
// A sparse parameter (an embedding table [rows,dim]) has no place in the gradient arena: its
// gradient is the SparseRows that backward leaves in sparseGradient(). Its value lies behind those
// of the dense parameters, so that values() is longer than gradients() by the tables; the common
// beginning has one layout.
//
// An owned table is a sparse parameter that one worker of the run has and the others do not: there
// it is declared, and has no memory, no value and no gradient. It may be a part of a table that
// lies on several workers. Rows of owned tables that every worker needs often have copies
// everywhere: the copy is then what is read and trained, and the row itself old.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/tensor/sparse_rows.h"

namespace scalebench {

struct ParameterInfo {
    std::string name;          ///< "stage1.block0.conv1.weight"; unique
    Shape shape;               ///< convolution OIHW, linear [out,in], vectors [C]
    std::size_t offset = 0;    ///< first element in the value (and, if dense, the gradient) arena
    std::size_t count = 0;     ///< elements, without padding; 0 on a worker without the table
    bool weightDecay = true;   ///< false for batch-norm scale and shift and for biases
    bool sparse = false;       ///< gradient by touched rows, not in the gradient arena
    int parts = 1;             ///< tensors of one size stacked along the first axis: see stack()
    int owner = -1;            ///< rank that has this table; -1: every worker
    bool here = true;          ///< whether this worker has it
    std::string table;         ///< of an owned one: the table that it is, or is a part of
    std::int64_t firstRow = 0; ///< in that table
    bool copies = false;       ///< copies of rows of owned tables, which count there
};

/// A row of an owned table that every worker has a copy of.
struct CopiedRow {
    int parameter = -1;
    std::int64_t row = 0; ///< of the parameter
};

struct BufferInfo {
    std::string name;
    Shape shape;
    std::size_t offset = 0; ///< first element in the buffer arena
    std::size_t count = 0;
};

/// Supplies the memory of the gradient arena: `elements` floats, 64-byte aligned, owned by the
/// pointer returned (for instance an MPI shared-memory window). It is zeroed by build().
using ArenaAllocator = std::function<std::shared_ptr<float>(std::size_t elements)>;

class ParameterSet
{
public:
    ParameterSet() = default;
    ParameterSet(const ParameterSet&) = delete;
    ParameterSet& operator=(const ParameterSet&) = delete;

    /// Declares a parameter (before build()); returns its index. InvalidArgument on a second use of
    /// a name or an empty shape.
    int addParameter(std::string name, Shape shape, bool weightDecay);
    /// Declares a table [rows,dim] with sparse gradients, otherwise as addParameter().
    int addSparseParameter(std::string name, Shape shape, bool weightDecay);
    /// The same, of which only the worker `owner` has memory; `here`: whether that is this one. Its
    /// values are updated there from the gradients of all workers.
    int addOwnedTable(std::string name, Shape shape, bool weightDecay, int owner, bool here);
    /// An owned table that was declared is the rows from `firstRow` on of the table `name`.
    void partOf(int parameter, std::string name, std::int64_t firstRow);
    /// Copies of rows of owned tables of one width, on every worker: a sparse parameter, once a
    /// set.
    int addCopies(std::string name, std::vector<CopiedRow> rows, bool weightDecay);
    /// The parameter holds `parts` tensors of one size along its first axis (a joint projection to
    /// queries, keys and values), which optimizers with a rate per tensor are to see one by one.
    /// They do where a part is a multiple of 64 bytes, and else take the whole for one.
    void stack(int parameter, int parts);
    /// Declares a buffer whose elements start at `initial`; returns its index.
    int addBuffer(std::string name, Shape shape, float initial);
    /// Lays everything out and allocates; values and gradients are zero, buffers have their initial
    /// value. Call once.
    void build(const ArenaAllocator& gradientArena = {});
    bool built() const noexcept { return values_ != nullptr; }
    /// Moves everything into the memory of `backend`, after the layers have filled in the values on
    /// the host; does nothing where that is the host's. From then on all spans and views are
    /// addresses of the backend's. `gradientArena` as in build(), of the backend's memory; empty:
    /// the backend's own.
    void moveTo(Backend& backend, const ArenaAllocator& gradientArena = {});
    /// Values stay in `memory` from now on: as many floats as values() has, 64-byte aligned, which
    /// must outlive this set. `fill` copies them there; another process may do so where processes
    /// have this memory in common, and all wait for it. On the host only.
    void keepValuesIn(std::span<float> memory, bool fill);

    const std::vector<ParameterInfo>& parameters() const noexcept { return parameters_; }
    const std::vector<BufferInfo>& buffers() const noexcept { return buffers_; }
    /// Indices of the dense parameters in the order gradients become ready, which is the order of
    /// the offsets.
    const std::vector<int>& readyOrder() const noexcept { return readyOrder_; }
    /// Indices of the sparse parameters that this worker has, likewise.
    const std::vector<int>& sparseOrder() const noexcept { return sparseOrder_; }
    /// Trainable elements, padding not counted: the number published for a network. Tables of other
    /// workers count, copies do not.
    std::int64_t trainableCount() const noexcept;
    /// Whether some of it lies on one worker only.
    bool hasOwnedTables() const noexcept;
    /// Index of the copies, or -1, and what each of its rows is a copy of.
    int copies() const noexcept { return copies_; }
    const std::vector<CopiedRow>& copiedRows() const noexcept { return copiedRows_; }

    /// Whole arenas, padding included; values() with the tables of sparse parameters at its end.
    std::span<float> values() const noexcept { return {values_.get(), valueCount_}; }
    std::span<float> gradients() const noexcept { return {gradients_.get(), arenaCount_}; }
    std::span<float> bufferValues() const noexcept { return {bufferValues_.get(), bufferCount_}; }
    /// Views, F32, in the declared shape. gradient() of a sparse parameter is an undefined tensor,
    /// as is value() of a table that another worker has.
    Tensor value(int parameter) const;
    Tensor gradient(int parameter) const;
    /// What backward left for a sparse parameter (shared: whoever exchanges or consumes gradients
    /// may replace the contents); null for a dense one.
    const std::shared_ptr<SparseRows>& sparseGradient(int parameter) const;
    Tensor buffer(int buffer) const;

    /// Number that changes whenever the values do and that no other set ever has. Whoever writes
    /// into values() (optimizer, checkpoint, broadcast) calls markValuesChanged() afterwards: the
    /// backend keeps packed copies of weights until then.
    std::uint64_t version() const noexcept { return version_; }
    void markValuesChanged();

private:
    std::vector<ParameterInfo> parameters_;
    std::vector<BufferInfo> buffers_;
    std::vector<float> bufferInitial_;
    std::vector<std::shared_ptr<SparseRows>> sparseGradients_; // one per parameter, null if dense
    std::vector<int> readyOrder_, sparseOrder_;
    int copies_ = -1;
    std::vector<CopiedRow> copiedRows_;
    std::shared_ptr<float> values_;
    std::shared_ptr<float> gradients_;
    std::shared_ptr<float> bufferValues_;
    std::size_t arenaCount_ = 0; // dense parameters
    std::size_t valueCount_ = 0; // and the tables behind them
    std::size_t bufferCount_ = 0;
    std::uint64_t version_ = 0;
    bool onDevice_ = false;
};

} // namespace scalebench
