// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/storage_bench.h"

#include "engine/bench/disturbance.h"
#include "engine/core/rng.h"
#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <linux/magic.h>
#include <omp.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace scalebench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBlock = 4 << 20;
/// About the mean size of an ImageNet picture.
constexpr std::int64_t kSmallFile = 112 << 10;
/// Of memory for O_DIRECT: no device has larger blocks than a page.
constexpr std::size_t kPage = 4096;

[[noreturn]] void fail(const std::string& what, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    throw Error(full ? "disk_full" : "not_writable", what + ": " + std::strerror(error));
}

class File
{
public:
    File(int descriptor, const std::string& name) : descriptor_(descriptor), name_(name)
    {
        if (descriptor_ < 0)
            fail("cannot open " + name_, errno);
    }
    ~File() { ::close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int get() const { return descriptor_; }
    /// Reads and writes go around the page cache from now on; false where that is not possible.
    bool setDirect()
    {
        return ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_DIRECT) == 0;
    }
    void writeAt(const void* data, std::int64_t bytes, std::int64_t offset) const
    {
        for (std::int64_t done = 0; done < bytes;) {
            const ssize_t n = ::pwrite(descriptor_, static_cast<const char*>(data) + done,
                                       std::size_t(bytes - done), offset + done);
            if (n < 0 && errno != EINTR)
                fail("cannot write to " + name_, errno);
            done += std::max<ssize_t>(n, 0);
        }
    }
    /// Bytes read, less than asked for at the end of the file.
    std::int64_t readAt(void* data, std::int64_t bytes, std::int64_t offset) const
    {
        std::int64_t done = 0;
        while (done < bytes) {
            const ssize_t n = ::pread(descriptor_, static_cast<char*>(data) + done,
                                      std::size_t(bytes - done), offset + done);
            if (n < 0 && errno != EINTR)
                fail("cannot read from " + name_, errno);
            if (n == 0)
                break;
            done += std::max<ssize_t>(n, 0);
        }
        return done;
    }
    /// Waits until all is on the device.
    void sync() const
    {
        if (::fdatasync(descriptor_) != 0)
            fail("cannot write to " + name_, errno);
    }
    void dropFromCache() const { ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED); }

private:
    int descriptor_;
    std::string name_;
};

/// A file without a name: gone with this process, however that ends.
int openNameless(const std::string& folder)
{
    std::string name = folder + "/.scalebench-XXXXXX";
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0)
        fail("cannot create a file in " + folder, errno);
    ::unlink(name.c_str());
    return file;
}

/// Random bytes, so that neither compression nor deduplication helps; each block is marked.
void markBlock(Buffer& buffer, std::int64_t block)
{
    std::memcpy(buffer.data(), &block, sizeof block);
    *reinterpret_cast<std::int64_t*>(buffer.as<char>() + kBlock - 8) = ~block;
}

bool blockIsRight(const Buffer& buffer, std::int64_t block)
{
    std::int64_t first = 0, last = 0;
    std::memcpy(&first, buffer.data(), sizeof first);
    std::memcpy(&last, buffer.as<char>() + kBlock - 8, sizeof last);
    return first == block && last == ~block;
}

void fillBytes(void* data, std::int64_t bytes, std::uint64_t seed)
{
    Rng random(seed);
    auto* words = static_cast<std::uint32_t*>(data);
    for (std::int64_t i = 0; i < bytes / 4; ++i)
        words[i] = random();
}

/// Whether the folder is in memory, where nothing is behind the page cache.
bool isMemory(const std::string& folder)
{
    struct statfs info {
    };
    return ::statfs(folder.c_str(), &info) == 0 &&
           (info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC);
}

struct Measured {
    const char* pattern;
    bool direct;
    std::int64_t bytes, files;
    int threads;
    Timing timing;
    std::int64_t wrong;
};

void addResult(const Options& options, Report& report, const Measured& m)
{
    std::map<std::string, Json> row = {{"pattern", m.pattern},
                                       {"method", isMemory(options.folder) ? "memory"
                                                  : m.direct               ? "O_DIRECT"
                                                             : "dropped from the page cache"},
                                       {"bytes", m.bytes},
                                       {"files", m.files},
                                       {"threads", m.threads},
                                       {"median_ms", m.timing.seconds * 1e3},
                                       {"spread_percent", m.timing.spread * 100},
                                       {"repeats", m.timing.repeats},
                                       {"gb_per_s", double(m.bytes) / m.timing.seconds / 1e9},
                                       {"wrong", m.wrong}};
    if (m.files > 1)
        row["files_per_s"] = double(m.files) / m.timing.seconds;
    addRemark(row, m.timing, 0);
    report.addRow(row);
}

/// Times whole passes, at least one and no more than fit into maxSeconds.
Timing timePasses(const Options& options, const std::function<double()>& pass)
{
    std::vector<double> samples;
    const Clock::time_point start = Clock::now();
    do
        samples.push_back(pass());
    while (int(samples.size()) < options.repeats && secondsSince(start) < options.maxSeconds);
    return summarize(std::move(samples));
}

void checkStop(const Options& options)
{
    if (options.stopped())
        throw Stopped{};
}

void measureSequential(const Options& options, Report& report)
{
    const std::int64_t blocks = std::max<std::int64_t>(1, options.fileBytes / kBlock);
    File file(openNameless(options.folder), "the test file in " + options.folder);
    Buffer buffer(std::size_t(kBlock), kPage);
    fillBytes(buffer.data(), kBlock, 1);
    bool direct = file.setDirect();
    if (direct) { // some file systems accept the flag and refuse the call
        markBlock(buffer, 0);
        direct = ::pwrite(file.get(), buffer.data(), std::size_t(kBlock), 0) == kBlock;
        if (!direct)
            ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_DIRECT);
    }
    const auto write = [&] {
        const Clock::time_point start = Clock::now();
        for (std::int64_t b = 0; b < blocks; ++b) {
            checkStop(options);
            markBlock(buffer, b);
            file.writeAt(buffer.data(), kBlock, b * kBlock);
        }
        file.sync();
        return secondsSince(start);
    };
    const Timing writing = timePasses(options, write);
    std::int64_t wrong = 0;
    const auto read = [&] {
        file.dropFromCache();
        const Clock::time_point start = Clock::now();
        for (std::int64_t b = 0; b < blocks; ++b) {
            checkStop(options);
            wrong += file.readAt(buffer.data(), kBlock, b * kBlock) != kBlock ||
                     !blockIsRight(buffer, b);
        }
        return secondsSince(start);
    };
    const Timing reading = timePasses(options, read);
    const std::int64_t bytes = blocks * kBlock;
    addResult(options, report, {"sequential write", direct, bytes, 1, 1, writing, 0});
    addResult(options, report, {"sequential read", direct, bytes, 1, 1, reading, wrong});
}

/// Many small files in a folder of their own, removed at the end.
class SmallFiles
{
public:
    SmallFiles(const Options& options, std::int64_t count) : folder_(options.folder)
    {
        folder_ += "/.scalebench-XXXXXX";
        if (::mkdtemp(folder_.data()) == nullptr)
            fail("cannot create a folder in " + options.folder, errno);
        try {
            write(options, count);
        } catch (...) {
            remove();
            throw;
        }
    }
    ~SmallFiles() { remove(); }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

    std::int64_t count() const { return std::int64_t(sizes_.size()); }
    std::int64_t bytes() const
    {
        return std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{});
    }
    std::string path(std::int64_t i) const { return folder_ + "/" + std::to_string(i); }

    /// Opens, reads and closes file i; false when it does not hold what was written.
    bool read(std::int64_t i, bool direct, void* buffer) const
    {
        const std::string name = path(i);
        const File file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0)), name);
        const std::int64_t n = file.readAt(buffer, 2 * kSmallFile, 0);
        std::int64_t mark = 0;
        std::memcpy(&mark, buffer, sizeof mark);
        return n == sizes_[std::size_t(i)] && mark == i;
    }
    void dropFromCache() const
    {
        for (std::int64_t i = 0; i < count(); ++i)
            File(::open(path(i).c_str(), O_RDONLY | O_CLOEXEC), path(i)).dropFromCache();
    }
    bool canReadDirect() const
    {
        const int file = ::open(path(0).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
        // The file's end may be anywhere.
        const Buffer page(kPage, kPage);
        const bool works = file >= 0 && ::pread(file, page.data(), kPage, 0) == ssize_t(kPage);
        if (file >= 0)
            ::close(file);
        return works;
    }

private:
    void write(const Options& options, std::int64_t count)
    {
        Buffer content{std::size_t(2 * kSmallFile)};
        fillBytes(content.data(), 2 * kSmallFile, 2);
        Rng random(3);
        for (std::int64_t i = 0; i < count; ++i) {
            checkStop(options);
            std::memcpy(content.data(), &i, sizeof i);
            sizes_.push_back(kSmallFile / 2 + random.below(std::uint32_t(kSmallFile)));
            const std::string name = path(i);
            const File file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600),
                            name);
            file.writeAt(content.data(), sizes_.back(), 0);
            if (i % 64 == 63 || i + 1 == count)
                ::syncfs(file.get());
        }
    }
    void remove()
    {
        for (std::int64_t i = 0; i <= count(); ++i)
            ::unlink(path(i).c_str());
        ::rmdir(folder_.c_str());
    }

    std::string folder_;
    std::vector<std::int64_t> sizes_;
};

Measured readSmallFiles(const Options& options)
{
    const std::int64_t wanted = options.fileBytes / 4 / kSmallFile;
    const SmallFiles files(options, std::clamp<std::int64_t>(wanted, 16, 5000));
    const bool direct = files.canReadDirect();
    std::vector<std::uint32_t> order(static_cast<std::size_t>(files.count()));
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Buffer> pages;
    for (int i = 0; i < options.threads; ++i)
        pages.emplace_back(std::size_t(2 * kSmallFile), kPage);
    std::int64_t wrong = 0;
    std::uint64_t pass = 0;
    const auto read = [&] {
        shuffle(order, 5, pass++);
        files.dropFromCache();
        std::int64_t bad = 0;
        std::atomic<bool> failed{false};
        const Clock::time_point start = Clock::now();
#pragma omp parallel num_threads(options.threads) reduction(+ : bad)
        {
            const int me = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (failed || options.stopped())
                    continue;
                try {
                    bad += !files.read(order[i], direct, pages[std::size_t(me)].data());
                } catch (const Error&) { // must not leave the parallel region
                    failed = true;
                }
            }
        }
        const double seconds = secondsSince(start);
        checkStop(options);
        if (failed)
            throw Error("not_readable",
                        "the small files in " + options.folder + " could not all be read back");
        wrong += bad;
        return seconds;
    };
    const Timing timing = timePasses(options, read);
    return {"small files, random order",
            direct,
            files.bytes(),
            files.count(),
            options.threads,
            timing,
            wrong};
}

void requireSpace(const Options& options)
{
    struct stat info {
    };
    if (::stat(options.folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        throw InvalidArgument("--dir " + options.folder + " is not a folder", "usage");
    if (options.fileBytes < kBlock)
        throw InvalidArgument("--file-size must be at least " + formatBytes(kBlock), "usage");
    struct statvfs space {
    };
    if (::statvfs(options.folder.c_str(), &space) != 0)
        return;
    const double free = double(space.f_bavail) * double(space.f_frsize);
    if (free < 1.3 * double(options.fileBytes))
        throw Error("disk_full", options.folder + " has " + formatBytes(std::int64_t(free)) +
                                     " free; --file-size " + formatBytes(options.fileBytes) +
                                     " needs 1.3 times its size");
}

} // namespace

void runStorageBench(const Options& options, Report& report)
{
    report.setColumns({{"pattern", "pattern", -1, 25},
                       {"method", "method", -1, 27},
                       {"bytes", "bytes", 0, 11},
                       {"files", "files", 0, 6},
                       {"threads", "threads", 0},
                       {"median_ms", "ms", 1, 9},
                       {"spread_percent", "spread %", 1},
                       {"repeats", "repeats", 0},
                       {"gb_per_s", "GB/s", 3, 7},
                       {"files_per_s", "files/s", 0, 8},
                       {"wrong", "wrong", 0},
                       {"note", "", -1}});
    if (options.list) {
        for (const char* pattern :
             {"sequential write", "sequential read", "small files, random order"})
            report.addRow({{"pattern", pattern}});
        return;
    }
    requireSpace(options);
    report.addNote("Folder " + options.folder +
                   (isMemory(options.folder)
                        ? ", which is in memory (tmpfs): what is measured is memory, no storage."
                        : "; what is measured is the storage behind it, not the page cache."));
    measureSequential(options, report);
    // The files are gone before the line is printed: a pipe that nobody reads ends the process.
    const Measured small = readSmallFiles(options);
    addResult(options, report, small);
}

} // namespace scalebench::bench
