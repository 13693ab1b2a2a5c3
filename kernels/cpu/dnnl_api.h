// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What differs between oneDNN 2.6 and 3.x, in the words of 3.x: there primitive descriptors are
// made from their arguments, in 2.6 from an operation descriptor. Nothing else asks for a version.
// Source: oneDNN's "Transition from v2.x to v3.x".

#include <string>

#include <oneapi/dnnl/dnnl.hpp>

namespace scalebench::kernels::cpu::dnnl_api {

/// Of the library that is loaded, for example "oneDNN 3.7.2".
inline std::string libraryVersion()
{
    const dnnl_version_t* v = dnnl_version();
    return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
}

/// Instruction sets are sets of bits: true when `isa` has all of `part`.
inline bool includes(dnnl::cpu_isa isa, dnnl::cpu_isa part)
{
    return (unsigned(isa) & unsigned(part)) == unsigned(part);
}

/// Geometry of a convolution: two spatial axes each.
struct Window {
    dnnl::memory::dims strides, dilates, padBegin, padEnd;
};

#if DNNL_VERSION_MAJOR >= 3

inline dnnl::memory::dims dims(const dnnl::memory::desc& md)
{
    return md.get_dims();
}

inline void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm)
{
    ops.append_eltwise(algorithm, 0.0f, 0.0f);
}

/// bias: null for none.
inline dnnl::matmul::primitive_desc matmul(const dnnl::engine& engine, const dnnl::memory::desc& a,
                                           const dnnl::memory::desc& b,
                                           const dnnl::memory::desc* bias,
                                           const dnnl::memory::desc& c,
                                           const dnnl::primitive_attr& attr)
{
    return bias != nullptr ? dnnl::matmul::primitive_desc(engine, a, b, *bias, c, attr)
                           : dnnl::matmul::primitive_desc(engine, a, b, c, attr);
}

/// bias: null for none.
inline dnnl::convolution_forward::primitive_desc
convolutionForward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                   const dnnl::memory::desc& x, const dnnl::memory::desc& w,
                   const dnnl::memory::desc* bias, const dnnl::memory::desc& y, const Window& at,
                   const dnnl::primitive_attr& attr)
{
    using pd = dnnl::convolution_forward::primitive_desc;
    constexpr auto training = dnnl::prop_kind::forward_training;
    return bias != nullptr ? pd(engine, training, algorithm, x, w, *bias, y, at.strides, at.dilates,
                                at.padBegin, at.padEnd, attr)
                           : pd(engine, training, algorithm, x, w, y, at.strides, at.dilates,
                                at.padBegin, at.padEnd, attr);
}

inline dnnl::convolution_backward_data::primitive_desc convolutionBackwardData(
    const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& dx,
    const dnnl::memory::desc& w, const dnnl::memory::desc& dy, const Window& at,
    const dnnl::convolution_forward::primitive_desc& hint, const dnnl::primitive_attr& attr)
{
    return {engine,     algorithm,   dx,        w,    dy,  at.strides,
            at.dilates, at.padBegin, at.padEnd, hint, attr};
}

inline dnnl::convolution_backward_weights::primitive_desc convolutionBackwardWeights(
    const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& x,
    const dnnl::memory::desc& dw, const dnnl::memory::desc& dy, const Window& at,
    const dnnl::convolution_forward::primitive_desc& hint, const dnnl::primitive_attr& attr)
{
    return {engine,     algorithm,   x,         dw,   dy,  at.strides,
            at.dilates, at.padBegin, at.padEnd, hint, attr};
}

inline dnnl::reduction::primitive_desc sum(const dnnl::engine& engine, const dnnl::memory::desc& x,
                                           const dnnl::memory::desc& y)
{
    return {engine, dnnl::algorithm::reduction_sum, x, y, 0.0f, 0.0f};
}

#else

inline dnnl::memory::dims dims(const dnnl::memory::desc& md)
{
    return md.dims();
}

inline void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm)
{
    ops.append_eltwise(1.0f, algorithm, 0.0f, 0.0f);
}

inline dnnl::matmul::primitive_desc matmul(const dnnl::engine& engine, const dnnl::memory::desc& a,
                                           const dnnl::memory::desc& b,
                                           const dnnl::memory::desc* bias,
                                           const dnnl::memory::desc& c,
                                           const dnnl::primitive_attr& attr)
{
    using desc = dnnl::matmul::desc;
    return {bias != nullptr ? desc(a, b, *bias, c) : desc(a, b, c), attr, engine};
}

inline dnnl::convolution_forward::primitive_desc
convolutionForward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                   const dnnl::memory::desc& x, const dnnl::memory::desc& w,
                   const dnnl::memory::desc* bias, const dnnl::memory::desc& y, const Window& at,
                   const dnnl::primitive_attr& attr)
{
    using desc = dnnl::convolution_forward::desc;
    constexpr auto training = dnnl::prop_kind::forward_training;
    return {bias != nullptr ? desc(training, algorithm, x, w, *bias, y, at.strides, at.dilates,
                                   at.padBegin, at.padEnd)
                            : desc(training, algorithm, x, w, y, at.strides, at.dilates,
                                   at.padBegin, at.padEnd),
            attr, engine};
}

inline dnnl::convolution_backward_data::primitive_desc convolutionBackwardData(
    const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& dx,
    const dnnl::memory::desc& w, const dnnl::memory::desc& dy, const Window& at,
    const dnnl::convolution_forward::primitive_desc& hint, const dnnl::primitive_attr& attr)
{
    return {
        {algorithm, dx, w, dy, at.strides, at.dilates, at.padBegin, at.padEnd}, attr, engine, hint};
}

inline dnnl::convolution_backward_weights::primitive_desc convolutionBackwardWeights(
    const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& x,
    const dnnl::memory::desc& dw, const dnnl::memory::desc& dy, const Window& at,
    const dnnl::convolution_forward::primitive_desc& hint, const dnnl::primitive_attr& attr)
{
    return {
        {algorithm, x, dw, dy, at.strides, at.dilates, at.padBegin, at.padEnd}, attr, engine, hint};
}

inline dnnl::reduction::primitive_desc sum(const dnnl::engine& engine, const dnnl::memory::desc& x,
                                           const dnnl::memory::desc& y)
{
    return {{dnnl::algorithm::reduction_sum, x, y, 0.0f, 0.0f}, engine};
}

#endif

} // namespace scalebench::kernels::cpu::dnnl_api
