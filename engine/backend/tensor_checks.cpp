// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/tensor_checks.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {

std::int64_t rowsOf(const Tensor& t)
{
    return t.count() == 0 ? 0 : t.count() / t.shape().back();
}

void requireSame(const char* op, const Tensor& a, const Tensor& b)
{
    SB_REQUIRE(a.dtype() == b.dtype() && a.shape() == b.shape(),
               std::string(op) + ": " + a.describe() + " and " + b.describe() + " must agree");
}

void requireChannels(const char* op, const Tensor& t, std::int64_t channels)
{
    SB_REQUIRE(t.dtype() == DType::F32 && t.count() == channels,
               std::string(op) + ": " + t.describe() + " must be f32 with " +
                   std::to_string(channels) + " elements");
}

void requireShape(const std::string& op, const char* what, const Tensor& t, const Shape& shape,
                  DType dtype, bool optional)
{
    if (optional && !t.defined())
        return;
    SB_REQUIRE(t.defined() && t.shape() == shape && t.dtype() == dtype,
               op + ": " + what + " must be " + dtypeName(dtype) + toString(shape) + ", not " +
                   t.describe());
}

void requirePictures(const Tensor& bytes, const RawPictures& still)
{
    SB_REQUIRE(bytes.dtype() == DType::U8 && bytes.shape().size() == 4 && bytes.dim(3) == 3 &&
                   std::int64_t(still.changes.size()) == bytes.dim(0),
               "upload of pictures: " + bytes.describe() + " and " +
                   std::to_string(still.changes.size()) +
                   " changes are not bytes [N,H,W,3] and N changes");
}

} // namespace scalebench
