// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/generated_set.h"

#include "engine/data/descriptor.h"
#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

/// False: the file was removed meanwhile on another host.
bool lockFile(int fd, int kind, const std::string& path, const std::function<void()>& tick = {})
{
    while (::flock(fd, tick ? kind | LOCK_NB : kind) != 0) {
        if (errno == EWOULDBLOCK) {
            ::flock(fd, LOCK_UN); // else two that want it alone would wait for one another
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            tick();
        } else if (errno == ESTALE) {
            return false;
        } else if (errno != EINTR) {
            throw Error("not_writable", "cannot lock " + path + ": " + std::strerror(errno));
        }
    }
    return true;
}

/// Whether `path` still names the open file: whoever holds another one excludes nobody.
bool isStillAt(int fd, const std::string& path)
{
    struct stat held {
    }, named{};
    return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

fs::path folderOf(const std::string& path)
{
    const fs::path folder = fs::absolute(path).lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path();
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

/// "scalebench-shapes" of a label; empty: it names none.
std::string kindOf(const std::string& label)
{
    const std::string name = lineOfLabel(label, "generator");
    return name.substr(0, name.rfind("-v")); // a later one draws in place of an earlier one
}

[[noreturn]] void leaveAlone(const std::string& what)
{
    throw Error("not_writable", what + " It is left alone: choose another folder for generated "
                                       "data.");
}

/// The first file, relative to the folder, that a set of this label does not draw.
std::optional<std::string> foreignFile(const fs::path& folder, const std::string& label,
                                       const DrawsFile& draws)
{
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, failed), end;
    for (; !failed && entry != end; entry.increment(failed)) {
        const std::string name = entry->path().lexically_relative(folder).generic_string();
        std::error_code gone;
        if (entry->symlink_status(gone).type() == fs::file_type::directory)
            continue; // its files count
        if (name != kLabelFile && draws && !draws(label, name))
            return name;
    }
    if (failed)
        leaveAlone(folder.string() + " cannot be read (" + failed.message() +
                   "), so that nobody can say whether its files are a generated set's.");
    return {};
}

/// Throws where `path` holds anything else than a set of the same kind, whole or in part.
void refuseForeign(const fs::path& folder, const std::string& label, const DrawsFile& draws)
{
    std::error_code failed;
    const fs::file_status there = fs::status(folder, failed);
    if (!fs::exists(there))
        return;
    if (there.type() != fs::file_type::directory)
        leaveAlone(folder.string() + " is a file and no folder.");
    const std::string old = readText(folder / kLabelFile);
    if (old.empty() && !fs::is_empty(folder, failed))
        leaveAlone(folder.string() + " holds files that Scalebench did not draw.");
    const std::string kind = kindOf(old);
    if (!old.empty() && kind != kindOf(label))
        leaveAlone(folder.string() + " holds a generated set of another kind (" +
                   (kind.empty() ? "of no known one" : kind) + ").");
    if (const auto foreign = foreignFile(folder, old, draws))
        leaveAlone(folder.string() + " holds " + *foreign +
                   ", which Scalebench did not draw, beside a generated set that would have to be "
                   "drawn anew.");
}

/// Under the exclusive lock.
void replaceSet(const fs::path& folder, const std::string& label,
                const std::function<void(const fs::path&)>& write)
{
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
    const bool replaces = fs::exists(folder, failed);
    std::error_code kept;
    if (replaces)
        fs::rename(folder, old, kept);
    if (!kept)
        fs::rename(fresh, folder, failed);
    if (kept || failed) {
        std::error_code ignored;
        if (replaces && !kept)
            fs::rename(old, folder, ignored);
        fs::remove_all(fresh, ignored);
        cannotWrite(folder.string(), (kept ? kept : failed).value());
    }
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
ensureGenerated(const std::string& path, const std::string& label, const DrawsFile& draws,
                const std::function<void(const fs::path& folder)>& write,
                const std::function<void()>& tick)
{
    const fs::path folder = folderOf(path);
    const auto isThere = [&] { return readText(folder / kLabelFile) == label; };
    if (!isThere())
        refuseForeign(folder, label, draws); // before anything is put beside it
    const std::string lockPath = folder.string() + ".lock";
    for (;;) {
        Descriptor lock{openLock(folder)};
        const auto hold = [&](int kind) {
            return lockFile(lock.fd, kind, lockPath, tick) && isStillAt(lock.fd, lockPath);
        };
        if (!hold(LOCK_SH))
            continue;
        if (isThere())
            return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
        if (!hold(LOCK_EX))
            continue;
        if (!isThere()) {
            refuseForeign(folder, label, draws);
            replaceSet(folder, label, write);
        }
        // No lock becomes a shared one without a gap, in which another set may have been drawn.
        if (hold(LOCK_SH) && isThere())
            return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
    }
}

std::string labelOfGenerated(const std::string& path)
{
    return readText(folderOf(path) / kLabelFile);
}

void removeLockFile(const std::string& path)
{
    const std::string lockPath = folderOf(path).string() + ".lock";
    const Descriptor lock{::open(lockPath.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    struct stat known {
    };
    // Only one of ours: they are empty. Whoever opened it and waits finds it gone and opens
    // another.
    if (lock.fd >= 0 && ::fstat(lock.fd, &known) == 0 && S_ISREG(known.st_mode) &&
        known.st_size == 0 && ::flock(lock.fd, LOCK_EX | LOCK_NB) == 0 &&
        isStillAt(lock.fd, lockPath))
        ::unlink(lockPath.c_str());
}

DrawsFile drawsOnly(std::vector<std::string> names)
{
    return [names = std::move(names)](const std::string&, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    };
}

std::string lineOfLabel(const std::string& label, const std::string& key)
{
    std::istringstream lines(label);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(key + ": "))
            return line.substr(key.size() + 2);
    return {};
}

int64_t numberOfLabel(const std::string& label, const std::string& key)
{
    const std::string text = lineOfLabel(label, key);
    int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
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
