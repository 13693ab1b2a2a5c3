// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/maskrcnn.h"

#include "engine/backend/backend.h"
#include "engine/models/maskrcnn/roi_samples.h"
#include "kernels/check.h"

#include <any>
#include <cstddef>
#include <utility>

namespace scalebench {
namespace {

void requireImages(const std::string& name, const Tensor& images, std::size_t notes)
{
    SB_REQUIRE(images.shape().size() == 4 && images.dim(3) == 3,
               name + ": images must be [N,H,W,3], not " + images.describe());
    SB_REQUIRE(notes <= std::size_t(images.dim(0)),
               name + ": " + std::to_string(notes) + " notes for images " + images.describe());
}

void requireCategories(const std::string& name, const PictureNote& note, int categories)
{
    SB_REQUIRE(note.corners.size() == 4 * note.categories.size() &&
                   note.objects.size() == note.categories.size(),
               name + ": a picture's boxes, categories and objects are not as many");
    for (const std::int32_t category : note.categories)
        SB_REQUIRE(category >= 0 && category < categories, name + ": category " +
                                                               std::to_string(category) + " of " +
                                                               std::to_string(categories));
}

/// Regions that nobody asks about, up to a multiple of this: how many regions there are changes
/// from step to step, and every number of them is a shape that plans are made for. Never none at
/// all, so that every parameter gets its gradient.
constexpr std::int64_t kTogether = 8;

Regions filledUp(Regions regions)
{
    constexpr float kSome[4] = {0, 0, 1, 1};
    while (regions.count() == 0 || regions.count() % kTogether != 0)
        regions.add(0, kSome, 1);
    return regions;
}

} // namespace

struct MaskRcnn::Impl {
    MaskRcnnConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    StatReducer reducer;
    Backbone backbone;
    FeaturePyramid pyramid;
    RegionProposals proposals;
    BoxHead box;
    MaskHead mask;

    Impl(const MaskRcnnConfig& c, Backend& b, Precision requested)
        : config(c),
          precision(b.computePrecision(requested)),
          backbone(parameters, c.backbone, "backbone."),
          pyramid(parameters, "fpn", backbone.channels(), c.channels,
                  FeaturePyramid::Further::Pool),
          proposals(parameters, "rpn", c.channels, c.proposals),
          box(parameters, "box", c.channels, c.categories + 1, c.box),
          mask(parameters, "mask", c.channels, c.categories + 1, c.mask)
    {
    }

    void initialise(std::uint64_t seed)
    {
        backbone.initialise(parameters, seed);
        pyramid.initialise(parameters, seed);
        proposals.initialise(parameters, seed);
        box.initialise(parameters, seed);
        mask.initialise(parameters, seed);
    }

    std::vector<Variable> levels(Tape& tape, const Tensor& images, bool training) const
    {
        const Variable x(tape.backend().elementwise().cast(images, precision.activationType()));
        return pyramid(tape, parameters, backbone(tape, parameters, x, training, reducer));
    }

    RegionProposals::Output propose(Tape& tape, const std::vector<Variable>& maps,
                                    const Tensor& images) const
    {
        return proposals(tape, parameters, maps, int(images.dim(1)), int(images.dim(2)));
    }

    BoxHead::Output lookAt(Tape& tape, const std::vector<Variable>& maps,
                           const Regions& regions) const
    {
        return box(tape, parameters,
                   regionFeatures(tape, config.levels, maps, regions, box.edge()));
    }

    Variable draw(Tape& tape, const std::vector<Variable>& maps, const Regions& regions) const
    {
        return mask(tape, parameters,
                    regionFeatures(tape, config.levels, maps, regions, mask.edge()));
    }

    /// Masks of what was found, in place.
    void drawFound(Tape& tape, const std::vector<Variable>& maps,
                   std::vector<std::vector<FoundObject>>& found) const
    {
        Regions regions;
        std::vector<std::int32_t> categories;
        std::vector<FoundObject*> objects;
        for (std::size_t i = 0; i < found.size(); ++i)
            for (FoundObject& object : found[i]) {
                regions.add(std::int32_t(i), &object.x1, 1);
                categories.push_back(object.category);
                objects.push_back(&object);
            }
        if (objects.empty())
            return;
        const std::vector<float> all =
            mask.probabilities(tape.backend(), draw(tape, maps, filledUp(regions)), categories);
        const auto pixels = std::ptrdiff_t(all.size() / objects.size());
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const auto begin = all.begin() + std::ptrdiff_t(i) * pixels;
            objects[i]->mask.assign(begin, begin + pixels);
        }
    }
};

MaskRcnn::MaskRcnn(const MaskRcnnConfig& config, Backend& backend, Precision requested,
                   std::uint64_t seed, const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    impl_->parameters.build(gradientArena);
    impl_->initialise(seed);
    impl_->parameters.markValuesChanged();
}

MaskRcnn::~MaskRcnn() = default;

LossResult MaskRcnn::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    const Impl& m = *impl_;
    const auto& notes = std::any_cast<const std::vector<PictureNote>&>(batch.notes);
    const Tensor images = tape.backend().upload(batch.tensors.at(0));
    requireImages(m.config.name, images, notes.size());
    const std::vector<Variable> maps = m.levels(tape, images, training);
    const RegionProposals::Output proposed = m.propose(tape, maps, images);

    Regions regions, positive;
    std::vector<RoiSample> samples;
    const auto boxes =
        m.proposals.propose(tape.backend(), proposed, notes, m.config.proposals.training);
    for (std::size_t i = 0; i < notes.size(); ++i) {
        requireCategories(m.config.name, notes[i], m.config.categories);
        const RoiSample& sample =
            samples.emplace_back(sampleRegions(notes[i], boxes[i], m.config.samples));
        regions.add(std::int32_t(i), sample.boxes.data(), sample.count());
        positive.add(std::int32_t(i), sample.boxes.data(), sample.positives());
    }

    LossTotal losses(tape);
    m.proposals.addLoss(losses, tape, proposed, notes, params.scale);
    m.box.addLoss(losses, tape, m.lookAt(tape, maps, filledUp(regions)), samples, params.scale);
    m.mask.addLoss(losses, tape, m.draw(tape, maps, filledUp(positive)), samples, notes,
                   params.scale);
    return losses.result();
}

std::vector<std::vector<FoundObject>> MaskRcnn::detect(Backend& backend, const Tensor& images,
                                                       const std::vector<PictureNote>& notes,
                                                       const DetectOptions& options)
{
    const Impl& m = *impl_;
    requireImages(m.config.name, images, notes.size());
    Tape tape(backend, Tape::Mode::Inference);
    const Tensor here = backend.upload(images);
    const std::vector<Variable> maps = m.levels(tape, here, false);
    const auto boxes = m.proposals.propose(backend, m.propose(tape, maps, here), notes,
                                           m.config.proposals.evaluation);
    Regions regions;
    for (std::size_t i = 0; i < notes.size(); ++i)
        regions.add(std::int32_t(i), boxes[i].data(), std::int64_t(boxes[i].size() / 4));
    if (regions.count() == 0)
        return std::vector<std::vector<FoundObject>>(notes.size());
    std::vector<std::vector<FoundObject>> found =
        m.box.find(backend, m.lookAt(tape, maps, filledUp(regions)), regions, notes, options);
    m.drawFound(tape, maps, found);
    return found;
}

ParameterSet& MaskRcnn::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& MaskRcnn::precision() const noexcept
{
    return impl_->precision;
}
void MaskRcnn::setStatReducer(StatReducer reducer)
{
    impl_->reducer = std::move(reducer);
}
const MaskRcnnConfig& MaskRcnn::config() const noexcept
{
    return impl_->config;
}

} // namespace scalebench
