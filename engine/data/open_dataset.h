// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds out what kind of picture set lies at a path and opens its training and evaluation parts.
//
// Understood: CIFAR-10 binary files (data_batch_*.bin, test_batch.bin) and class folders of JPEG
// or PNG (train|training/<class>/..., val|validation|test/<class>/..., any folders above), each
// loose or inside a tar, compressed or not; a folder that holds just one tar stands for it.

#include "engine/core/fingerprint.h"
#include "engine/data/dataset.h"
#include "engine/data/file_source.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::data {

struct OpenOptions {
    int imageSize = 32;
    /// Whether the run cuts other pieces out of each picture (ImagePipeline); then nothing but
    /// pictures of just imageSize is kept decoded.
    bool photoCrops = false;
    int decodeThreads = 1; ///< threads used while opening
    /// Called from the opening thread about every 100 ms; may be empty.
    std::function<void(int64_t done, int64_t total)> progress;
};

/// Sets whose pictures are all at most this wide and high are decoded into memory, as
/// centreSquare() of them where they are not square or of another size: what is kept changes how
/// fast pictures come, never their pixels.
inline constexpr int kSmallImageEdge = 64;

/// What lies at a path.
struct DatasetSummary {
    std::string format; ///< "CIFAR-10 binary" or "class folders"
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    int classes = 0;
    std::vector<std::string> emptyClasses; ///< folders below train/ without a picture
    std::vector<std::string> remarks;      ///< on what was left aside, sentences
};

struct DatasetPair {
    std::unique_ptr<ImageDataset> train;
    std::unique_ptr<ImageDataset> eval;
    int64_t bytesRead = 0; ///< from storage while opening, without what finding the files read
};

/// The files of a set. Where both a validation and a test part exist, validation is used.
class PictureFiles
{
public:
    /// Looks at what lies at `path`; of a compressed tar all is read and kept. Throws
    /// InvalidArgument: `data_missing`, `data_empty` (says what was looked for and found),
    /// `data_damaged` (file, tar member, byte or record).
    explicit PictureFiles(const std::string& path, const BytesProgress& progress = {});
    ~PictureFiles();
    PictureFiles(PictureFiles&&) noexcept;

    DatasetSummary summary() const;
    /// Of names and sizes, which say the classes of class folders, and of one CIFAR file's content.
    Fingerprint fingerprint() const;
    /// May still find damage later, since large pictures are decoded on demand.
    DatasetPair open(const OpenOptions& options) const;
    /// From storage so far.
    int64_t bytesRead() const;
    /// Reads and decodes everything; each damaged file becomes a sentence. Returns the bytes read.
    int64_t examine(int threads, const std::function<void(const std::string&)>& damaged) const;

private:
    struct Found;
    std::unique_ptr<Found> found_;
};

/// PictureFiles(path).open(options).
DatasetPair openImageDatasets(const std::string& path, const OpenOptions& options);

} // namespace scalebench::data
