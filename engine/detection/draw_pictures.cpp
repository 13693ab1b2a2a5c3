// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/draw_pictures.h"

#include "engine/data/small_font.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace scalebench::detection {
namespace {

struct Colour {
    uint8_t red, green, blue;
};
constexpr Colour kTrue{46, 184, 79}, kFound{255, 140, 26}, kInk{16, 16, 16};
constexpr int kWantedEdge = 640, kMostTimes = 8;
constexpr double kTint = 0.4; ///< of a mask over the picture
constexpr size_t kLongestLabel = 40;

/// What is drawn on, in its own pixels.
class Canvas
{
public:
    Canvas(const data::Image& image, int times) : times_(times)
    {
        image_.width = image.width * times;
        image_.height = image.height * times;
        image_.rgb.resize(size_t(image_.width) * size_t(image_.height) * 3);
        data::resizeCrop(image, {0, 0, double(image.width), double(image.height)}, image_.width,
                         image_.height, image_.rgb.data());
        // So that lines and letters can be seen in pictures of any size.
        pen_ = std::max(1, std::max(image_.width, image_.height) / 256);
    }

    void mask(const RunLengthMask& mask, Colour colour)
    {
        const std::vector<uint8_t> pixels = decodeMask(mask);
        for (int y = 0; y < image_.height; ++y)
            for (int x = 0; x < image_.width; ++x)
                if (pixels[size_t(y / times_) * size_t(mask.width) + size_t(x / times_)] != 0)
                    blend(x, y, colour, kTint);
    }

    void frame(const Box& box, Colour colour, bool thin)
    {
        const int width = thin ? 1 : pen_ + 1;
        const int x1 = across(box.x), y1 = across(box.y);
        const int x2 = across(box.x + box.width), y2 = across(box.y + box.height);
        fill(x1, y1, x2, y1 + width, colour);
        fill(x1, y2 - width, x2, y2, colour);
        fill(x1, y1, x1 + width, y2, colour);
        fill(x2 - width, y1, x2, y2, colour);
    }

    /// In a field of the colour at a corner of the box, within the picture.
    void label(const Box& box, std::string_view text, Colour colour, bool above)
    {
        const int letter = (data::kLetterWidth + 1) * pen_, edge = pen_;
        const int width = int(text.size()) * letter + edge;
        const int height = data::kLetterHeight * pen_ + 2 * edge;
        const int wanted = above ? across(box.y) - height : across(box.y + box.height);
        const int x = std::clamp(across(box.x), 0, std::max(0, image_.width - width));
        const int y = std::clamp(wanted, 0, std::max(0, image_.height - height));
        fill(x, y, x + width, y + height, colour);
        for (size_t i = 0; i < text.size(); ++i)
            write(text[i], x + edge + int(i) * letter, y + edge);
    }

    data::Image take() { return std::move(image_); }

private:
    int across(double pixels) const
    {
        const double far = double(std::max(image_.width, image_.height)) * 2;
        return int(std::lround(std::clamp(pixels * times_, -far, far)));
    }

    void blend(int x, int y, Colour colour, double share)
    {
        uint8_t* at = &image_.rgb[(size_t(y) * size_t(image_.width) + size_t(x)) * 3];
        const uint8_t to[] = {colour.red, colour.green, colour.blue};
        for (int c = 0; c < 3; ++c)
            at[c] = uint8_t(std::lround(at[c] * (1 - share) + to[c] * share));
    }

    void fill(int x1, int y1, int x2, int y2, Colour colour)
    {
        for (int y = std::max(0, y1); y < std::min(image_.height, y2); ++y)
            for (int x = std::max(0, x1); x < std::min(image_.width, x2); ++x)
                blend(x, y, colour, 1);
    }

    void write(char letter, int left, int top)
    {
        const auto& rows = data::letterRows(letter);
        for (int y = 0; y < data::kLetterHeight; ++y)
            for (int x = 0; x < data::kLetterWidth; ++x)
                if ((rows[y] >> (data::kLetterWidth - 1 - x) & 1) != 0)
                    fill(left + x * pen_, top + y * pen_, left + (x + 1) * pen_,
                         top + (y + 1) * pen_, kInk);
    }

    data::Image image_;
    int times_;
    int pen_ = 1; ///< width of a line, and of a letter's pixel
};

/// One character a byte: of UTF-8 only the first byte of each character is drawn, as a question
/// mark.
std::string asLetters(const std::string& text)
{
    std::string letters;
    for (const char c : text)
        if ((uint8_t(c) & 0xc0) != 0x80 && letters.size() < kLongestLabel)
            letters += c;
    return letters;
}

} // namespace

data::Image drawPicture(const data::Image& image, const ShownPicture& picture,
                        const std::vector<std::string>& categories)
{
    const int longest = std::max(image.width, image.height);
    Canvas canvas(image, std::clamp((kWantedEdge + longest - 1) / longest, 1, kMostTimes));
    const auto name = [&](const ShownObject& object) {
        return asLetters(categories.at(size_t(object.category)));
    };
    std::vector<const ShownObject*> found;
    for (const ShownObject& object : picture.found)
        if (object.score >= kDrawnScore)
            found.push_back(&object);
    for (const ShownObject& object : picture.truth)
        if (!object.mask.empty())
            canvas.mask(object.mask, kTrue);
    for (const ShownObject* object : found)
        if (!object->mask.empty())
            canvas.mask(object->mask, kFound);
    for (const ShownObject& object : picture.truth)
        canvas.frame(object.box, kTrue, object.ignored);
    for (const ShownObject* object : found)
        canvas.frame(object->box, kFound, false);
    for (const ShownObject& object : picture.truth)
        canvas.label(object.box, name(object), kTrue, false);
    for (const ShownObject* object : found) {
        char score[16];
        std::snprintf(score, sizeof score, " %.2f", object->score);
        canvas.label(object->box, name(*object) + score, kFound, true);
    }
    return canvas.take();
}

} // namespace scalebench::detection
