// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the members of a tar are once all have been seen: later ones of a name replace earlier ones,
// and links stand for files and folders.

#include "engine/data/file_source.h"

namespace scalebench::data {

constexpr size_t kMostMembers = 50'000'000; ///< ImageNet-21k has 14 million

/// A hard or symbolic link in a tar.
struct TarLink {
    std::string name;
    std::string target; ///< from the root of the tar
    size_t before = 0;  ///< how many files came before it
    bool hard = false;
};

/// Keeps of each name the last member, as unpacking does, and sorts files and links by name.
/// Returns how many were dropped; `first` becomes the name of one of them.
int64_t keepLastOfEachName(std::vector<StoredFile>& files, std::vector<TarLink>& links,
                           std::string& first);

/// Adds what the links stand for to `listing`, whose files and `links` are as keepLastOfEachName()
/// leaves them: of a link to a folder all files below it. Throws InvalidArgument (`data_damaged`)
/// for a wanted file that leads to none.
void addLinks(const std::string& path, const std::vector<TarLink>& links,
              const std::function<bool(const std::string&)>& wanted, FileListing& listing);

} // namespace scalebench::data
