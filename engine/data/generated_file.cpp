// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/generated_file.h"

#include "engine/data/descriptor.h"
#include "kernels/check.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace scalebench::data {

void cannotWrite(const std::string& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        throw Error("disk_full", "the disk is full: cannot write the generated data set at " +
                                     path + ". Free some space or choose another data folder.");
    throw Error("not_writable", "cannot write the generated data set at " + path + ": " +
                                    std::strerror(error) +
                                    ". Choose a data folder you may write to.");
}

int createGenerated(const fs::path& file)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        cannotWrite(file.string(), errno);
    return fd;
}

void appendGenerated(int fd, const fs::path& file, const void* bytes, size_t size)
{
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::write(fd, from, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            cannotWrite(file.string(), errno);
        from += written;
        size -= size_t(written);
    }
}

void closeGenerated(int fd, const fs::path& file)
{
    if (::close(fd) != 0)
        cannotWrite(file.string(), errno);
}

void writeGenerated(const fs::path& file, const void* bytes, size_t size)
{
    Descriptor opened{createGenerated(file)};
    appendGenerated(opened.fd, file, bytes, size);
    closeGenerated(std::exchange(opened.fd, -1), file);
}

} // namespace scalebench::data
