// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds out what kind of picture set lies at a path and opens its training and evaluation parts.
//
// Understood: CIFAR-10 binary files (data_batch_*.bin, test_batch.bin) and class folders of JPEG
// or PNG (train|training/<class>/..., val|validation|test/<class>/..., any folders above), each
// loose or inside a tar, compressed or not; a folder that holds just one tar stands for it.

#include "engine/data/dataset.h"

#include <functional>
#include <memory>
#include <string>

namespace scalebench::data {

struct OpenOptions {
    int imageSize = 32;    ///< small pictures of another size are resized to this on loading
    int decodeThreads = 1; ///< threads used while opening
    /// Called from the opening thread about every 100 ms; may be empty.
    std::function<void(int64_t done, int64_t total)> progress;
};

/// Sets whose pictures are all at most this wide and high are decoded into memory.
inline constexpr int kSmallImageEdge = 64;

/// What lies at a path, without its pictures.
struct DatasetSummary {
    std::string format; ///< "CIFAR-10 binary" or "class folders"
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    int classes = 0;
};

struct DatasetPair {
    std::unique_ptr<ImageDataset> train;
    std::unique_ptr<ImageDataset> eval;
    std::string format;    ///< "CIFAR-10 binary" or "class folders"
    int64_t bytesRead = 0; ///< from storage while opening
};

/// Both look at the set at `path`; the second opens it. Where both a validation and a test part
/// exist, validation is used. Throws InvalidArgument: `data_missing`, `data_empty` (says what was
/// looked for and found), `data_damaged` (file, tar member, byte or record). openImageDatasets()
/// may still find damage later, since nothing is decoded here.
DatasetSummary summarizeImageDatasets(const std::string& path);
DatasetPair openImageDatasets(const std::string& path, const OpenOptions& options);

} // namespace scalebench::data
