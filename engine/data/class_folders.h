// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures in class folders: train/<class>/..., val|validation|test/<class>/..., any folders above.

#include "engine/data/open_dataset.h"

#include <map>
#include <string>
#include <vector>

namespace scalebench::data {

/// JPEG or PNG by its name.
bool isPicture(const std::string& name);

struct LabelledFiles {
    std::vector<StoredFile> files;
    std::vector<int> labels;
};

struct FolderLayout {
    std::vector<std::string> classNames;
    LabelledFiles train;
    LabelledFiles eval;
};

/// Whether a file lies in a class folder of any part.
bool isInClassFolder(const std::string& name);
/// ".webp" of a picture in a format that is not read; else empty.
std::string endingNotRead(const std::string& name);
/// A class whose folder is a link to nothing is not just left out: throws InvalidArgument
/// (`data_damaged`).
void refuseMissingClasses(const std::vector<DeadLink>& deadLinks);
/// "N pictures lie in no class folder ..." and "N files of other formats ...", where there are any.
std::vector<std::string> remarksOnLeftAside(const std::vector<StoredFile>& files,
                                            const std::map<std::string, int64_t>& notRead);
/// On pictures that are evaluated and trained on: of those with class, name and size in common a
/// few are compared. Empty where there are none.
std::string remarkOnShared(const FolderLayout& layout);
/// Throws InvalidArgument: `data_empty`, `data_damaged` for a class that is only evaluated.
FolderLayout sortFolders(const std::string& path, const std::vector<StoredFile>& files);
DatasetPair openFolders(const std::string& path, const std::vector<StoredFile>& files,
                        const OpenOptions& options);
/// Folders right below a training folder without a picture; only of loose trees.
std::vector<std::string> emptyClassFolders(const std::string& path,
                                           const std::vector<std::string>& classNames);

} // namespace scalebench::data
