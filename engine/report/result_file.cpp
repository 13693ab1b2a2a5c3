// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/result_file.h"

#include "kernels/check.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    throw Error(full ? "disk_full" : "not_writable",
                "cannot write " + path + ": " + std::strerror(error));
}

[[noreturn]] void refuse(const std::string& sentence)
{
    throw InvalidArgument(sentence, "usage");
}

/// 0, or the error.
int writeAll(int file, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            return errno;
        done += n > 0 ? std::size_t(n) : 0;
    }
    return 0;
}

/// A name that nobody else has.
int createBeside(const std::string& path, std::string& name)
{
    static std::atomic<unsigned> counter = 0;
    for (;;) {
        name = path + ".tmp" + std::to_string(::getpid()) + '-' + std::to_string(counter++);
        const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
}

/// With the permissions of `like`, where that is given.
void replaceWhole(const std::string& path, const std::string& text, const struct stat* like)
{
    std::string fresh;
    const int file = createBeside(path, fresh);
    if (file < 0)
        fail(path, errno);
    int error = writeAll(file, text);
    if (like != nullptr && error == 0 && ::fchmod(file, like->st_mode & 07777) != 0)
        error = errno;
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && ::rename(fresh.c_str(), path.c_str()) != 0)
        error = errno;
    if (error != 0) {
        ::unlink(fresh.c_str());
        fail(path, error);
    }
}

bool sameFile(const struct stat& a, const struct stat& b)
{
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Standard output or error where that is this file, as with "--csv /dev/stdout > all.txt".
int ownDescriptor(const struct stat& info)
{
    for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat own {
        };
        if (::fstat(file, &own) == 0 && sameFile(own, info))
            return file;
    }
    return -1;
}

} // namespace

void replaceFile(const std::string& path, const std::string& text)
{
    replaceWhole(path, text, nullptr);
}

NamedFile::NamedFile(const std::string& path) : path_(path), target_(path)
{
    struct stat info {
    };
    const bool there = ::stat(path.c_str(), &info) == 0;
    std::error_code failed;
    if (!there && fs::is_symlink(path, failed))
        refuse(path + " is a link to a file that is not there; name the file itself");
    if (there && S_ISDIR(info.st_mode))
        refuse(path + " is a folder; give a file for the results");
    if (there && (S_ISBLK(info.st_mode) || S_ISSOCK(info.st_mode)))
        refuse(path + " is a disk or a socket; give a file for the results");
    if (there && ::access(path.c_str(), W_OK) != 0)
        refuse(path + " is there and must not be written to; give another file for the results");
    stream_ = there && (!S_ISREG(info.st_mode) || ownDescriptor(info) >= 0);
    if (stream_)
        return;
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, failed))
        refuse("there is no folder " + folder.string() + " for the results");
    target_ = fs::weakly_canonical(fs::absolute(path), failed).string();
    if (failed)
        target_ = path;
    if (::access(fs::path(target_).parent_path().c_str(), W_OK) != 0)
        refuse("no file can be written to " + (folder.empty() ? "this folder" : folder.string()));
}

void NamedFile::write(const std::string& text) const
{
    if (stream_)
        return writeStream(text);
    struct stat now {
    };
    const bool there = ::stat(target_.c_str(), &now) == 0;
    replaceWhole(target_, text, there ? &now : nullptr);
}

void NamedFile::writeStream(const std::string& text) const
{
    struct stat info {
    };
    std::fflush(stdout);
    if (::stat(path_.c_str(), &info) == 0 && S_ISREG(info.st_mode))
        if (const int own = ownDescriptor(info); own >= 0) {
            if (const int error = writeAll(own, text); error != 0)
                fail(path_, error);
            return;
        }
    // Without waiting for somebody who reads a pipe: nobody may come.
    const int file = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        fail(path_, errno);
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    int error = writeAll(file, text);
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (error != 0)
        fail(path_, error);
}

} // namespace scalebench::report
