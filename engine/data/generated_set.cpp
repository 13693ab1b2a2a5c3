// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/generated_set.h"

#include "engine/data/descriptor.h"
#include "kernels/check.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

constexpr const char* kLabelFile = "GENERATED.txt";

std::string readText(const fs::path& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

[[noreturn]] void cannotWrite(const std::string& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        throw Error("disk_full", "the disk is full: cannot write the generated data set at " +
                                     path + ". Free some space or choose another data folder.");
    throw Error("not_writable", "cannot write the generated data set at " + path + ": " +
                                    std::strerror(error) +
                                    ". Choose a data folder you may write to.");
}

void lockFile(int fd, int kind, const std::string& path, const std::function<void()>& tick = {})
{
    while (::flock(fd, tick ? kind | LOCK_NB : kind) != 0) {
        if (errno == EWOULDBLOCK) {
            ::flock(fd, LOCK_UN); // else two that want it alone would wait for one another
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            tick();
        } else if (errno != EINTR) {
            throw Error("not_writable", "cannot lock " + path + ": " + std::strerror(errno));
        }
    }
}

int openLock(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed);
    const std::string path = folder.string() + ".lock";
    int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); // another user's, or read-only
    if (fd < 0)
        cannotWrite(folder.string(), errno);
    return fd;
}

void refuseForeign(const fs::path& folder)
{
    std::error_code failed;
    if (fs::exists(folder, failed) && !fs::is_empty(folder, failed) &&
        !fs::exists(folder / kLabelFile, failed))
        throw Error("not_writable", folder.string() +
                                        " holds files that Scalebench did not draw; they are "
                                        "left alone. Choose another folder for generated data.");
}

/// Under the exclusive lock.
void replaceSet(const fs::path& folder, const std::string& label,
                const std::function<void(const fs::path&)>& write)
{
    refuseForeign(folder);
    std::error_code failed;
    const fs::path fresh = folder.string() + ".new." + std::to_string(::getpid());
    const fs::path old = folder.string() + ".old." + std::to_string(::getpid());
    fs::remove_all(fresh, failed);
    if (!fs::create_directory(fresh, failed))
        cannotWrite(folder.string(), failed ? failed.value() : EEXIST);
    try {
        write(fresh);
        writeGenerated(fresh / kLabelFile, label.data(), label.size());
    } catch (...) {
        fs::remove_all(fresh, failed);
        throw;
    }
    if (fs::exists(folder, failed))
        fs::rename(folder, old, failed);
    fs::rename(fresh, folder, failed);
    if (failed)
        cannotWrite(folder.string(), failed.value());
    fs::remove_all(old, failed);
}

} // namespace

GeneratedSetLock::~GeneratedSetLock()
{
    ::close(fd_);
}

std::unique_ptr<GeneratedSetLock> holdGenerated(const std::string& path, std::string& label)
{
    const std::string lockPath = path + ".lock";
    Descriptor lock{::open(lockPath.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (lock.fd < 0)
        return {};
    lockFile(lock.fd, LOCK_SH, lockPath);
    label = readText(fs::path(path) / kLabelFile);
    if (label.empty())
        return {};
    return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
}

std::unique_ptr<GeneratedSetLock>
ensureGenerated(const std::string& path, const std::string& label,
                const std::function<void(const fs::path& folder)>& write,
                const std::function<void()>& tick)
{
    fs::path folder = fs::absolute(path).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    const std::string lockPath = folder.string() + ".lock";
    Descriptor lock{openLock(folder)};
    lockFile(lock.fd, LOCK_SH, lockPath, tick);
    if (readText(folder / kLabelFile) != label) {
        lockFile(lock.fd, LOCK_EX, lockPath, tick);
        if (readText(folder / kLabelFile) != label)
            replaceSet(folder, label, write);
        lockFile(lock.fd, LOCK_SH, lockPath);
    }
    return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
}

bool removeGenerated(const std::string& path, const std::string& labelBegins)
{
    const Descriptor lock{
        ::open((path + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (lock.fd < 0 || ::flock(lock.fd, LOCK_EX | LOCK_NB) != 0 ||
        !readText(fs::path(path) / kLabelFile).starts_with(labelBegins))
        return false;
    // Out of the way at once: whoever is cut off here leaves no half of a set.
    const fs::path old = path + ".old." + std::to_string(::getpid());
    std::error_code failed;
    fs::rename(path, old, failed);
    if (failed)
        return false;
    fs::remove_all(old, failed);
    return true;
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
