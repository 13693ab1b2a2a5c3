// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/file_source.h"

#include "engine/core/lower_case.h"
#include "engine/data/packed_size.h"
#include "engine/data/stage_timer.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

constexpr int64_t kMostHeldBytes = int64_t{2} << 30; ///< of each worker, in a packed tar
constexpr size_t kMostMembers = 50'000'000;          ///< ImageNet-21k has 14 million

struct ArchiveDeleter {
    void operator()(archive* a) const { archive_read_free(a); }
};

/// `at`: how far the file was read; -1 where the compression itself is broken.
[[noreturn]] void tarDamaged(const std::string& path, archive* a, int64_t at,
                             const std::string& member)
{
    const char* text = archive_error_string(a);
    throw InvalidArgument(
        path + " is damaged" + (at >= 0 ? " at byte " + std::to_string(at) : std::string()) +
            (member.empty() ? "" : ", in member " + member) + ": " +
            (text != nullptr ? text : "unknown reason") + ". Download or copy it again.",
        "data_damaged");
}

std::shared_ptr<std::vector<uint8_t>> readMember(archive* a, archive_entry* entry,
                                                 const std::string& path, const std::string& name)
{
    // As much as comes: a header may say anything.
    constexpr size_t kPiece = size_t{1} << 20;
    const auto size = size_t(archive_entry_size(entry));
    auto bytes = std::make_shared<std::vector<uint8_t>>();
    while (bytes->size() < size) {
        const size_t have = bytes->size();
        bytes->resize(have + std::min(std::max(kPiece, have), size - have));
        const la_ssize_t got = archive_read_data(a, bytes->data() + have, bytes->size() - have);
        if (got < 0)
            tarDamaged(path, a, archive_filter_bytes(a, -1), name);
        if (got == 0)
            throw InvalidArgument(path + ", member " + name + ", ends early", "data_damaged");
        bytes->resize(have + size_t(got));
    }
    return bytes;
}

std::string cleaned(const char* name)
{
    return name == nullptr ? std::string() : fs::path(name).lexically_normal().generic_string();
}

/// Of a hard or symbolic link the member that it stands for; else empty.
std::string linkTarget(archive_entry* entry, const std::string& name)
{
    if (const char* target = archive_entry_hardlink(entry))
        return cleaned(target);
    const char* target = archive_entry_symlink(entry);
    if (archive_entry_filetype(entry) != AE_IFLNK || target == nullptr)
        return {};
    return (fs::path(name).parent_path() / target).lexically_normal().generic_string();
}

/// A link may lead to a link, and so on; as many as Linux follows.
constexpr int kMostLinks = 40;

/// Links are files of their own name with the bytes of another, as in an unpacked tar.
void addLinks(const std::string& path,
              const std::vector<std::pair<std::string, std::string>>& links,
              std::vector<StoredFile>& files)
{
    std::map<std::string, size_t> byName;
    for (size_t i = 0; i < files.size() && !links.empty(); ++i)
        byName[files[i].name] = i;
    const std::map<std::string, std::string> targets(links.begin(), links.end());
    for (const auto& [name, target] : links) {
        auto found = byName.find(target);
        auto next = targets.find(target); // a link may stand before the one it leads to
        for (int steps = 0; found == byName.end() && next != targets.end() && steps < kMostLinks;
             ++steps) {
            found = byName.find(next->second);
            next = targets.find(next->second);
        }
        if (found == byName.end())
            throw InvalidArgument(path + ", member " + name + ", is a link to " + target +
                                      ", which is no picture in this tar",
                                  "data_damaged");
        StoredFile file = files[found->second];
        file.name = name;
        byName[name] = files.size();
        files.push_back(std::move(file));
    }
}

/// A gzip file on its way through libarchive, which is C: what is thrown waits until it returns.
struct UnpackedStream {
    std::shared_ptr<GzipFile> file;
    std::vector<uint8_t> piece = std::vector<uint8_t>(size_t{1} << 18);
    std::exception_ptr failure;

    static la_ssize_t next(archive* a, void* self, const void** bytes)
    {
        auto& stream = *static_cast<UnpackedStream*>(self);
        *bytes = stream.piece.data();
        try {
            return la_ssize_t(stream.file->readOn(stream.piece));
        } catch (...) {
            stream.failure = std::current_exception();
            archive_set_error(a, EIO, "damaged");
            return -1;
        }
    }
    void rethrow() const
    {
        if (failure)
            std::rethrow_exception(failure);
    }
    /// Behind the end of the tar there may be more, and a checksum is.
    void drain()
    {
        while (file->readOn(piece) > 0) {
        }
    }
};

[[noreturn]] void tooLargeToHold(const std::string& path, const char* with)
{
    throw InvalidArgument(path + " unpacks to more than 2 GiB. A tar packed with " + with +
                              " is kept in the memory of every worker, which is too much for it. "
                              "Unpack it into a folder, or pack it with gzip, which is read where "
                              "it lies.",
                          "unsupported");
}

std::vector<StoredFile> listTar(const std::string& path,
                                const std::function<bool(const std::string&)>& wanted,
                                const BytesProgress& progress, bool namesOnly)
{
    std::unique_ptr<archive, ArchiveDeleter> a(archive_read_new());
    archive_read_support_format_tar(a.get());
    UnpackedStream gzip;
    const PackedSize packed = packedSize(path);
    if (packed.leastBytes > kMostHeldBytes && !namesOnly)
        tooLargeToHold(path, packed.with); // before it is read
    if (GzipFile::isGzip(path)) {
        gzip.file = std::make_shared<GzipFile>(path);
        archive_read_open(a.get(), &gzip, nullptr, UnpackedStream::next, nullptr);
        gzip.rethrow();
    } else {
        archive_read_support_filter_all(a.get());
        if (archive_read_open_filename(a.get(), path.c_str(), size_t{1} << 18) != ARCHIVE_OK)
            tarDamaged(path, a.get(), archive_filter_bytes(a.get(), -1), {});
    }
    const auto readTo = [&] {
        return gzip.file ? gzip.file->packedPosition() : archive_filter_bytes(a.get(), -1);
    };
    std::error_code ignored;
    const int64_t total = int64_t(fs::file_size(path, ignored));
    std::vector<StoredFile> files;
    std::vector<std::pair<std::string, std::string>> links; // name, target
    int64_t held = 0;
    archive_entry* entry = nullptr;
    for (;;) {
        const int status = archive_read_next_header(a.get(), &entry);
        gzip.rethrow();
        if (status == ARCHIVE_EOF)
            break;
        if (status < ARCHIVE_WARN)
            tarDamaged(path, a.get(), readTo(),
                       files.empty() ? std::string() : "after " + files.back().name);
        const char* rawName = archive_entry_pathname(entry);
        const std::string name = cleaned(rawName);
        if (name.empty() || !wanted(name))
            continue;
        if (const std::string target = linkTarget(entry, name);
            !target.empty() && links.size() < kMostMembers) {
            links.emplace_back(name, target);
            continue;
        }
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        StoredFile file;
        file.name = name;
        file.container = path;
        file.inArchive = true;
        file.size = archive_entry_size(entry);
        if (archive_entry_sparse_count(entry) > 0 || files.size() >= kMostMembers)
            throw InvalidArgument(path + (files.size() < kMostMembers
                                              ? ", member " + name +
                                                    ", is stored with holes (GNU sparse). Make the "
                                                    "tar again without -S."
                                              : std::string(" has more than 50 million members")),
                                  "unsupported");
        file.packed = gzip.file;
        if (archive_filter_code(a.get(), 0) == ARCHIVE_FILTER_NONE) {
            file.offset = archive_filter_bytes(a.get(), 0);
            if (!gzip.file && file.size > total - file.offset)
                throw InvalidArgument(path + ", member " + name + ": the tar ends at byte " +
                                          std::to_string(total) +
                                          ", inside this member. Copy it again.",
                                      "data_damaged");
        } else if (!namesOnly) {
            if (file.size > kMostHeldBytes - held)
                tooLargeToHold(path, archive_filter_name(a.get(), 0));
            held += file.size;
            file.bytes = readMember(a.get(), entry, path, name);
        }
        files.push_back(std::move(file));
        if (progress && files.size() % 512 == 0)
            progress(readTo(), total);
    }
    if (gzip.file)
        gzip.drain();
    addLinks(path, links, files);
    return files;
}

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

std::vector<StoredFile> listFolder(const std::string& path,
                                   const std::function<bool(const std::string&)>& wanted,
                                   std::vector<std::string>& tars)
{
    std::vector<StoredFile> files;
    const auto options = fs::directory_options::follow_directory_symlink |
                         fs::directory_options::skip_permission_denied;
    std::vector<DirectoryId> above{directoryId(path)}; // of the entry, from `path` down
    for (auto it = fs::recursive_directory_iterator(path, options);
         it != fs::recursive_directory_iterator(); ++it) {
        std::error_code failed;
        if (it->is_directory(failed)) {
            above.resize(size_t(it.depth()) + 1);
            const DirectoryId id = directoryId(it->path().string());
            // A link to a folder above would give its files again and again.
            if (it.depth() > 8 || std::ranges::find(above, id) != above.end())
                it.disable_recursion_pending();
            above.push_back(id);
            continue;
        }
        StoredFile file;
        file.container = it->path().string();
        file.name = it->path().lexically_relative(path).generic_string();
        if (!it->is_regular_file(failed)) {
            if (it->is_symlink(failed) && !fs::exists(it->path(), failed) && wanted(file.name))
                throw InvalidArgument(file.container + " is a link to " +
                                          fs::read_symlink(it->path(), failed).string() +
                                          ", which is not there",
                                      "data_damaged");
            continue;
        }
        if (it.depth() == 0 && isTarName(file.name))
            tars.push_back(file.container);
        if (!wanted(file.name))
            continue;
        file.size = int64_t(it->file_size(failed));
        if (!failed) // else it is gone by now
            files.push_back(std::move(file));
    }
    return files;
}

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

bool isTarName(const std::string& name)
{
    static constexpr std::array kEndings = {".tar",    ".tar.gz",  ".tgz",
                                            ".tar.xz", ".tar.bz2", ".tar.zst"};
    const std::string low = lowerCase(name);
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](const char* ending) { return low.ends_with(ending); });
}

std::vector<StoredFile> listFiles(const std::string& path,
                                  const std::function<bool(const std::string&)>& wanted,
                                  const BytesProgress& progress, bool namesOnly)
{
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status))
        throw InvalidArgument("there is no data at " + path +
                                  ". Check the path; on a cluster it must exist on every node.",
                              "data_missing");
    std::vector<StoredFile> files;
    if (fs::is_directory(status)) {
        std::vector<std::string> tars;
        try {
            files = listFolder(path, wanted, tars);
        } catch (const fs::filesystem_error& e) {
            throw InvalidArgument("cannot read the folder " + path + ": " + e.code().message(),
                                  "data_missing");
        }
        if (files.empty() && tars.size() == 1)
            files = listTar(tars.front(), wanted, progress, namesOnly);
    } else if (!fs::is_regular_file(status)) {
        throw InvalidArgument(path + " is neither a folder nor an ordinary file", "data_missing");
    } else if (isTarName(path)) {
        files = listTar(path, wanted, progress, namesOnly);
    } else {
        const fs::path file(path);
        StoredFile one;
        one.name = file.filename().string();
        one.container = path;
        one.size = int64_t(fs::file_size(file, failed));
        files.push_back(std::move(one));
    }
    std::sort(files.begin(), files.end(),
              [](const StoredFile& a, const StoredFile& b) { return a.name < b.name; });
    return files;
}

} // namespace scalebench::data
