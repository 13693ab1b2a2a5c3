// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of a data set under one roof: a folder, one file, or a tar (.tar, .tar.gz, .tgz, ...).
// Gives names and bytes; what the files mean is decided in open_dataset.cpp.

#include "engine/data/gzip_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::data {

/// One file, loose or inside a tar. Cheap to copy; the bytes stay where they are until read.
struct StoredFile {
    std::string name;      ///< path inside the folder or tar, '/' between parts
    std::string container; ///< path of the loose file, or of the tar
    int64_t offset = 0;    ///< where the bytes start in `container`
    int64_t size = 0;
    bool inArchive = false;
    /// Set for members of gzip tars: `offset` counts unpacked bytes.
    std::shared_ptr<const GzipFile> packed;
    /// Set for members of other compressed tars, which cannot be read in the middle.
    std::shared_ptr<const std::vector<uint8_t>> bytes;

    /// "FILE", or "FILE, member NAME": for messages.
    std::string describe() const;
    /// The file's content. Throws InvalidArgument (`data_damaged`) when it cannot be read whole.
    std::vector<uint8_t> read() const;
    /// Bytes that read() fetches from storage; of a gzip tar about.
    int64_t storedBytes() const;
};

/// A link that leads to no file or folder.
struct DeadLink {
    std::string name;
    std::string message; ///< "PATH is a link to TARGET, which is not there"
};

struct FileListing {
    std::vector<StoredFile> files; ///< by name
    /// Those whose name is not wanted, which may be folders that are missing.
    std::vector<DeadLink> deadLinks;
    std::vector<std::string> remarks; ///< what a person should know: members that a tar has twice
};

/// Called now and then with the bytes read so far and their total (0: unknown); may be empty.
using BytesProgress = std::function<void(int64_t done, int64_t total)>;

/// True when the name ends like a tar, compressed or not.
bool isTarName(const std::string& name);

/// Whether a part of the name begins with a dot: .ipynb_checkpoints/, ._picture.jpg of a Mac.
bool isHidden(const std::string& name);

/// All regular files under `path` for which `wanted(name)` holds, which is asked once of each name;
/// hidden ones are not even asked about. Links to folders are followed. A folder that holds no
/// wanted file but exactly one tar stands for that tar. Throws InvalidArgument: `data_missing` when
/// there is nothing at `path` or a folder may not be read, `data_damaged` for a broken tar or a
/// wanted name that leads to no file.
/// `namesOnly`: members of compressed tars are listed without keeping their bytes.
FileListing listFiles(const std::string& path,
                      const std::function<bool(const std::string&)>& wanted,
                      const BytesProgress& progress = {}, bool namesOnly = false);

} // namespace scalebench::data
