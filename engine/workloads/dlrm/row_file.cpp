// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/row_file.h"

#include "engine/data/stage_timer.h"
#include "kernels/check.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace scalebench::workloads {

RowFile::RowFile(std::string path) : path_(std::move(path))
{
    // Not blocking: a pipe of that name would wait for a writer for ever.
    fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info {
    };
    if (fd_ < 0 || ::fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) {
        const std::string why = fd_ < 0 ? std::strerror(errno) : "it is no ordinary file";
        if (fd_ >= 0)
            ::close(fd_);
        throw InvalidArgument("cannot read " + path_ + ": " + why, "data_missing");
    }
    size_ = int64_t(info.st_size);
}

RowFile::~RowFile()
{
    ::close(fd_);
}

void RowFile::read(int64_t offset, std::span<std::byte> out) const
{
    const data::StageTimer timer(&InputTimes::readMs);
    while (!out.empty()) {
        const ssize_t n = ::pread(fd_, out.data(), out.size(), off_t(offset));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            throw InvalidArgument(
                path_ + " cannot be read at byte " + std::to_string(offset) + ": " +
                    (n < 0 ? std::strerror(errno) : "it is shorter than when the run began"),
                "data_damaged");
        offset += n;
        out = out.subspan(size_t(n));
    }
}

} // namespace scalebench::workloads
