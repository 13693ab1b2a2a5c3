// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/dnnl_common.h"

namespace scalebench::kernels::cpu {

const dnnl::engine& dnnlEngine()
{
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

dnnl::stream& dnnlStream()
{
    thread_local dnnl::stream stream(dnnlEngine());
    return stream;
}

dnnl::memory::data_type dnnlType(DType t)
{
    switch (t) {
    case DType::F32:
        return dnnl::memory::data_type::f32;
    case DType::BF16:
        return dnnl::memory::data_type::bf16;
    case DType::F16:
        return dnnl::memory::data_type::f16;
    case DType::I32:
        return dnnl::memory::data_type::s32;
    case DType::U8:
        return dnnl::memory::data_type::u8;
    }
    return dnnl::memory::data_type::undef;
}

} // namespace scalebench::kernels::cpu
