// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/picture_parts.h"

#include "kernels/check.h"

namespace scalebench::data {

std::string baseName(const std::string& name)
{
    const size_t slash = name.rfind('/');
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

int64_t storedBytes(const std::vector<StoredFile>& files)
{
    int64_t bytes = 0;
    for (const StoredFile& file : files)
        bytes += file.bytes || file.packed ? 0 : file.size;
    return bytes;
}

void noEvalPart(const std::string& path, const std::string& lookedFor)
{
    throw InvalidArgument(
        path + " has training data but no evaluation data: looked for " + lookedFor, "data_empty");
}

} // namespace scalebench::data
