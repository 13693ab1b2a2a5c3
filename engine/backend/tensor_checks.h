// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of arguments that every family of every backend makes.

#include <cstdint>
#include <string>

#include "engine/tensor/raw_pictures.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// Product of all sizes but the last.
std::int64_t rowsOf(const Tensor& t);
/// InvalidArgument unless both have one shape and type.
void requireSame(const char* op, const Tensor& a, const Tensor& b);
/// InvalidArgument unless F32 with `channels` elements.
void requireChannels(const char* op, const Tensor& t, std::int64_t channels);
/// InvalidArgument ("OP: WHAT must be f32[2, 3], not …") for another shape or type; an undefined
/// tensor will do where it is optional.
void requireShape(const std::string& op, const char* what, const Tensor& t, const Shape& shape,
                  DType dtype, bool optional);
/// InvalidArgument unless U8 [N,H,W,3] with N changes.
void requirePictures(const Tensor& bytes, const RawPictures& still);

} // namespace scalebench
