// SPDX-License-Identifier: GPL-3.0-or-later
// What detectors cost: a training step of RetinaNet or Mask R-CNN, suppression and matching of
// boxes, COCO's evaluation. One JSON line each; the engine's half of pytorch/compare_detection.py.

#include "engine/backend/backend.h"
#include "engine/core/thread_count.h"
#include "engine/data/hash_random.h"
#include "engine/detection/coco_json.h"
#include "engine/detection/coco_metric.h"
#include "engine/device/cuda_loader.h"
#include "engine/models/maskrcnn/maskrcnn.h"
#include "engine/models/retinanet/retina_targets.h"
#include "engine/models/retinanet/retinanet.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <any>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace scalebench;
using Json = nlohmann::ordered_json;

namespace {

struct Options {
    std::string what, folder, network = "retinanet_resnet50", precision = "fp32", device = "cpu";
    int64_t batch = 2;
    int edge = 320, objects = 8, threads = 1, warmup = 1, steps = 4;
};

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    const size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// Median milliseconds of `body`.
double timed(int warmup, int steps, const std::function<void()>& body)
{
    std::vector<double> ms;
    for (int i = -warmup; i < steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        body();
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        if (i >= 0)
            ms.push_back(took.count());
    }
    return median(ms);
}

/// Pictures of noise with `objects` squares each, the same ones that compare_detection.py makes.
std::vector<detection::AnnotatedPicture> pictures(const Options& o)
{
    std::vector<detection::AnnotatedPicture> all(static_cast<size_t>(o.batch));
    for (detection::AnnotatedPicture& picture : all) {
        picture.width = picture.height = o.edge;
        for (int i = 0; i < o.objects; ++i) {
            detection::AnnotatedObject object;
            object.category = i;
            const double size = o.edge * (0.1 + 0.05 * i), at = o.edge * 0.05 * i;
            object.box = {at, at, size, size};
            const double outline[] = {at, at, at + size, at, at + size, at + size, at, at + size};
            object.mask = detection::fillPolygon(outline, o.edge, o.edge);
            picture.objects.push_back(std::move(object));
        }
    }
    return all;
}

Batch batchOf(const Options& o, const std::vector<detection::AnnotatedPicture>& all,
              Allocator& memory)
{
    Batch batch;
    batch.samples = o.batch;
    batch.tensors = {Tensor::empty({o.batch, o.edge, o.edge, 3}, DType::F32, memory)};
    data::HashRandom random({15});
    for (float& value : batch.tensors[0].f32())
        value = float(random.uniform(-1, 1));
    std::vector<PictureNote> notes;
    for (const detection::AnnotatedPicture& picture : all) {
        PictureNote note;
        note.picture = int64_t(notes.size());
        note.width = note.height = o.edge;
        note.stored = &picture;
        note.randomKey = uint64_t(notes.size());
        for (size_t i = 0; i < picture.objects.size(); ++i) {
            const detection::Box& b = picture.objects[i].box;
            for (const double edge : {b.x, b.y, b.x + b.width, b.y + b.height})
                note.corners.push_back(float(edge));
            note.categories.push_back(picture.objects[i].category);
            note.objects.push_back(int32_t(i));
        }
        notes.push_back(std::move(note));
    }
    batch.notes = std::move(notes);
    return batch;
}

std::unique_ptr<Network> makeNetwork(const Options& o, Backend& backend, Allocator& host,
                                     Batch& batch)
{
    const Precision precision = parsePrecision(o.precision);
    if (o.network.starts_with("maskrcnn"))
        return std::make_unique<MaskRcnn>(MaskRcnnConfig::byName(o.network, 80), backend, precision,
                                          1);
    const RetinaNetConfig config = RetinaNetConfig::byName(o.network, 80);
    retinaTargets(config.anchors, detection::makeAnchors(config.anchors, o.edge, o.edge), o.edge,
                  o.edge, std::any_cast<const std::vector<PictureNote>&>(batch.notes), host, batch);
    return std::make_unique<RetinaNet>(config, backend, precision, 1);
}

Json train(const Options& o)
{
    const bool cuda = o.device == "cuda";
    const auto backend = cuda ? device::cudaPlugin().makeBackend(0, true) : makeCpuBackend();
    backend->setShapesRepeat(true);
    const std::vector<detection::AnnotatedPicture> all = pictures(o);
    CachingAllocator host;
    Batch batch = batchOf(o, all, host);
    const std::unique_ptr<Network> network = makeNetwork(o, *backend, host, batch);
    if (cuda) {
        network->parameters().moveTo(*backend);
        for (Tensor& t : batch.tensors) // they lie there already, as torchvision's do
            t = backend->upload(t);
    }
    OptimizerConfig config;
    config.kind = OptimizerKind::Sgd;
    config.weightDecay = 1e-4;
    const auto optimizer = makeOptimizer(*backend, network->parameters(), config);
    Tape tape(*backend);
    LossParams loss;
    loss.scale = 1.0f / float(o.batch);
    double value = 0;
    const double ms = timed(o.warmup, o.steps, [&] {
        const LossResult result = network->loss(tape, batch, loss, true);
        tape.backward(result.loss);
        optimizer->step(1e-3);
        value = result.sums.get().lossSum * double(loss.scale); // waits for the device
    });
    return {{"network", o.network},
            {"parameters", network->parameters().trainableCount()},
            {"samplesPerSecond", double(o.batch) * 1e3 / ms},
            {"loss", value}};
}

template <typename T>
std::vector<T> numbers(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    SB_REQUIRE(!bytes.empty(), path + " is missing or empty");
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

Tensor boxesIn(const std::string& path, std::vector<float>& values)
{
    values = numbers<float>(path);
    return Tensor::view(values.data(), {int64_t(values.size() / 4), 4}, DType::F32);
}

/// Files of compare_detection.py; the boxes that stay and the matches go beside them.
Json boxes(const Options& o)
{
    const auto backend = makeCpuBackend();
    DetectionOps& ops = backend->detection();
    std::vector<float> b, a, t;
    const Tensor found = boxesIn(o.folder + "/boxes.f32", b);
    const Tensor anchors = boxesIn(o.folder + "/anchors.f32", a);
    const Tensor truth = boxesIn(o.folder + "/truth.f32", t);
    std::vector<float> s = numbers<float>(o.folder + "/scores.f32");
    std::vector<int32_t> g = numbers<int32_t>(o.folder + "/groups.i32");
    const Tensor scores = Tensor::view(s.data(), {int64_t(s.size())}, DType::F32);
    const Tensor groups = Tensor::view(g.data(), {int64_t(g.size())}, DType::I32);
    Tensor kept, match;
    Json line;
    line["nmsMs"] = timed(o.warmup, o.steps, [&] {
        kept = ops.nms({.threshold = 0.5f, .maxKept = -1}, found, scores, Tensor());
    });
    std::ofstream(o.folder + "/kept.i32", std::ios::binary)
        .write(reinterpret_cast<const char*>(kept.data()),
               std::streamsize(kept.i32().size_bytes()));
    line["groupedNmsMs"] = timed(o.warmup, o.steps, [&] {
        kept = ops.nms({.threshold = 0.5f, .maxKept = -1}, found, scores, groups);
    });
    line["matchMs"] =
        timed(o.warmup, o.steps, [&] { match = ops.matchBoxes(MatchParams{}, truth, anchors); });
    std::ofstream(o.folder + "/match.i32", std::ios::binary)
        .write(reinterpret_cast<const char*>(match.data()),
               std::streamsize(match.i32().size_bytes()));
    return line;
}

/// truth.json and found.json, COCO's two formats.
Json coco(const Options& o)
{
    const std::vector<uint8_t> bytes = numbers<uint8_t>(o.folder + "/truth.json");
    const detection::AnnotatedSet truth = detection::parseCoco(bytes, "truth.json", true);
    std::ifstream in(o.folder + "/found.json");
    std::vector<detection::Detection> found;
    for (const auto& json : nlohmann::json::parse(in)) {
        const auto& box = json["bbox"];
        const int picture = json["image_id"].get<int>() - 1; // ids count from 1 there
        const detection::AnnotatedPicture& of = truth.pictures.at(size_t(picture));
        found.push_back({picture,
                         json["category_id"].get<int>() - 1,
                         json["score"].get<double>(),
                         {box[0], box[1], box[2], box[3]},
                         detection::parseRuns(json["segmentation"]["counts"].get<std::string>(),
                                              of.width, of.height)});
    }
    Json line;
    detection::CocoScores boxScores, maskScores;
    line["boxMs"] = timed(o.warmup, o.steps, [&] {
        boxScores = detection::cocoScores(truth, found, detection::Overlap::Boxes);
    });
    line["maskMs"] = timed(o.warmup, o.steps, [&] {
        maskScores = detection::cocoScores(truth, found, detection::Overlap::Masks);
    });
    line["boxAp"] = boxScores.ap;
    line["maskAp"] = maskScores.ap;
    return line;
}

Json measure(const Options& o)
{
    setComputeThreads(o.threads);
    return o.what == "train" ? train(o) : o.what == "boxes" ? boxes(o) : coco(o);
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Times of what detectors do"};
    Options o;
    app.add_option("what", o.what, "train, boxes or coco")
        ->required()
        ->check(CLI::IsMember({"train", "boxes", "coco"}));
    app.add_option("--folder", o.folder, "boxes, coco: files of compare_detection.py");
    app.add_option("--network", o.network);
    app.add_option("--precision", o.precision);
    app.add_option("--device", o.device, "train: cpu or cuda")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    app.add_option("--batch", o.batch)->check(CLI::PositiveNumber);
    app.add_option("--edge", o.edge, "Pixels of the square pictures, a multiple of 32");
    app.add_option("--threads", o.threads)->check(CLI::PositiveNumber);
    app.add_option("--warmup", o.warmup)->check(CLI::NonNegativeNumber);
    app.add_option("--steps", o.steps)->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    try {
        std::printf("%s\n", measure(o).dump().c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_detection: %s\n", e.what());
        return 1;
    }
    return 0;
}
