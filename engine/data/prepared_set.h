// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Data as a run reads it, made once from the files that a person has and kept for later runs: text
// cut into tokens. A prepared set lies in a folder of its own and is mapped, so that the processes
// of a host share its memory and a set may be larger than that. Sets lie in the folder
// SCALEBENCH_PREPARED_DIR ("off": none is kept), else in scalebench/prepared of XDG_CACHE_HOME or
// ~/.cache. Whoever wants the space deletes them; they are made again. Making one removes those
// that no run has read for kUnusedDays.

#include "engine/data/column.h"
#include "engine/data/generated_set.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scalebench::data {

/// All that a set's content follows from.
struct PreparedFrom {
    std::string form;               ///< who prepares, and the version of what it writes
    std::string settings;           ///< of the recipe, one line
    std::vector<std::string> files; ///< ordinary ones, read in this order
};

class PreparedSet : public std::enable_shared_from_this<PreparedSet>
{
public:
    /// The set that was made from these files as they are now, by size and time of change; null
    /// where there is none. Its folder's time of change says when it was found last.
    static std::shared_ptr<const PreparedSet> find(const PreparedFrom& from);

    PreparedSet(std::filesystem::path folder, std::unique_ptr<GeneratedSetLock> lock);

    /// The numbers of a file of writeColumn(). Throws InvalidArgument (`data_damaged`) for one that
    /// is no ordinary file or ends within a number.
    template <class T>
    Column<T> column(const std::string& name) const;
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    int64_t bytes() const; ///< of all its files

private:
    std::filesystem::path folder_;
    std::unique_ptr<GeneratedSetLock> lock_; ///< nobody replaces the set meanwhile
};

/// Sees to it that find() finds the set, calling `write` with an empty folder where it is missing
/// or the files' checksums tell that it was made from others. One process writes, others wait.
/// False where no sets are kept. `tick`: called now and then, may throw to stop, which leaves
/// nothing behind. `check`: reads the set; where that throws InvalidArgument it is damaged, and
/// made again unless somebody else reads it. Throws Error as ensureGenerated(), and what `write`
/// throws.
bool prepareSet(const PreparedFrom& from,
                const std::function<void(const std::filesystem::path& folder)>& write,
                const std::function<void()>& tick = {},
                const std::function<void(const PreparedSet& set)>& check = {});

/// The numbers of a file, mapped. Throws as PreparedSet::column().
template <class T>
Column<T> mapColumn(const std::filesystem::path& file);

/// For `write`: a file of numbers that comes in pieces, for more of them than memory holds.
template <class T>
class ColumnFile
{
public:
    /// Creates the file. Throws Error (`not_writable`, `disk_full`), as what follows does.
    explicit ColumnFile(const std::filesystem::path& file);
    ~ColumnFile();
    ColumnFile(const ColumnFile&) = delete;
    ColumnFile& operator=(const ColumnFile&) = delete;

    void append(std::span<const T> values);
    void push_back(T value) { append({&value, 1}); }
    std::int64_t size() const { return size_; } ///< numbers so far
    T back() const { return back_; }            ///< the last one
    void close();                               ///< the last call; without it the file is cut off

private:
    void flush();

    std::filesystem::path path_;
    int fd_ = -1;
    std::int64_t size_ = 0;
    T back_{};
    std::vector<T> buffer_;
};

/// For `write`: numbers as this machine has them. Throws Error (`not_writable`, `disk_full`).
template <class T>
void writeColumn(const std::filesystem::path& file, const Column<T>& column)
{
    writeGenerated(file, column.all().data(), column.all().size_bytes());
}

} // namespace scalebench::data
