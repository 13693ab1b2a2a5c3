// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stands in for engine/backend/cuda/cudnn_graph.h where a test compiles the description of a graph
// against it: the same calls, which plain loops in double compute, so that a graph's formulas,
// sizes and strides are checked without the library.

#include <cudnn_graph.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/types.h"

namespace scalebench::cuda_backend {

struct CudnnTensor {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::vector<std::int64_t> sizes{1, 1, 1, 1}, strides{1, 1, 1, 1};
    std::int64_t alignment = 16;
    bool isVirtual = false, byValue = false;
};

inline cudnnDataType_t cudnnTypeOf(DType /*dtype*/, const std::string& /*what*/)
{
    return CUDNN_DATA_BFLOAT16;
}

class CudnnGraph
{
public:
    using Id = std::int64_t;
    struct Extents {
        const Id *rows = nullptr, *columns = nullptr, *depth = nullptr;
    };

    explicit CudnnGraph(std::string what) : what_(std::move(what)) {}

    const std::string& what() const { return what_; }
    /// Memory of an operand; null for none.
    void bind(Id id, double* memory) { at(id).memory = memory; }
    void run() const
    {
        for (const auto& operation : operations_)
            operation();
    }

    Id tensor(const CudnnTensor& t)
    {
        Stored s{t, nullptr, {}};
        std::int64_t elements = 1;
        for (std::size_t i = 0; i < 4; ++i)
            elements += (t.sizes[i] - 1) * t.strides[i];
        if (t.isVirtual)
            s.own.resize(std::size_t(elements));
        tensors_->push_back(std::move(s));
        return Id(tensors_->size()) - 1;
    }

    void pointwise(cudnnPointwiseMode_t mode, std::initializer_list<Id> operands, Id y,
                   cudnnDataType_t /*type*/ = CUDNN_DATA_FLOAT)
    {
        add([all = tensors_, mode, in = std::vector<Id>(operands), y] {
            forEach((*all)[std::size_t(y)], [&](const Place& p, double& out) {
                double v[3] = {};
                for (std::size_t i = 0; i < in.size(); ++i)
                    v[i] = (*all)[std::size_t(in[i])].element(p);
                out = result(mode, v);
            });
        });
    }
    void index(Id /*x*/, std::int64_t axis, Id y)
    {
        add([all = tensors_, axis, y] {
            forEach((*all)[std::size_t(y)],
                    [&](const Place& p, double& out) { out = double(p.at[axis]); });
        });
    }
    void product(Id a, Id b, Id c, const Extents& extents)
    {
        const auto given = [](const Id* id) { return id == nullptr ? Id(-1) : *id; };
        add([all = tensors_, a, b, c, rows = given(extents.rows), columns = given(extents.columns),
             depth = given(extents.depth)] {
            Stored &left = (*all)[std::size_t(a)], &right = (*all)[std::size_t(b)];
            if (left.tensor.sizes[3] != right.tensor.sizes[2])
                throw std::logic_error("sizes of a product");
            forEach((*all)[std::size_t(c)], [&](const Place& p, double& out) {
                const auto extent = [&](Id id, std::int64_t size) {
                    return id < 0 ? size
                                  : std::int64_t((*all)[std::size_t(id)].element({{p.at[0]}}));
                };
                out = 0.0;
                if (p.at[2] >= extent(rows, p.at[2] + 1) || p.at[3] >= extent(columns, p.at[3] + 1))
                    return;
                for (std::int64_t k = 0; k < extent(depth, left.tensor.sizes[3]); ++k)
                    out += left.element({{p.at[0], p.at[1], p.at[2], k}}) *
                           right.element({{p.at[0], p.at[1], k, p.at[3]}});
            });
        });
    }
    void sum(Id x, Id y)
    {
        reduce(x, y, 0.0, [](double a, double b) { return a + b; });
    }
    void largest(Id x, Id y)
    {
        reduce(x, y, -INFINITY, [](double a, double b) { return std::max(a, b); });
    }
    void view(Id x, Id y)
    {
        add([all = tensors_, x, y] {
            (*all)[std::size_t(y)].memory = (*all)[std::size_t(x)].data();
        });
    }

private:
    struct Place {
        std::int64_t at[4] = {};
    };
    struct Stored {
        CudnnTensor tensor;
        double* memory;
        std::vector<double> own;

        double* data() { return memory != nullptr ? memory : own.data(); }
        /// Repeated along axes of size 1.
        double& element(const Place& p)
        {
            std::int64_t offset = 0;
            for (std::size_t i = 0; i < 4; ++i)
                offset += tensor.sizes[i] > 1 ? p.at[i] * tensor.strides[i] : 0;
            if (data() == nullptr)
                throw std::logic_error("an operand without memory");
            return data()[offset];
        }
    };

    Stored& at(Id id) { return (*tensors_)[std::size_t(id)]; }
    void add(std::function<void()> operation) { operations_.push_back(std::move(operation)); }

    template <class F>
    static void forEach(Stored& y, const F& f)
    {
        Place p;
        const auto& n = y.tensor.sizes;
        for (p.at[0] = 0; p.at[0] < n[0]; ++p.at[0])
            for (p.at[1] = 0; p.at[1] < n[1]; ++p.at[1])
                for (p.at[2] = 0; p.at[2] < n[2]; ++p.at[2])
                    for (p.at[3] = 0; p.at[3] < n[3]; ++p.at[3])
                        f(p, y.element(p));
    }
    /// Over the last axis.
    template <class F>
    void reduce(Id x, Id y, double start, F combine)
    {
        add([all = tensors_, x, y, start, combine] {
            forEach((*all)[std::size_t(y)], [&](const Place& p, double& out) {
                out = start;
                Stored& from = (*all)[std::size_t(x)];
                for (std::int64_t k = 0; k < from.tensor.sizes[3]; ++k)
                    out = combine(out, from.element({{p.at[0], p.at[1], p.at[2], k}}));
            });
        });
    }
    static double result(cudnnPointwiseMode_t mode, const double (&v)[3])
    {
        switch (mode) {
        case CUDNN_POINTWISE_MUL:
            return v[0] * v[1];
        case CUDNN_POINTWISE_SUB:
            return v[0] - v[1];
        case CUDNN_POINTWISE_ADD:
            return v[0] + v[1];
        case CUDNN_POINTWISE_DIV:
            return v[0] / v[1];
        case CUDNN_POINTWISE_LOG:
            return std::log(v[0]);
        case CUDNN_POINTWISE_EXP:
            return std::exp(v[0]);
        case CUDNN_POINTWISE_CMP_LT:
            return v[0] < v[1] ? 1.0 : 0.0;
        case CUDNN_POINTWISE_CMP_GE:
            return v[0] >= v[1] ? 1.0 : 0.0;
        case CUDNN_POINTWISE_LOGICAL_AND:
            return v[0] != 0.0 && v[1] != 0.0 ? 1.0 : 0.0;
        case CUDNN_POINTWISE_BINARY_SELECT:
            return v[2] != 0.0 ? v[0] : v[1];
        default:
            throw std::logic_error("a pointwise operation that nothing here needs");
        }
    }

    std::string what_;
    std::shared_ptr<std::vector<Stored>> tensors_ = std::make_shared<std::vector<Stored>>();
    std::vector<std::function<void()>> operations_;
};

} // namespace scalebench::cuda_backend
