// SPDX-License-Identifier: GPL-3.0-or-later
// Beginning in the middle is as in Mark Adler's examples/zran.c of zlib.
#include "engine/data/gzip_file.h"

#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace scalebench::data {
namespace {

constexpr size_t kWindowBytes = 32768;
constexpr int64_t kLeastDistance = 512 << 10;
constexpr size_t kMostPlaces = 8192;
constexpr size_t kMostIdle = 32;
constexpr int kGzipBits = 15 + 16, kRawBits = -15;
constexpr size_t kTrailerBytes = 8;

} // namespace

/// Unpacks on from somewhere.
class GzipFile::Cursor
{
public:
    /// `place` null: from the start.
    Cursor(const GzipFile& file, const Place* place)
        : file_(file), input_(size_t{1} << 16), raw_(place != nullptr)
    {
        SB_REQUIRE(inflateInit2(&stream_, raw_ ? kRawBits : kGzipBits) == Z_OK,
                   "zlib cannot unpack");
        if (place == nullptr)
            return;
        unpacked_ = place->unpacked;
        fetchedTo_ = place->packed - (place->bits > 0 ? 1 : 0);
        if (place->bits > 0) {
            refill();
            const uint8_t byte = *stream_.next_in++;
            --stream_.avail_in;
            inflatePrime(&stream_, place->bits, byte >> (8 - place->bits));
        }
        inflateSetDictionary(&stream_, place->window.data(), uInt(place->window.size()));
    }
    ~Cursor() { inflateEnd(&stream_); }
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    int64_t unpacked() const { return unpacked_; }
    int64_t packed() const { return fetchedTo_ - int64_t(stream_.avail_in); }

    /// Fewer bytes only at the end. `atBlock` is called where blocks end.
    template <class AtBlock>
    size_t read(std::span<uint8_t> out, const AtBlock& atBlock)
    {
        size_t done = 0;
        while (done < out.size() && !ended_) {
            if (stream_.avail_in == 0 && !refill())
                cutOff();
            stream_.next_out = out.data() + done;
            stream_.avail_out = uInt(std::min<size_t>(out.size() - done, 1u << 30));
            const uInt room = stream_.avail_out;
            const int status = inflate(&stream_, Z_BLOCK);
            done += room - stream_.avail_out;
            unpacked_ += room - stream_.avail_out;
            if (status == Z_STREAM_END)
                nextMember();
            else if (status != Z_OK && status != Z_BUF_ERROR)
                damaged();
            else if ((stream_.data_type & 0xc0) == 0x80) // behind a block that is not the last
                atBlock(*this);
        }
        return done;
    }

    Place place() const
    {
        Place place{unpacked_, packed(), stream_.data_type & 7, std::vector<uint8_t>(kWindowBytes)};
        uInt length = 0;
        inflateGetDictionary(const_cast<z_stream*>(&stream_), place.window.data(), &length);
        place.window.resize(length);
        return place;
    }

private:
    bool refill()
    {
        const size_t got = file_.fetch(fetchedTo_, input_);
        fetchedTo_ += int64_t(got);
        stream_.next_in = input_.data();
        stream_.avail_in = uInt(got);
        return got > 0;
    }
    /// The next byte of the file without taking it; -1 at its end.
    int peek() { return stream_.avail_in > 0 || refill() ? *stream_.next_in : -1; }
    /// A gzip file may be several, one after the other; what else follows is filling.
    void nextMember()
    {
        for (size_t i = 0; raw_ && i < kTrailerBytes; ++i) {
            if (peek() < 0)
                cutOff();
            ++stream_.next_in;
            --stream_.avail_in;
        }
        ended_ = peek() != 0x1f;
        raw_ = false;
        inflateReset2(&stream_, kGzipBits);
    }
    [[noreturn]] void cutOff() const
    {
        throw InvalidArgument(file_.path_ + " is damaged: it ends at byte " +
                                  std::to_string(file_.size_) +
                                  ", within packed data. Download or copy it again.",
                              "data_damaged");
    }
    [[noreturn]] void damaged() const
    {
        throw InvalidArgument(file_.path_ + " is damaged at byte " + std::to_string(packed()) +
                                  ": " + (stream_.msg != nullptr ? stream_.msg : "unknown reason") +
                                  ". Download or copy it again.",
                              "data_damaged");
    }

    const GzipFile& file_;
    std::vector<uint8_t> input_;
    z_stream stream_{};
    int64_t unpacked_ = 0, fetchedTo_ = 0;
    bool raw_; ///< within a member that was not begun at its head
    bool ended_ = false;
};

bool GzipFile::isGzip(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    char head[2] = {};
    return in.read(head, 2) && uint8_t(head[0]) == 0x1f && uint8_t(head[1]) == 0x8b;
}

GzipFile::GzipFile(std::string path) : path_(std::move(path)), distance_(kLeastDistance)
{
    // Not blocking: what was a file may be a pipe by now.
    fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info {
    };
    if (fd_ < 0 || ::fstat(fd_, &info) != 0) {
        const std::string why = std::strerror(errno);
        if (fd_ >= 0)
            ::close(fd_);
        throw InvalidArgument("cannot open " + path_ + ": " + why, "data_damaged");
    }
    size_ = info.st_size;
    first_ = std::make_unique<Cursor>(*this, nullptr);
}

GzipFile::~GzipFile()
{
    first_.reset();
    idle_.clear();
    ::close(fd_);
}

size_t GzipFile::fetch(int64_t offset, std::span<uint8_t> out) const
{
    ssize_t got = 0;
    do
        got = ::pread(fd_, out.data(), out.size(), off_t(offset));
    while (got < 0 && errno == EINTR);
    if (got < 0)
        throw InvalidArgument("cannot read " + path_ + " at byte " + std::to_string(offset) + ": " +
                                  std::strerror(errno),
                              "data_damaged");
    fetched_ += got;
    return size_t(got);
}

size_t GzipFile::readOn(std::span<uint8_t> out)
{
    return first_->read(out, [this](const Cursor& at) {
        const int64_t last = places_.empty() ? 0 : places_.back().unpacked;
        if (at.unpacked() - last >= distance_)
            note(at.place());
    });
}

void GzipFile::note(Place place)
{
    places_.push_back(std::move(place));
    if (places_.size() < kMostPlaces)
        return;
    distance_ *= 2;
    size_t kept = 0;
    for (size_t i = 1; i < places_.size(); i += 2)
        places_[kept++] = std::move(places_[i]);
    places_.resize(kept);
}

int64_t GzipFile::packedPosition() const
{
    return first_->packed();
}

const GzipFile::Place* GzipFile::placeBefore(int64_t offset) const
{
    const auto behind = std::ranges::upper_bound(places_, offset, {}, &Place::unpacked);
    return behind == places_.begin() ? nullptr : &*std::prev(behind);
}

std::unique_ptr<GzipFile::Cursor> GzipFile::cursorFor(int64_t offset) const
{
    const Place* place = placeBefore(offset);
    const int64_t from = place == nullptr ? 0 : place->unpacked;
    {
        const std::lock_guard lock(mutex_);
        auto nearest = idle_.end();
        for (auto it = idle_.begin(); it != idle_.end(); ++it)
            if ((*it)->unpacked() <= offset && (*it)->unpacked() >= from &&
                (nearest == idle_.end() || (*it)->unpacked() > (*nearest)->unpacked()))
                nearest = it;
        if (nearest != idle_.end()) {
            auto found = std::move(*nearest);
            idle_.erase(nearest);
            return found;
        }
    }
    return std::make_unique<Cursor>(*this, place);
}

void GzipFile::keep(std::unique_ptr<Cursor> cursor) const
{
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= kMostIdle)
        idle_.erase(idle_.begin());
    idle_.push_back(std::move(cursor));
}

void GzipFile::read(int64_t offset, std::span<uint8_t> out) const
{
    std::unique_ptr<Cursor> cursor = cursorFor(offset);
    const auto ignored = [](const Cursor&) {};
    std::array<uint8_t, kWindowBytes> before;
    while (cursor->unpacked() < offset) {
        const auto left = std::min<int64_t>(offset - cursor->unpacked(), before.size());
        if (cursor->read(std::span(before).first(size_t(left)), ignored) < size_t(left))
            break;
    }
    if (cursor->unpacked() != offset || cursor->read(out, ignored) < out.size())
        throw InvalidArgument(path_ + " is shorter than when it was opened", "data_damaged");
    keep(std::move(cursor));
}

int64_t GzipFile::packedBytes(int64_t offset, int64_t size) const
{
    const Place* place = placeBefore(offset);
    const auto behind = std::ranges::upper_bound(places_, offset + size, {}, &Place::unpacked);
    const int64_t from = place == nullptr ? 0 : place->unpacked;
    const int64_t fromPacked = place == nullptr ? 0 : place->packed;
    const int64_t to = behind == places_.end() ? first_->unpacked() : behind->unpacked;
    const int64_t toPacked = behind == places_.end() ? size_ : behind->packed;
    const double share = to > from ? double(offset + size - from) / double(to - from) : 1.0;
    return int64_t(share * double(toPacked - fromPacked));
}

} // namespace scalebench::data
