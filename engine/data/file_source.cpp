// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/file_source.h"

#include "engine/core/lower_case.h"
#include "engine/data/stage_timer.h"
#include "engine/data/tar_listing.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

/// Device and inode.
using DirectoryId = std::pair<dev_t, ino_t>;

DirectoryId directoryId(const std::string& path)
{
    struct stat info {
    };
    if (::stat(path.c_str(), &info) != 0)
        return {};
    return {info.st_dev, info.st_ino};
}

[[noreturn]] void notReadable(const std::string& path, const std::error_code& why)
{
    throw InvalidArgument("cannot read " + path + ": " + why.message() +
                              ". Give the account that trains the right to read it, or take it out "
                              "of the data.",
                          "data_missing");
}

/// Of a disk that is the data set: only root may read it, and no data lies in it.
bool isLostAndFound(const fs::recursive_directory_iterator& it)
{
    return it.depth() == 0 && it->path().filename() == "lost+found";
}

class FolderWalk
{
public:
    FolderWalk(std::string path, const std::function<bool(const std::string&)>& wanted)
        : path_(std::move(path)), wanted_(wanted)
    {
    }

    void walk()
    {
        std::error_code failed, notThere;
        fs::recursive_directory_iterator it(path_, fs::directory_options::follow_directory_symlink,
                                            failed);
        std::string entered = path_;
        above_ = {directoryId(path_)};
        while (!failed && it != fs::recursive_directory_iterator()) {
            if (it->path().filename().string().starts_with('.') || isLostAndFound(it)) {
                it.disable_recursion_pending();
            } else if (it->is_directory(notThere)) {
                enter(it);
                entered = it->path().string();
            } else {
                it.disable_recursion_pending(); // a link that may not be followed is no failure
                take(*it, it.depth() == 0);
            }
            it.increment(failed);
        }
        if (failed)
            notReadable("the folder " + entered, failed);
    }

    FileListing listing;
    std::vector<std::string> tars; ///< right in the folder

private:
    void enter(fs::recursive_directory_iterator& it)
    {
        above_.resize(size_t(it.depth()) + 1);
        const DirectoryId id = directoryId(it->path().string());
        // A link to a folder above would give its files again and again.
        if (it.depth() > 8 || std::ranges::find(above_, id) != above_.end())
            it.disable_recursion_pending();
        above_.push_back(id);
    }

    void take(const fs::directory_entry& entry, bool top)
    {
        std::error_code failed;
        StoredFile file;
        file.container = entry.path().string();
        file.name = entry.path().lexically_relative(path_).generic_string();
        if (!entry.is_regular_file(failed)) {
            if (entry.is_symlink(failed) && !fs::exists(entry.path(), failed))
                deadLink(file);
            return;
        }
        if (top && isTarName(file.name))
            tars.push_back(file.container);
        if (!wanted_(file.name))
            return;
        file.size = int64_t(entry.file_size(failed));
        if (failed == std::errc::permission_denied)
            notReadable(file.container, failed);
        if (!failed) // else it is gone by now
            listing.files.push_back(std::move(file));
    }

    void deadLink(const StoredFile& link)
    {
        std::error_code failed;
        const std::string message = link.container + " is a link to " +
                                    fs::read_symlink(link.container, failed).string() +
                                    ", which is not there";
        if (wanted_(link.name))
            throw InvalidArgument(message, "data_damaged");
        listing.deadLinks.push_back({link.name, message});
    }

    std::string path_;
    const std::function<bool(const std::string&)>& wanted_;
    std::vector<DirectoryId> above_; ///< of the entry, from the top down
};

} // namespace

std::string StoredFile::describe() const
{
    return inArchive ? container + ", member " + name : container;
}

int64_t StoredFile::storedBytes() const
{
    return bytes ? 0 : packed ? packed->packedBytes(offset, size) : size;
}

std::vector<uint8_t> StoredFile::read() const
{
    const StageTimer timer(&InputTimes::readMs);
    if (bytes)
        return *bytes;
    if (packed) {
        std::vector<uint8_t> content(static_cast<size_t>(size));
        packed->read(offset, content);
        return content;
    }
    // Not blocking: what was a file may be a pipe by now.
    const int fd = ::open(container.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        throw InvalidArgument("cannot open " + container + ": " + std::strerror(errno),
                              "data_damaged");
    std::vector<uint8_t> content(static_cast<size_t>(size));
    size_t have = 0;
    while (have < content.size()) {
        const ssize_t got =
            ::pread(fd, content.data() + have, content.size() - have, offset + off_t(have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            const std::string why = got < 0 ? std::strerror(errno) : "the file ends early";
            ::close(fd);
            throw InvalidArgument("cannot read " + describe() + " beyond byte " +
                                      std::to_string(have) + ": " + why,
                                  "data_damaged");
        }
        have += size_t(got);
    }
    ::close(fd);
    return content;
}

bool isHidden(const std::string& name)
{
    for (size_t from = 0; from < name.size();) {
        const size_t end = std::min(name.find('/', from), name.size());
        const std::string_view part = std::string_view(name).substr(from, end - from);
        if (part.starts_with('.') && part != "." && part != "..")
            return true;
        from = end + 1;
    }
    return false;
}

bool isTarName(const std::string& name)
{
    static constexpr std::array kEndings = {".tar",    ".tar.gz",  ".tgz",
                                            ".tar.xz", ".tar.bz2", ".tar.zst"};
    const std::string low = lowerCase(name);
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](const char* ending) { return low.ends_with(ending); });
}

FileListing listFiles(const std::string& path,
                      const std::function<bool(const std::string&)>& wanted,
                      const BytesProgress& progress, bool namesOnly)
{
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status))
        throw InvalidArgument("there is no data at " + path +
                                  ". Check the path; on a cluster it must exist on every node.",
                              "data_missing");
    FileListing listing;
    if (fs::is_directory(status)) {
        FolderWalk folder(path, wanted);
        folder.walk();
        listing = folder.listing.files.empty() && folder.tars.size() == 1
                      ? listTar(folder.tars.front(), wanted, progress, namesOnly)
                      : std::move(folder.listing);
    } else if (!fs::is_regular_file(status)) {
        throw InvalidArgument(path + " is neither a folder nor an ordinary file", "data_missing");
    } else if (isTarName(path)) {
        listing = listTar(path, wanted, progress, namesOnly);
    } else {
        const fs::path file(path);
        StoredFile one;
        one.name = file.filename().string();
        one.container = path;
        one.size = int64_t(fs::file_size(file, failed));
        listing.files.push_back(std::move(one));
    }
    std::ranges::sort(listing.files, {}, &StoredFile::name);
    return listing;
}

} // namespace scalebench::data
