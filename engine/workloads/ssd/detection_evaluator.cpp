// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ssd/detection_evaluator.h"

#include "engine/autograd/tape.h"
#include "engine/models/ssd/ssd.h"
#include "kernels/boxes.h"
#include "kernels/softmax.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace scalebench::workloads {
namespace {

using detection::Detection;

/// A detection without mask as it travels between workers.
struct Found {
    int32_t picture = 0, category = 0;
    double score = 0;
    detection::Box box;
};

/// Boxes of one category that survive suppression, with their scores.
struct Kept {
    std::vector<float> boxes, scores;
};

Kept suppress(std::vector<std::pair<float, size_t>>& candidates, std::span<const float> corners,
              const DecodeOptions& options)
{
    std::ranges::sort(candidates, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    candidates.resize(std::min(candidates.size(), size_t(options.candidates)));
    std::vector<float> boxes, scores;
    for (const auto& [score, a] : candidates) {
        boxes.insert(boxes.end(), corners.begin() + std::ptrdiff_t(4 * a),
                     corners.begin() + std::ptrdiff_t(4 * a + 4));
        scores.push_back(score);
    }
    const auto n = int64_t(scores.size());
    std::vector<uint8_t> scratch(kernels::cpu::nmsScratch(n));
    std::vector<int32_t> keep(scores.size());
    const int64_t kept = kernels::cpu::nms({float(options.nmsOverlap), -1}, n, boxes.data(),
                                           scores.data(), nullptr, keep.data(), scratch.data());
    Kept out;
    for (const int32_t i : std::span(keep).first(size_t(kept))) {
        out.scores.push_back(scores[size_t(i)]);
        out.boxes.insert(out.boxes.end(), boxes.begin() + 4 * i, boxes.begin() + 4 * i + 4);
    }
    return out;
}

} // namespace

std::vector<Detection> decodeDetections(std::span<const float> logits,
                                        std::span<const float> deltas,
                                        std::span<const float> defaults, int width, int height,
                                        const DecodeOptions& options)
{
    const size_t anchors = defaults.size() / 4, classes = logits.size() / anchors;
    std::vector<float> scores(logits.size());
    kernels::cpu::softmaxForward(DType::F32, int64_t(anchors), int64_t(classes), logits.data(),
                                 scores.data());
    std::vector<float> corners(defaults.size());
    constexpr BoxCodingParams kCoding{{10, 10, 5, 5}, std::numeric_limits<float>::infinity()};
    kernels::cpu::boxDecode(kCoding, int64_t(anchors), 1, defaults.data(), deltas.data(),
                            corners.data());
    kernels::cpu::clipBoxes(int64_t(anchors), 1.0f, 1.0f, corners.data());
    std::vector<Detection> found;
    for (size_t category = 1; category < classes; ++category) {
        std::vector<std::pair<float, size_t>> candidates;
        for (size_t a = 0; a < anchors; ++a)
            if (const float score = scores[a * classes + category];
                score > float(options.scoreThreshold))
                candidates.emplace_back(score, a);
        const Kept kept = suppress(candidates, corners, options);
        for (size_t i = 0; i < kept.scores.size(); ++i) {
            const float* b = &kept.boxes[4 * i];
            found.push_back({0,
                             int32_t(category) - 1,
                             double(kept.scores[i]),
                             {double(b[0]) * width, double(b[1]) * height,
                              double(b[2] - b[0]) * width, double(b[3] - b[1]) * height},
                             {}});
        }
    }
    std::ranges::stable_sort(found, std::greater{}, &Detection::score);
    found.resize(std::min(found.size(), size_t(options.detections)));
    return found;
}

void DetectionEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    auto& ssd = dynamic_cast<Ssd&>(network);
    const Ssd::Output out = ssd.forward(tape, backend.upload(batch.tensors.at(0)), false);
    ElementwiseOps& ops = backend.elementwise();
    const Tensor logits = backend.download(ops.cast(out.logits.value(), DType::F32));
    const Tensor deltas = backend.download(ops.cast(out.deltas.value(), DType::F32));
    const auto& pictures = std::any_cast<const std::vector<int64_t>&>(batch.notes);
    const size_t ofLogits = logits.f32().size() / size_t(batch.samples);
    const size_t ofDeltas = deltas.f32().size() / size_t(batch.samples);
    for (size_t i = 0; i < pictures.size(); ++i) {
        const detection::AnnotatedPicture& picture = truth_.pictures[size_t(pictures[i])];
        std::vector<Detection> found =
            decodeDetections(logits.f32().subspan(i * ofLogits, ofLogits),
                             deltas.f32().subspan(i * ofDeltas, ofDeltas), ssd.defaultBoxes(),
                             picture.width, picture.height, options_);
        for (Detection& detection : found) {
            detection.picture = int32_t(pictures[i]);
            found_.push_back(std::move(detection));
        }
    }
}

std::string DetectionEvaluator::partial() const
{
    std::string bytes(found_.size() * sizeof(Found), '\0');
    for (size_t i = 0; i < found_.size(); ++i) {
        const Found record{found_[i].picture, found_[i].category, found_[i].score, found_[i].box};
        std::memcpy(bytes.data() + i * sizeof record, &record, sizeof record);
    }
    return bytes;
}

Evaluation DetectionEvaluator::merge(std::span<const std::string> partials) const
{
    std::vector<Detection> all;
    for (const std::string& partial : partials)
        for (size_t at = 0; at + sizeof(Found) <= partial.size(); at += sizeof(Found)) {
            Found record;
            std::memcpy(&record, partial.data() + at, sizeof record);
            all.push_back({record.picture, record.category, record.score, record.box, {}});
        }
    const detection::CocoScores scores =
        detection::cocoScores(truth_, all, detection::Overlap::Boxes);
    // No object at all to find: nothing was found.
    return {{{"box_map", std::max(0.0, scores.ap)}, {"box_ap50", std::max(0.0, scores.ap50)}}, {}};
}

} // namespace scalebench::workloads
