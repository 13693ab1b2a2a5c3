// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What workloads on annotated pictures share: the data, in whatever format or generated, what is
// said of it, and COCO's metric. A detector adds its network and its batches.

#include "engine/detection/open_annotated.h"
#include "engine/workloads/detection/detection_recipe.h"
#include "engine/workloads/device_input.h"

#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

class DetectionWorkload : public Workload, public PictureInput, public WarmUpInput
{
public:
    bool measureReadsData() const override { return true; }
    void leavePicturesRaw() override { raw_ = true; }
    void prepareNode(int threads, const LoadProgress& progress) override;
    DataSizes measure() override;
    Fingerprint fingerprint() const override;
    int64_t bytesRead() const override { return parts_.train.bytesRead + parts_.eval.bytesRead; }
    int64_t examine(int threads, const std::function<void(const std::string&)>& damaged) override;
    void tellProblems(const std::function<void(const std::string&)>& problem) override
    {
        problem_ = problem;
    }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override;
    std::vector<std::string> remarks() const override;
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override;

protected:
    /// Both outlive this. `masks`: objects need them, and they are measured too.
    DetectionWorkload(const RunConfig& config, const DetectionRecipe& recipe, bool masks)
        : config_(config), recipe_(recipe), masks_(masks)
    {
    }
    /// Pictures as PictureBatches makes them, grouped by shape; for open().
    void openPictures(const OpenContext& context, const PictureBatches::Options& options,
                      const PictureBatches::AddTargets& addTargets);

    /// COCO's, while the data's are not known.
    static constexpr int kStandInCategories = 80;
    /// Of pictures that are not there.
    Batch standInPictures(int64_t samples, const PictureBatches::Options& options,
                          const PictureBatches::AddTargets& addTargets, Allocator& memory);

    /// Fills the backbone of the network with the recipe's weights, if it names some; for
    /// makeNetwork(). `prefix`: of the backbone's names. InvalidArgument (`weights`).
    void readWeights(Network& network, const std::string& prefix);

    const RunConfig& config() const { return config_; }
    int categories() const { return int(parts_.train.categories.size()); }
    const detection::AnnotatedParts& parts() const { return parts_; }
    /// Pictures to train on, indices of parts().train.
    const std::vector<int64_t>& trained() const { return train_; }
    bool leavesPicturesRaw() const { return raw_; }
    /// False for synthetic data: there are no pictures to decode.
    bool decodes() const { return config_.data.source != DataSource::Synthetic; }

    std::unique_ptr<data::BatchSource> training_, evaluation_; ///< set by open()

private:
    const RunConfig& config_;
    const DetectionRecipe& recipe_;
    bool masks_;
    bool raw_ = false;                             ///< a device makes the rest of the pictures
    std::unique_ptr<data::GeneratedSetLock> lock_; ///< pictures are read while the run goes on
    detection::ProblemSink problem_;               ///< of a check
    detection::AnnotatedParts parts_;
    detection::AnnotatedSet standIns_; ///< of the last standInPictures()
    std::vector<int64_t> train_;
    std::string weights_; ///< what was taken from the recipe's file
    std::unique_ptr<PictureBatches> trainPictures_, evalPictures_;
};

} // namespace scalebench::workloads
