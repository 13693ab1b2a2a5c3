// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/pictures_command.h"

#include "engine/core/file_content.h"
#include "engine/data/class_folders.h"
#include "engine/data/png_writer.h"
#include "engine/detection/draw_pictures.h"
#include "engine/detection/open_annotated.h"
#include "engine/report/result_file.h"
#include "engine/train/agreement.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/detection/detection_recipe.h"
#include "kernels/check.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>

namespace scalebench::cli {
namespace {

namespace fs = std::filesystem;
using detection::ShownPicture;
using detection::ShownPictures;

struct PicturesOptions {
    std::string folder, out;
};

constexpr uintmax_t kMostNotes = 16 << 20;
constexpr int64_t kMostPicture = 256 << 20;

ShownPictures shownIn(const std::string& folder)
{
    const std::string path = folder + "/pictures.json";
    std::error_code failed;
    if (!fs::exists(path, failed))
        throw InvalidArgument("the run in " + folder +
                                  " has no pictures: only runs of detectors leave some, after "
                                  "their first evaluation",
                              "pictures");
    if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) > kMostNotes)
        throw InvalidArgument(path + " is not an ordinary file of some MiB at most", "pictures");
    return detection::parseShown(contentOf(path), path);
}

/// The files of the data set that the pictures lie in, in their order.
std::vector<data::StoredFile> filesOf(const RunConfig& config, const ShownPictures& shown)
{
    std::set<std::string> names;
    for (const ShownPicture& picture : shown.pictures)
        names.insert(picture.file);
    std::error_code failed;
    if (!fs::exists(config.data.path, failed))
        throw InvalidArgument("the pictures of the run cannot be drawn: its data set " +
                                  config.data.path + " is not on this computer",
                              "data_missing");
    const std::vector<data::StoredFile> files =
        detection::annotatedFiles(config.data.path, [&](const std::string& name) {
            return names.contains(name) && data::isPicture(name);
        }).files;
    std::vector<data::StoredFile> ordered;
    for (const ShownPicture& picture : shown.pictures) {
        const auto file = std::ranges::find(files, picture.file, &data::StoredFile::name);
        if (file == files.end())
            throw InvalidArgument("the data set " + config.data.path +
                                      " no longer holds the picture " + picture.file +
                                      ": its files were changed after the run. Put the data set "
                                      "back as it was, or train anew",
                                  "data_missing");
        if (file->size > kMostPicture)
            throw InvalidArgument(file->describe() + " is too large for a picture", "data_damaged");
        ordered.push_back(*file);
    }
    return ordered;
}

std::vector<data::Image> imagesFromFiles(const RunConfig& config, const ShownPictures& shown)
{
    std::vector<data::Image> images;
    const std::vector<data::StoredFile> files = filesOf(config, shown);
    for (size_t i = 0; i < files.size(); ++i) {
        detection::AnnotatedPicture stored;
        stored.width = shown.pictures[i].width;
        stored.height = shown.pictures[i].height;
        stored.file = files[i];
        images.push_back(detection::decodePicture(stored));
    }
    return images;
}

bool isSameObject(const detection::ShownObject& shown, const detection::AnnotatedObject& object)
{
    const auto near = [](double a, double b) { return std::abs(a - b) < 0.5; };
    return shown.category == object.category && near(shown.box.x, object.box.x) &&
           near(shown.box.y, object.box.y) && near(shown.box.width, object.box.width) &&
           near(shown.box.height, object.box.height);
}

/// Generated pictures are drawn again: the set may have been removed, or lie on another computer.
std::vector<data::Image> imagesDrawnAnew(const detection::ScenesSpec& scenes,
                                         const ShownPictures& shown)
{
    std::vector<data::Image> images;
    for (const ShownPicture& picture : shown.pictures) {
        std::optional<detection::Scene> scene = detection::drawSceneOf(scenes, picture.file);
        if (!scene || picture.truth.size() > scene->objects.size() ||
            !std::ranges::equal(
                picture.truth, std::span(scene->objects).first(picture.truth.size()), isSameObject))
            throw InvalidArgument("the picture " + picture.file +
                                      " cannot be drawn: the run was trained on other generated "
                                      "pictures than its run.json leads to in this version of "
                                      "Scalebench. Train anew to see some",
                                  "data_missing");
        images.push_back(std::move(scene->image));
    }
    return images;
}

std::vector<data::Image> imagesOf(const RunConfig& config, const ShownPictures& shown)
{
    const auto* const recipe = dynamic_cast<const workloads::DetectionRecipe*>(config.recipe.get());
    return recipe != nullptr && config.data.source == DataSource::Generated
               ? imagesDrawnAnew(recipe->scenes, shown)
               : imagesFromFiles(config, shown);
}

std::string caption(const ShownPicture& picture)
{
    const auto drawn = std::ranges::count_if(picture.found, [](const detection::ShownObject& o) {
        return o.score >= detection::kDrawnScore;
    });
    std::ostringstream text;
    text << picture.file << ": " << picture.truth.size()
         << (picture.truth.size() == 1 ? " object, " : " objects, ") << drawn
         << " found with a score of " << detection::kDrawnScore << " or more";
    return text.str();
}

void draw(const PicturesOptions& options)
{
    const ShownPictures shown = shownIn(options.folder);
    const RunConfig config = train::loadRunConfig(options.folder);
    const std::vector<data::Image> images = imagesOf(config, shown);
    std::error_code failed;
    fs::create_directories(options.out, failed);
    for (size_t i = 0; i < images.size(); ++i) {
        const ShownPicture& picture = shown.pictures[i];
        const data::Image drawn = detection::drawPicture(images[i], picture, shown.categories);
        const std::vector<uint8_t> png = data::encodePng(drawn);
        const std::string name = "picture_" + std::to_string(i + 1) + ".png";
        report::replaceFile(options.out + "/" + name, std::string(png.begin(), png.end()));
        std::printf("%s\t%s\n", name.c_str(), caption(picture).c_str());
    }
    if (shown.masksLeftOut > 0)
        std::printf("\t%lld masks were too large to be kept\n",
                    static_cast<long long>(shown.masksLeftOut));
}

int picturesCommand(const PicturesOptions& options)
{
    try {
        draw(options);
        return 0;
    } catch (const Error& e) {
        std::fprintf(stderr, "scalebench-engine: %s\n", e.what());
        return train::exitCodeOf(e.code());
    }
}

} // namespace

std::function<int()> addPicturesCommand(CLI::App& app)
{
    const auto options = std::make_shared<PicturesOptions>();
    CLI::App* command = app.add_subcommand(
        "pictures", "Draw evaluation pictures of a run with what was found in them");
    command->add_option("folder", options->folder, "The run's folder")
        ->required()
        ->type_name("FOLDER");
    command->add_option("--out", options->out, "Where picture_1.png and the others go")
        ->required()
        ->type_name("DIR");
    return [options] { return picturesCommand(*options); };
}

} // namespace scalebench::cli
