// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A prepared oneDNN primitive with its memory objects: handles are set per call, nothing is
// allocated.

#include <cstddef>
#include <string>
#include <unordered_map>

#include "kernels/cpu/dnnl_common.h"

namespace scalebench::kernels::cpu {

constexpr std::size_t roundUpTo64(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

class DnnlCall
{
public:
    DnnlCall() = default;
    /// `pd` was made with the scratchpad mode `user`.
    template <class PrimitiveDesc>
    explicit DnnlCall(const PrimitiveDesc& pd) : primitive_(pd.get()), name_(pd.impl_info_str())
    {
        scratchBytes_ = pd.scratchpad_desc().get_size();
        if (scratchBytes_ > 0)
            add(DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc());
    }
    void add(int arg, const dnnl::memory::desc& md)
    {
        args_.emplace(arg, dnnl::memory(md, dnnlEngine(), nullptr));
    }
    void set(int arg, const void* data) const
    {
        // oneDNN's handles are not const; sources are only read.
        args_.at(arg).set_data_handle(const_cast<void*>(data));
    }
    void run(void* scratch) const
    {
        if (scratchBytes_ > 0)
            set(DNNL_ARG_SCRATCHPAD, scratch);
        SB_CHECK_DNNL(primitive_.execute(dnnlStream(), args_));
    }
    std::size_t scratchBytes() const { return scratchBytes_; }
    /// Name of the implementation; empty for a default one.
    const std::string& name() const { return name_; }

private:
    dnnl::primitive primitive_;
    std::unordered_map<int, dnnl::memory> args_;
    std::size_t scratchBytes_ = 0;
    std::string name_;
};

/// Attributes of a primitive whose scratch the caller gives.
inline dnnl::primitive_attr userScratch()
{
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

inline DnnlCall makeReorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to)
{
    DnnlCall call;
    SB_CHECK_DNNL(call = DnnlCall(dnnl::reorder::primitive_desc(dnnlEngine(), from, dnnlEngine(),
                                                                to, userScratch())));
    call.add(DNNL_ARG_FROM, from);
    call.add(DNNL_ARG_TO, to);
    return call;
}

} // namespace scalebench::kernels::cpu
