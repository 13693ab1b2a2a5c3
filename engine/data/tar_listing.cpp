// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/tar_listing.h"

#include "engine/data/packed_size.h"
#include "engine/data/tar_links.h"
#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include <archive.h>
#include <archive_entry.h>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

constexpr int64_t kMostHeldBytes = int64_t{2} << 30; ///< of each worker, in a packed tar

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
    std::string path = cleaned((fs::path(name).parent_path() / target).c_str());
    if (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    return path;
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

} // namespace

FileListing listTar(const std::string& path, const std::function<bool(const std::string&)>& wanted,
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
    FileListing listing;
    std::vector<StoredFile>& files = listing.files;
    std::vector<TarLink> links;
    const auto tooMany = [&](size_t members) {
        if (members >= kMostMembers)
            throw InvalidArgument(path + " has more than 50 million members", "unsupported");
    };
    int64_t held = 0;
    std::string last; ///< member so far, wanted or not
    archive_entry* entry = nullptr;
    for (;;) {
        const int status = archive_read_next_header(a.get(), &entry);
        gzip.rethrow();
        if (status == ARCHIVE_EOF)
            break;
        // What is to be tried again is a header with a wrong checksum, whose member would be
        // missing.
        if (status < ARCHIVE_WARN || status == ARCHIVE_RETRY)
            tarDamaged(path, a.get(), readTo(), last.empty() ? std::string() : "after " + last);
        const char* rawName = archive_entry_pathname(entry);
        const std::string name = cleaned(rawName);
        last = name;
        if (name.empty() || isHidden(name))
            continue;
        if (const std::string target = linkTarget(entry, name); !target.empty()) {
            // What is no file that is wanted may be a folder of such, or on the way to one.
            const bool hard = archive_entry_filetype(entry) != AE_IFLNK;
            tooMany(links.size());
            if (!hard || wanted(name))
                links.push_back({name, target, files.size(), hard});
            continue;
        }
        if (archive_entry_filetype(entry) != AE_IFREG || !wanted(name))
            continue;
        tooMany(files.size());
        StoredFile file;
        file.name = name;
        file.container = path;
        file.inArchive = true;
        file.size = archive_entry_size(entry);
        if (archive_entry_sparse_count(entry) > 0)
            throw InvalidArgument(path + ", member " + name +
                                      ", is stored with holes (GNU sparse). Make the tar again "
                                      "without -S.",
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
    // libarchive takes the end of the file for the end of the tar.
    if (!last.empty() && archive_filter_bytes(a.get(), 0) <= archive_read_header_position(a.get()))
        throw InvalidArgument(path + " ends after member " + last +
                                  " without the mark that ends a tar: it was cut off there. "
                                  "Download or copy it again.",
                              "data_damaged");
    if (gzip.file)
        gzip.drain();
    std::string first;
    if (const int64_t replaced = keepLastOfEachName(files, links, first); replaced > 0)
        listing.remarks.push_back(path +
                                  " has members twice, as \"tar -r\" and \"tar -u\" leave "
                                  "them. The last of each counts; left out: " +
                                  std::to_string(replaced) + ", the first: " + first);
    addLinks(path, links, wanted, listing);
    return listing;
}

} // namespace scalebench::data
