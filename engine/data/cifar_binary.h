// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CIFAR-10 binary files (https://www.cs.toronto.edu/~kriz/cifar.html): records of a label byte and
// 1024 red, green and blue bytes.

#include "engine/data/open_dataset.h"

namespace scalebench::data {

bool isCifarTrain(const std::string& name); ///< data_batch*.bin
bool isCifarTest(const std::string& name);  ///< test_batch*.bin

struct CifarFiles {
    std::vector<StoredFile> train;
    std::vector<StoredFile> test;
};

/// InvalidArgument (`data_empty`) where either is missing.
CifarFiles sortCifar(const std::string& path, const std::vector<StoredFile>& files);
/// Records in files; InvalidArgument (`data_damaged`) for a part of one.
int64_t countCifar(const std::vector<StoredFile>& files);
/// A sentence on the first file that the numbers of the others tell of; empty: none is missing.
std::string remarkOnGap(const std::vector<StoredFile>& train);
/// From batches.meta.txt, or the ten that everybody knows.
std::vector<std::string> cifarClassNames(const std::vector<StoredFile>& files);
DatasetPair openCifar(const std::string& path, const std::vector<StoredFile>& files);

} // namespace scalebench::data
