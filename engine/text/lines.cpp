// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/lines.h"

#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace scalebench::text {
namespace {

constexpr size_t kBlock = size_t{1} << 16;
constexpr int64_t kLargestInMemory = int64_t{1} << 32;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

[[noreturn]] void missing(const std::string& path, const std::string& why)
{
    throw InvalidArgument("cannot open " + path + ": " + why + ".", "data_missing");
}

[[noreturn]] void notWritable(const std::string& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        throw Error("disk_full", "the disk is full: cannot write " + path + ".");
    throw Error("not_writable", "cannot write " + path + ": " + std::strerror(error) + ".");
}

} // namespace

struct LineFile::Stream {
    gzFile file = nullptr;
    ~Stream()
    {
        if (file)
            ::gzclose(file);
    }
};

LineFile::LineFile(std::string path)
    : path_(std::move(path)), stream_(std::make_unique<Stream>()), buffer_(kBlock)
{
    // O_NONBLOCK: opening a FIFO must not wait for its other end.
    const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        missing(path_, std::strerror(errno));
    struct stat info = {};
    const bool ordinary = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (ordinary)
        stream_->file = ::gzdopen(fd, "rb");
    if (!stream_->file) {
        ::close(fd);
        missing(path_, ordinary ? "out of memory" : "it is not an ordinary file");
    }
    ::gzbuffer(stream_->file, unsigned(kBlock));
    if (path_.ends_with(".gz") && ::gzdirect(stream_->file) != 0)
        throw InvalidArgument(path_ + " is not a gzip file, as its name says it is; unpack or "
                                      "rename it.",
                              "data_damaged");
}

LineFile::~LineFile() = default;

int64_t LineFile::bytesRead() const
{
    return std::max<int64_t>(0, ::gzoffset(stream_->file));
}

/// Appends to the unread part; false at the end of the file.
bool LineFile::fill()
{
    std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
    to_ -= std::exchange(from_, 0);
    if (buffer_.size() - to_ < kBlock)
        buffer_.resize(to_ + kBlock);
    const int got = ::gzread(stream_->file, buffer_.data() + to_, unsigned(kBlock));
    int error = Z_OK;
    std::string reason = ::gzerror(stream_->file, &error);
    if (reason.starts_with("<fd:")) // zlib's name of the file
        reason.erase(0, reason.find(": ") + 2);
    if (error == Z_BUF_ERROR)
        damagedAt(line_ + 1, "the gzip file ends in the middle; fetch it again");
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
        damagedAt(line_ + 1,
                  error == Z_ERRNO
                      ? std::string("it cannot be read: ") + std::strerror(errno)
                      : std::string("it cannot be unpacked (") + reason + "); fetch it again");
    to_ += size_t(got);
    unpacked_ += got;
    if (unpacked_ > kLargestText)
        damagedAt(line_ + 1, "the text is larger than 64 GiB");
    return got > 0;
}

bool LineFile::nextRaw(std::string& line)
{
    for (size_t searched = 0;;) {
        const char* begin = buffer_.data() + from_;
        const size_t size = to_ - from_;
        if (const void* end = std::memchr(begin + searched, '\n', size - searched)) {
            line.assign(begin, static_cast<const char*>(end));
            from_ += line.size() + 1;
            return true;
        }
        searched = size;
        if (size > kLongestLine)
            damagedAt(line_ + 1, "the line is longer than 1 MiB");
        if (fill())
            continue;
        line.assign(buffer_.data() + from_, to_ - from_);
        from_ = to_;
        return !line.empty();
    }
}

bool LineFile::next(std::string& line)
{
    if (!nextRaw(line))
        return false;
    ++line_;
    if (line.ends_with('\r'))
        line.pop_back();
    if (line_ == 1 && line.starts_with(kByteOrderMark))
        line.erase(0, kByteOrderMark.size());
    if (line.size() > kLongestLine)
        damaged("the line is longer than 1 MiB");
    if (const size_t bad = firstInvalidUtf8(line); bad != std::string_view::npos)
        damaged("byte " + std::to_string(bad + 1) +
                " of the line is not UTF-8; convert the file (iconv -t UTF-8)");
    if (line.find('\0') != std::string::npos)
        damaged("the line holds a NUL byte, which text does not");
    return true;
}

void LineFile::damagedAt(int64_t line, const std::string& what) const
{
    throw InvalidArgument(path_ + ":" + std::to_string(std::max<int64_t>(1, line)) +
                              " is damaged: " + what + ".",
                          "data_damaged");
}

std::vector<std::string> readLines(const std::string& path, int64_t* bytesRead)
{
    LineFile file(path);
    std::vector<std::string> lines;
    int64_t bytes = 0;
    for (std::string line; file.next(line); lines.push_back(line)) {
        bytes += int64_t(line.size()) + 1;
        if (bytes > kLargestInMemory)
            file.damaged("the text is larger than 4 GiB, which is not read into memory");
    }
    if (bytesRead)
        *bytesRead += file.bytesRead();
    return lines;
}

void writeLines(const std::string& path, const std::vector<std::string>& lines)
{
    // Of its own for each process: several may prepare the same text.
    const std::string part = path + ".part" + std::to_string(::getpid());
    std::FILE* file = std::fopen(part.c_str(), "wbe");
    if (!file)
        notWritable(path, errno);
    bool good = true;
    for (size_t i = 0; good && i < lines.size(); ++i)
        good = std::fwrite(lines[i].data(), 1, lines[i].size(), file) == lines[i].size() &&
               std::fputc('\n', file) != EOF;
    int error = good ? 0 : errno;
    if (std::fclose(file) != 0 && good)
        error = errno;
    if (error == 0 && std::rename(part.c_str(), path.c_str()) != 0)
        error = errno;
    if (error != 0) {
        std::remove(part.c_str());
        notWritable(path, error);
    }
}

} // namespace scalebench::text
