// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Trained weights in a file, by name: safetensors (huggingface.co/docs/safetensors: the length of a
// JSON header in 8 bytes, the header, the values) or a checkpoint of Scalebench. What is read is
// not trusted: sizes, places and numbers are checked before anybody sees them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench {

class WeightsFile
{
public:
    struct Entry {
        std::string name;
        std::vector<int64_t> shape;
    };
    virtual ~WeightsFile() = default;
    WeightsFile(const WeightsFile&) = delete;
    WeightsFile& operator=(const WeightsFile&) = delete;

    /// Tensors in the order of their names.
    const std::vector<Entry>& entries() const { return entries_; }
    /// "safetensors", "checkpoint".
    virtual std::string format() const = 0;
    /// All values of an entry, row-major. Throws InvalidArgument (`weights`) where they are not
    /// F32, F16 or BF16, cannot be read or are not finite.
    std::vector<float> read(size_t entry) const;

protected:
    WeightsFile(std::string path) : path_(std::move(path)) {}
    [[noreturn]] static void refuse(const std::string& path, const std::string& reason);
    virtual std::vector<float> values(size_t entry) const = 0;

    std::string path_;
    std::vector<Entry> entries_; ///< set by the constructors of the formats
};

/// A tensor's name for messages: in quotes, cut where it is long, without control characters.
std::string shownName(const std::string& name);

/// Throws InvalidArgument (`weights`), one sentence with the path: not there, not an ordinary file,
/// neither format, cut off, a header of more than 8 MB or with more than 100,000 tensors,
/// tensors that overlap, leave holes or reach behind the end, or whose size is not that of their
/// shape.
std::unique_ptr<WeightsFile> openWeights(const std::string& path);

} // namespace scalebench
