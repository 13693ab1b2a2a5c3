// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the oneDNN ops share: engine and stream, error translation, choice of implementation.

#include <string>
#include <string_view>

#include "kernels/check.h"
#include "kernels/cpu/dnnl_api.h"
#include "kernels/types.h"

namespace scalebench::kernels::cpu {

const dnnl::engine& dnnlEngine();
/// The calling thread's stream; synchronous.
dnnl::stream& dnnlStream();
dnnl::memory::data_type dnnlType(DType t);

/// Creates a primitive descriptor with `make()` or throws Unsupported: `what` names op, shapes and
/// type. The first implementation is the fastest, reference ones come last; next_impl() is not for
/// asking: oneDNN 2 looks for the next one by the description that `make()` has left behind on its
/// stack.
template <class Make>
auto chooseImplementation(const std::string& what, Make&& make)
{
    try {
        auto pd = make();
        if (!std::string_view(pd.impl_info_str()).starts_with("ref"))
            return pd;
    } catch (const dnnl::error& e) {
        throw Unsupported(what + ": oneDNN on this processor has no implementation (" + e.what() +
                          ")");
    }
    throw Unsupported(what + ": oneDNN on this processor has only its reference implementation, "
                             "which is far too slow to train with");
}

} // namespace scalebench::kernels::cpu

/// Runs a oneDNN call; a failure becomes DeviceError with expression, place and oneDNN's own text.
#define SB_CHECK_DNNL(expression)                                                                  \
    do {                                                                                           \
        try {                                                                                      \
            expression;                                                                            \
        } catch (const dnnl::error& sbError) {                                                     \
            throw ::scalebench::DeviceError(std::string("oneDNN: ") + sbError.what() + " in " +    \
                                            #expression + " at " + __FILE__ + ":" +                \
                                            std::to_string(__LINE__));                             \
        }                                                                                          \
    } while (false)
