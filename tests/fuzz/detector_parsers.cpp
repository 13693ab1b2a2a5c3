// SPDX-License-Identifier: GPL-3.0-or-later
// What detectors read beside annotations: weights, masks that are pictures, pictures of a run.
#include "engine/core/checkpoint.h"
#include "engine/data/image.h"
#include "engine/detection/index_masks.h"
#include "engine/detection/shown_pictures.h"
#include "engine/nn/weights_file.h"
#include "parsers.h"
#include "promises.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace scalebench::fuzz {

namespace {

using namespace Qt::Literals::StringLiterals;

std::span<const uint8_t> bytesOf(const QByteArray& input)
{
    return {reinterpret_cast<const uint8_t*>(input.constData()), size_t(input.size())};
}

/// A safetensors file or a checkpoint.
void weights(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath(u"x"_s);
    writeTo(path, input);
    refusesInOneSentence([&] {
        const auto file = openWeights(path.toStdString());
        for (size_t i = 0; i < file->entries().size(); ++i) {
            uint64_t count = 1;
            for (const int64_t edge : file->entries()[i].shape)
                count *= uint64_t(edge);
            refusesInOneSentence([&] {
                const std::vector<float> values = file->read(i);
                holds(values.size() == count, "as many values as the shape has");
                holds(values.size() <= size_t(input.size()), "no more than there are");
                holds(std::ranges::all_of(values, [](float v) { return std::isfinite(v); }),
                      "numbers");
            });
        }
    });
}

void indexMask(const QByteArray& input)
{
    const data::ImageSize size = data::peekImageSize(bytesOf(input));
    if (int64_t(size.width) * size.height > 4'000'000)
        return; // allowed, but slow here
    refusesInOneSentence([&] {
        const data::IndexImage image = data::decodeIndices(bytesOf(input), "x");
        holds(image.ids.size() == size_t(image.width) * size_t(image.height), "pixels");
        int64_t covered = 0;
        for (const detection::IndexMask& one : detection::masksOf(image)) {
            int64_t pixels = 0;
            for (const uint32_t run : one.mask.runs)
                pixels += run;
            holds(pixels == int64_t(image.ids.size()), "a whole mask");
            holds(one.id > 0, "not of nothing");
            covered += detection::maskArea(one.mask);
        }
        const auto objects = std::ranges::count_if(image.ids, [](uint16_t id) { return id != 0; });
        holds(covered == int64_t(objects), "every pixel in one mask");
    });
}

void shownPictures(const QByteArray& input)
{
    const std::string_view text(input.constData(), size_t(input.size()));
    refusesInOneSentence([&] {
        const detection::ShownPictures shown = detection::parseShown(text, "x");
        holds(shown.pictures.size() <= size_t(detection::kMostShown), "few");
        for (const detection::ShownPicture& picture : shown.pictures)
            for (const auto* objects : {&picture.found, &picture.truth})
                for (const detection::ShownObject& object : *objects) {
                    holds(object.category >= 0 && size_t(object.category) < shown.categories.size(),
                          "a category");
                    holds(std::isfinite(object.box.x) && object.box.width >= 0, "a box");
                    holds(object.mask.empty() || (object.mask.width == picture.width &&
                                                  object.mask.height == picture.height),
                          "the picture's size");
                }
    });
}

} // namespace

const QList<NamedParser>& detectorParsers()
{
    static const QList<NamedParser> kAll{
        {"weights", weights}, {"index_mask", indexMask}, {"shown_pictures", shownPictures}};
    return kAll;
}

} // namespace scalebench::fuzz
