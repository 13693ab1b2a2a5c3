// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures on their way from bytes to a network's numbers: mirrored, shifted, blanked, with other
// colours, normalised; the same numbers on every device, bit for bit.

#include <cstdint>

namespace scalebench {

/// Brightness, contrast, saturation and hue (a turn of the colours' plane), in units of 0..1.
struct ColourChange {
    float bright = 1, contrast = 1, saturation = 1;
    float turnCos = 1, turnSin = 0;
    float mean = 0; ///< what contrast stretches from: the picture's brightness, made `bright`
};

/// What is done to one picture, which lies in the upper left corner of a row of pixels of the
/// batch's size. What it leaves open, and the rest of the row, takes the mean colour.
struct PictureChange {
    std::int32_t width = 0, height = 0; ///< of the picture; 0: it fills the row
    std::int32_t dx = 0, dy = 0;        ///< pixel (x, y) comes from (x + dx, y + dy)
    std::int32_t mirror = 0;            ///< 1: x counts from the picture's right
    /// A rectangle of the result that takes the mean colour; empty: left == right.
    std::int32_t left = 0, top = 0, right = 0, bottom = 0;
    std::int32_t coloured = 0; ///< 1: `colour` holds
    ColourChange colour;
};

/// What numbers a byte becomes; the mean colour is 0.
struct PictureScale {
    float mean[3] = {}, deviation[3] = {}; ///< by channel, in units of 0..1
    float table[3][256] = {};              ///< of colours that are not changed

    PictureScale() = default;
    PictureScale(const float (&means)[3], const float (&deviations)[3]);
};

namespace kernels::cpu {

/// One picture. from: U8 [height,width,3] in lines of `stride` pixels, width and height as in
/// `change`; to: F32 [H,W,3], overwritten. One thread.
void normalisePicture(int H, int W, const std::uint8_t* from, std::int64_t stride,
                      const PictureChange& change, const PictureScale& scale, float* to);

/// from: U8 [n,H,W,3]; changes: n; to: F32 [n,H,W,3], overwritten.
void normalisePictures(std::int64_t n, int H, int W, const std::uint8_t* from,
                       const PictureChange* changes, const PictureScale& scale, float* to);

} // namespace kernels::cpu

} // namespace scalebench
