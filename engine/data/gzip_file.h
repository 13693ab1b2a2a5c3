// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A gzip file that is unpacked in the middle, by any number of threads. While it is read through
// once, places are noted where unpacking can begin again: where a block ends, with the 32 KiB
// before it. Memory is that of the places, 256 MiB at most, however large the file.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace scalebench::data {

class GzipFile
{
public:
    /// Whether the file starts as gzip's do.
    static bool isGzip(const std::string& path);

    /// Throws InvalidArgument (`data_damaged`) when it cannot be opened.
    explicit GzipFile(std::string path);
    ~GzipFile();
    GzipFile(const GzipFile&) = delete;
    GzipFile& operator=(const GzipFile&) = delete;

    /// Reading through: the next unpacked bytes, fewer than asked for only at the end. Of one
    /// thread, before any read(). Throws InvalidArgument (`data_damaged`) with the place in the
    /// file, also where it is cut off or a checksum is wrong.
    size_t readOn(std::span<uint8_t> out);
    /// How far readOn() is, in packed bytes; and the file's size.
    int64_t packedPosition() const;
    int64_t packedSize() const { return size_; }

    /// Unpacked bytes offset … offset + out.size(), which readOn() has passed. Thread-safe. Throws
    /// as readOn() does.
    void read(int64_t offset, std::span<uint8_t> out) const;
    /// Packed bytes that have to be fetched for that, about: from the place before it.
    int64_t packedBytes(int64_t offset, int64_t size) const;
    /// Packed bytes fetched so far.
    int64_t bytesFetched() const { return fetched_; }

private:
    class Cursor;
    struct Place {
        int64_t unpacked = 0, packed = 0; ///< the first byte behind it
        int bits = 0;                     ///< of the byte before that belong to what follows
        std::vector<uint8_t> window;
    };
    const Place* placeBefore(int64_t offset) const;
    void note(Place place);
    size_t fetch(int64_t offset, std::span<uint8_t> out) const;
    std::unique_ptr<Cursor> cursorFor(int64_t offset) const;
    void keep(std::unique_ptr<Cursor> cursor) const;

    std::string path_;
    int fd_ = -1;
    int64_t size_ = 0;
    std::vector<Place> places_; ///< ascending
    int64_t distance_;          ///< between places, unpacked
    std::unique_ptr<Cursor> first_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Cursor>> idle_; ///< where reads have ended
    mutable std::atomic<int64_t> fetched_{0};
};

} // namespace scalebench::data
