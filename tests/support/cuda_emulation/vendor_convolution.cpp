// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/cuda_emulation/vendor_convolution.h"

#include <bit>
#include <vector>

namespace scalebench::emulation {
namespace {

/// Sizes of one group of one image as matrices: pixels of y, taps of a filter with its channels.
struct Group {
    std::int64_t C, K, pixels, taps;
};

class Convolver
{
public:
    Convolver(const ConvolutionSizes& s, const ConvolutionMemory& m)
        : s_(s),
          m_(m),
          g_{s.C / s.groups, s.K / s.groups, s.P() * s.Q(), s.R * s.S * (s.C / s.groups)}
    {
    }

    void forward()
    {
        std::vector<float> w(std::size_t(g_.taps * g_.K)), x, y(std::size_t(g_.pixels * g_.K));
        for (std::int64_t group = 0; group < s_.groups; ++group) {
            for (std::int64_t k = 0; k < g_.K; ++k)
                for (std::int64_t t = 0; t < g_.taps; ++t)
                    w[std::size_t(t * g_.K + k)] = load(m_.w, (group * g_.K + k) * g_.taps + t);
            for (std::int64_t n = 0; n < s_.N; ++n) {
                columns(n, group, x);
                multiply(g_.K, g_.pixels, g_.taps, w.data(), x.data(), y.data());
                for (std::int64_t p = 0; p < g_.pixels; ++p)
                    for (std::int64_t k = 0; k < g_.K; ++k) {
                        const std::int64_t channel = group * g_.K + k;
                        float v = y[std::size_t(p * g_.K + k)];
                        if (m_.bias != nullptr)
                            v += loadElement(m_.type, m_.bias, channel);
                        if (m_.relu)
                            v = v > 0.0f ? v : 0.0f;
                        storeElement(m_.type, m_.y, (n * g_.pixels + p) * s_.K + channel, v);
                    }
            }
        }
    }

    void data()
    {
        std::vector<float> w(std::size_t(g_.K * g_.taps)), dy(std::size_t(g_.pixels * g_.K)),
            spread(std::size_t(g_.pixels * g_.taps)), dx(std::size_t(s_.H * s_.W * g_.C));
        for (std::int64_t group = 0; group < s_.groups; ++group) {
            for (std::int64_t i = 0; i < g_.K * g_.taps; ++i)
                w[std::size_t(i)] = load(m_.w, group * g_.K * g_.taps + i);
            for (std::int64_t n = 0; n < s_.N; ++n) {
                for (std::int64_t p = 0; p < g_.pixels; ++p)
                    for (std::int64_t k = 0; k < g_.K; ++k)
                        dy[std::size_t(p * g_.K + k)] = load(m_.y, yIndex(n, p, group, k));
                multiply(g_.taps, g_.pixels, g_.K, w.data(), dy.data(), spread.data());
                dx.assign(dx.size(), 0.0f);
                eachTap([&](std::int64_t pixel, std::int64_t tap, std::int64_t at) {
                    for (std::int64_t c = 0; c < g_.C; ++c)
                        dx[std::size_t(at * g_.C + c)] +=
                            spread[std::size_t(pixel * g_.taps + tap * g_.C + c)];
                });
                for (std::int64_t at = 0; at < s_.H * s_.W; ++at)
                    for (std::int64_t c = 0; c < g_.C; ++c)
                        storeElement(m_.type, m_.x, xIndex(n, at, group, c),
                                     dx[std::size_t(at * g_.C + c)]);
            }
        }
    }

    void weight()
    {
        std::vector<float> x, dy(std::size_t(g_.K * g_.pixels)), part(std::size_t(g_.K * g_.taps)),
            dw(part.size());
        for (std::int64_t group = 0; group < s_.groups; ++group) {
            dw.assign(dw.size(), 0.0f);
            for (std::int64_t n = 0; n < s_.N; ++n) {
                columns(n, group, x);
                for (std::int64_t p = 0; p < g_.pixels; ++p)
                    for (std::int64_t k = 0; k < g_.K; ++k)
                        dy[std::size_t(k * g_.pixels + p)] = load(m_.y, yIndex(n, p, group, k));
                multiply(g_.taps, g_.K, g_.pixels, x.data(), dy.data(), part.data());
                for (std::size_t i = 0; i < dw.size(); ++i)
                    dw[i] += part[i];
            }
            for (std::int64_t i = 0; i < g_.K * g_.taps; ++i)
                storeElement(m_.type, m_.w, group * g_.K * g_.taps + i, dw[std::size_t(i)]);
        }
    }

private:
    float load(const void* from, std::int64_t index) const
    {
        const float v = loadElement(m_.type, from, index);
        return m_.tf32 && m_.type == Element::F32
                   ? std::bit_cast<float>((std::bit_cast<std::uint32_t>(v) + 0x1000u) & ~0x1fffu)
                   : v;
    }
    std::int64_t xIndex(std::int64_t n, std::int64_t at, std::int64_t group, std::int64_t c) const
    {
        return (n * s_.H * s_.W + at) * s_.C + group * g_.C + c;
    }
    std::int64_t yIndex(std::int64_t n, std::int64_t p, std::int64_t group, std::int64_t k) const
    {
        return (n * g_.pixels + p) * s_.K + group * g_.K + k;
    }

    /// f(pixel of y, tap, pixel of x) for all taps inside the image.
    template <class F>
    void eachTap(F&& f) const
    {
        for (std::int64_t p = 0; p < s_.P(); ++p)
            for (std::int64_t q = 0; q < s_.Q(); ++q)
                for (std::int64_t r = 0; r < s_.R; ++r)
                    for (std::int64_t t = 0; t < s_.S; ++t) {
                        const std::int64_t h = p * s_.stride - s_.padding + r * s_.dilation,
                                           w = q * s_.stride - s_.padding + t * s_.dilation;
                        if (h >= 0 && h < s_.H && w >= 0 && w < s_.W)
                            f(p * s_.Q() + q, r * s_.S + t, h * s_.W + w);
                    }
    }

    /// x as [pixel of y][tap, channel], zero outside the image.
    void columns(std::int64_t n, std::int64_t group, std::vector<float>& x) const
    {
        std::vector<float> image(std::size_t(s_.H * s_.W * g_.C));
        for (std::int64_t at = 0; at < s_.H * s_.W; ++at)
            for (std::int64_t c = 0; c < g_.C; ++c)
                image[std::size_t(at * g_.C + c)] = load(m_.x, xIndex(n, at, group, c));
        x.assign(std::size_t(g_.pixels * g_.taps), 0.0f);
        eachTap([&](std::int64_t pixel, std::int64_t tap, std::int64_t at) {
            for (std::int64_t c = 0; c < g_.C; ++c)
                x[std::size_t(pixel * g_.taps + tap * g_.C + c)] =
                    image[std::size_t(at * g_.C + c)];
        });
    }

    const ConvolutionSizes& s_;
    const ConvolutionMemory& m_;
    Group g_;
};

} // namespace

void convolve(const ConvolutionSizes& s, const ConvolutionMemory& m)
{
    Convolver c(s, m);
    switch (s.direction) {
    case ConvolutionSizes::Forward:
        return c.forward();
    case ConvolutionSizes::Data:
        return c.data();
    case ConvolutionSizes::Weight:
        return c.weight();
    }
}

} // namespace scalebench::emulation
