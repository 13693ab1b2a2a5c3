// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/generated_set.h"

#include "engine/core/file_content.h"
#include "engine/data/descriptor.h"
#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
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

/// "scalebench-shapes" of a generator; a later version draws in place of an earlier one.
std::string kindOfName(const std::string& generator)
{
    return generator.substr(0, generator.rfind("-v"));
}

/// Of a label; empty: it names no generator.
std::string kindOf(const std::string& label)
{
    return kindOfName(lineOfLabel(label, "generator"));
}

/// "scalebench-shapes-v1" of "scalebench-shapes-v1-0123456789abcdef"; empty: no library's folder.
std::string generatorOfFolder(const std::string& name)
{
    constexpr size_t kDigits = 16;
    if (name.size() <= kDigits + 1 || name[name.size() - kDigits - 1] != '-' ||
        name.find_first_not_of("0123456789abcdef", name.size() - kDigits) != std::string::npos)
        return {};
    return name.substr(0, name.size() - kDigits - 1);
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
    const std::string old = contentOf(folder / kLabelFile);
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

/// "0123" of "0123.new.77", which process 77 had begun; empty: it is no such folder's name.
std::string begunSet(const std::string& name)
{
    constexpr size_t kMiddle = 5;
    for (const char* middle : {".new.", ".old."})
        if (const size_t at = name.rfind(middle);
            at != std::string::npos && at + kMiddle < name.size() &&
            name.find_first_not_of("0123456789", at + kMiddle) == std::string::npos)
            return name.substr(0, at);
    return {};
}

/// Under the exclusive lock, so that whoever began it is dead. A person may have named a folder so:
/// only one of nothing but what a set of this label draws goes.
void removeBegun(const fs::path& folder, const std::string& label, const DrawsFile& draws)
{
    std::error_code failed, gone;
    for (fs::directory_iterator entry(folder.parent_path(), failed), end; !failed && entry != end;
         entry.increment(failed))
        if (begunSet(entry->path().filename().string()) == folder.filename().string() &&
            entry->symlink_status(gone).type() == fs::file_type::directory && draws &&
            !foreignFile(entry->path(), label, draws))
            fs::remove_all(entry->path(), gone);
}

/// Where a library keeps a set for each label: the generator's others that nothing has read for
/// long. Early ones lie in a folder of the generator's name.
void removeUnusedBeside(const fs::path& folder, const DrawsFile& draws)
{
    const std::string kind = kindOfName(generatorOfFolder(folder.filename().string()));
    if (kind.empty())
        return;
    removeUnusedSets(folder.parent_path(), [&](const fs::path& set, const std::string& label) {
        const std::string name = set.filename().string();
        const std::string generator = generatorOfFolder(name);
        if (label.empty())
            return kindOfName(generator) == kind;
        return kindOf(label) == kind && !foreignFile(set, label, draws) &&
               lineOfLabel(label, "generator") == (generator.empty() ? name : generator);
    });
}

/// Under the exclusive lock.
void replaceSet(const fs::path& folder, const std::string& label,
                const std::function<void(const fs::path&)>& write)
{
    std::error_code failed;
    const fs::path fresh = folder.string() + ".new." + std::to_string(::getpid());
    const fs::path old = folder.string() + ".old." + std::to_string(::getpid());
    if (!fs::create_directory(fresh, failed))
        cannotWrite(folder.string(), failed ? failed.value() : EEXIST);
    try {
        write(fresh);
        writeGenerated(fresh / kLabelFile, label.data(), label.size());
    } catch (const Error& e) {
        fs::remove_all(fresh, failed);
        if (e.code() != "disk_full" && e.code() != "not_writable")
            throw;
        std::string message = e.what(); // of the set's name, which a person knows
        if (const auto at = message.find(fresh.string()); at != std::string::npos)
            message.replace(at, fresh.string().size(), folder.string());
        throw Error(e.code(), message);
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
    label = contentOf(fs::path(path) / kLabelFile);
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
    const auto isThere = [&] { return contentOf(folder / kLabelFile) == label; };
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
        if (isThere()) {
            noteUse(folder);
            return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
        }
        if (!hold(LOCK_EX))
            continue;
        if (!isThere()) {
            refuseForeign(folder, label, draws);
            removeBegun(folder, label, draws);
            replaceSet(folder, label, write);
            removeUnusedBeside(folder, draws);
        }
        // No lock becomes a shared one without a gap, in which another set may have been drawn.
        if (hold(LOCK_SH) && isThere())
            return std::make_unique<GeneratedSetLock>(std::exchange(lock.fd, -1));
    }
}

void removeSet(const fs::path& path, const IsOurs& isOurs)
{
    const Descriptor lock{
        ::open((path.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (lock.fd < 0 || ::flock(lock.fd, LOCK_EX | LOCK_NB) != 0)
        return;
    const std::string label = contentOf(path / kLabelFile);
    if (label.empty() || !isOurs(path, label))
        return;
    // Out of the way at once: whoever is cut off here leaves no half of a set.
    const fs::path old = path.string() + ".old." + std::to_string(::getpid());
    std::error_code failed;
    fs::rename(path, old, failed);
    if (!failed)
        fs::remove_all(old, failed);
}

void removeUnusedSets(const fs::path& parent, const IsOurs& isOurs)
{
    const auto now = fs::file_time_type::clock::now();
    std::error_code failed;
    for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code gone; // by another process meanwhile
        if (entry->symlink_status(gone).type() != fs::file_type::directory)
            continue;
        const auto age = now - entry->last_write_time(gone);
        if (gone)
            continue;
        const std::string begun = begunSet(entry->path().filename().string());
        if (!begun.empty()) { // no set takes two days to write
            if (age > std::chrono::hours(24 * 2) && isOurs(parent / begun, {}))
                fs::remove_all(entry->path(), gone);
        } else if (age > std::chrono::hours(24 * kUnusedDays)) {
            removeSet(entry->path(), isOurs);
        }
    }
}

void noteUse(const fs::path& path)
{
    std::error_code readOnly; // somebody else's, who then says how long it is kept
    fs::last_write_time(path, fs::file_time_type::clock::now(), readOnly);
}

std::string labelOfGenerated(const std::string& path)
{
    return contentOf(folderOf(path) / kLabelFile);
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

} // namespace scalebench::data
