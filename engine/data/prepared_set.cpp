// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/prepared_set.h"

#include "engine/core/fingerprint.h"
#include "engine/data/descriptor.h"
#include "kernels/check.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

fs::path preparedFolder()
{
    const auto variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    if (const std::string own = variable("SCALEBENCH_PREPARED_DIR"); !own.empty())
        return own == "off" ? fs::path() : fs::path(own);
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
        return fs::path(cache) / "scalebench" / "prepared";
    const std::string home = variable("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".cache" / "scalebench" / "prepared";
}

/// Size and time of change; nothing for what is no ordinary file.
std::optional<std::string> stateOf(const std::string& file)
{
    struct stat known {
    };
    if (::stat(file.c_str(), &known) != 0 || !S_ISREG(known.st_mode))
        return {};
    return std::to_string(known.st_size) + " bytes, changed " +
           std::to_string(known.st_mtim.tv_sec) + "." + std::to_string(known.st_mtim.tv_nsec);
}

constexpr const char* kLabelBegins =
    "Scalebench prepared this from other files; it can be deleted.\n";

/// CRC-32 of a file's bytes.
std::optional<uint32_t> checksumOf(const std::string& file, const std::function<void()>& tick)
{
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::vector<Bytef> buffer(size_t{1} << 20);
    uLong sum = ::crc32(0, nullptr, 0);
    for (;;) {
        if (tick)
            tick();
        const ssize_t got = ::read(opened.fd, buffer.data(), buffer.size());
        if (got < 0)
            return {};
        if (got == 0)
            return uint32_t(sum);
        sum = ::crc32(sum, buffer.data(), uInt(got));
    }
}

/// A set's folder, and the beginning of its label.
struct SetPlace {
    fs::path folder;
    std::string label;
};

std::optional<SetPlace> setPlaceOf(const PreparedFrom& from)
{
    const fs::path parent = preparedFolder();
    if (parent.empty())
        return {};
    std::string label = kLabelBegins + from.form + "\n" + from.settings + "\n";
    for (const std::string& file : from.files) {
        const std::optional<std::string> state = stateOf(file);
        if (!state)
            return {};
        label += fs::absolute(file).lexically_normal().string() + ": " + *state + "\n";
    }
    return SetPlace{parent / printFingerprint(fingerprintOf({label})), label};
}

/// The whole of an ordinary file in memory, read-only.
class MappedFile
{
public:
    explicit MappedFile(const std::string& path)
    {
        const Descriptor opened(
            ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        struct stat known {
        };
        if (opened.fd < 0 || ::fstat(opened.fd, &known) != 0 || !S_ISREG(known.st_mode))
            throw InvalidArgument(path +
                                      " cannot be read; delete the prepared set, it is made again",
                                  "data_damaged");
        size_ = size_t(known.st_size);
        if (size_ == 0)
            return; // nothing can be mapped
        memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, opened.fd, 0);
        if (memory_ == MAP_FAILED)
            throw Error("out_of_memory", "cannot map " + path + " (" + std::to_string(size_) +
                                             " bytes) into memory");
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile()
    {
        if (size_ > 0)
            ::munmap(memory_, size_);
    }

    const void* data() const { return memory_; }
    size_t size() const { return size_; }

private:
    void* memory_ = nullptr;
    size_t size_ = 0;
};

} // namespace

PreparedSet::PreparedSet(fs::path folder, std::unique_ptr<GeneratedSetLock> lock)
    : folder_(std::move(folder)), lock_(std::move(lock))
{
}

std::shared_ptr<const PreparedSet> PreparedSet::find(const PreparedFrom& from)
{
    const std::optional<SetPlace> place = setPlaceOf(from);
    if (!place)
        return {};
    std::string label;
    std::unique_ptr<GeneratedSetLock> lock = holdGenerated(place->folder.string(), label);
    if (!lock || !label.starts_with(place->label))
        return {};
    noteUse(place->folder);
    return std::make_shared<const PreparedSet>(place->folder, std::move(lock));
}

namespace {

/// `set`: held as long as the column is; may be null.
template <class T>
Column<T> columnOf(const std::string& path, std::shared_ptr<const PreparedSet> set)
{
    struct Held {
        Held(const std::string& path, std::shared_ptr<const PreparedSet> from)
            : file(path), set(std::move(from))
        {
        }
        MappedFile file;
        std::shared_ptr<const PreparedSet> set;
    };
    auto held = std::make_shared<const Held>(path, std::move(set));
    if (held->file.size() % sizeof(T) != 0)
        throw InvalidArgument(
            path + " ends within a number; delete the prepared set, it is made again",
            "data_damaged");
    const std::span<const T> numbers(static_cast<const T*>(held->file.data()),
                                     held->file.size() / sizeof(T));
    return {numbers, std::move(held)};
}

} // namespace

template <class T>
Column<T> PreparedSet::column(const std::string& name) const
{
    return columnOf<T>(path(name), shared_from_this());
}
template Column<int32_t> PreparedSet::column(const std::string& name) const;
template Column<int64_t> PreparedSet::column(const std::string& name) const;

template <class T>
Column<T> mapColumn(const fs::path& file)
{
    return columnOf<T>(file.string(), {});
}
template Column<int32_t> mapColumn(const fs::path& file);
template Column<int64_t> mapColumn(const fs::path& file);

template <class T>
ColumnFile<T>::ColumnFile(const fs::path& file) : path_(file), fd_(createGenerated(file))
{
    buffer_.reserve(size_t{1} << 16);
}

template <class T>
ColumnFile<T>::~ColumnFile()
{
    if (fd_ >= 0)
        ::close(fd_);
}

template <class T>
void ColumnFile<T>::append(std::span<const T> values)
{
    if (values.empty())
        return;
    if (buffer_.size() + values.size() > buffer_.capacity())
        flush();
    buffer_.insert(buffer_.end(), values.begin(), values.end());
    size_ += std::int64_t(values.size());
    back_ = values.back();
}

template <class T>
void ColumnFile<T>::flush()
{
    appendGenerated(fd_, path_, buffer_.data(), buffer_.size() * sizeof(T));
    buffer_.clear();
}

template <class T>
void ColumnFile<T>::close()
{
    flush();
    closeGenerated(std::exchange(fd_, -1), path_);
}
template class ColumnFile<int32_t>;
template class ColumnFile<int64_t>;

int64_t PreparedSet::bytes() const
{
    int64_t sum = 0;
    std::error_code failed;
    for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->is_regular_file(failed))
            sum += int64_t(entry->file_size(failed));
    return sum;
}

namespace {

/// Written where it is missing. `label`: the whole of it.
void ensureSet(const SetPlace& place, const std::string& label,
               const std::function<void(const fs::path&)>& write, const std::function<void()>& tick)
{
    try {
        ensureGenerated(place.folder.string(), label, {}, write, tick);
    } catch (const Error& e) {
        if (e.code() != "not_writable" && e.code() != "disk_full")
            throw;
        throw Error(e.code(), "what is made of the data cannot be kept in " +
                                  place.folder.string() + ", so every run makes it again: " +
                                  (e.code() == "disk_full" ? "the disk is full"
                                                           : "the folder cannot be written") +
                                  ". Set SCALEBENCH_PREPARED_DIR to another folder, or to off.");
    }
}

bool isWhole(const PreparedFrom& from, const std::function<void(const PreparedSet&)>& check)
{
    const std::shared_ptr<const PreparedSet> set = PreparedSet::find(from);
    try {
        if (set && check)
            check(*set);
    } catch (const InvalidArgument&) {
        return false;
    }
    return true;
}

} // namespace

bool prepareSet(const PreparedFrom& from, const std::function<void(const fs::path&)>& write,
                const std::function<void()>& tick,
                const std::function<void(const PreparedSet&)>& check)
{
    const std::optional<SetPlace> place = setPlaceOf(from);
    if (!place)
        return false;
    std::string label = place->label;
    for (const std::string& file : from.files) {
        const std::optional<uint32_t> sum = checksumOf(file, tick);
        if (!sum)
            return false; // whoever reads it says what is wrong with it
        label +=
            "CRC-32 of " + fs::path(file).filename().string() + ": " + std::to_string(*sum) + "\n";
    }
    const auto isOurs = [](const fs::path&, const std::string& other) {
        return other.empty() || other.starts_with(kLabelBegins);
    };
    ensureSet(*place, label, write, tick);
    if (!isWhole(from, check)) {
        removeSet(place->folder, isOurs);
        ensureSet(*place, label, write, tick);
    }
    removeUnusedSets(place->folder.parent_path(), isOurs);
    return true;
}

} // namespace scalebench::data
