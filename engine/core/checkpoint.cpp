// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/checkpoint.h"

#include "kernels/check.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace scalebench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kMagic[] = "SBCKPT1\n";
constexpr size_t kMagicBytes = 8;
constexpr const char *kLatest = "/latest.sbckpt", *kPrevious = "/previous.sbckpt";
constexpr uint64_t kLongestHeader = 64 << 20;
/// Written and on the disk before the next one is begun.
constexpr size_t kPiece = kCheckpointPiece * sizeof(float);

uint32_t checksum(const void* data, size_t bytes, uint32_t before = 0)
{
    return uint32_t(::crc32_z(before, static_cast<const Bytef*>(data), bytes));
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason)
{
    throw InvalidArgument(path + ": " + reason, "checkpoint");
}

/// A file that is removed again unless it was finished.
class TemporaryFile
{
public:
    explicit TemporaryFile(std::string path) : path_(std::move(path))
    {
        fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd_ < 0)
            fail();
    }
    ~TemporaryFile()
    {
        if (fd_ >= 0)
            ::close(fd_);
        if (!finished_)
            ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(const void* data, size_t bytes)
    {
        const char* at = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t done = ::write(fd_, at, bytes);
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                fail();
            at += done;
            bytes -= size_t(done);
        }
    }
    /// In pieces that reach the disk one by one, so that `written` tells what a slow one does.
    void write(const void* data, size_t bytes, int64_t& sum, const CheckpointProgress& written)
    {
        const char* at = static_cast<const char*>(data);
        for (size_t begin = 0; begin < bytes; begin += kPiece) {
            const size_t piece = std::min(kPiece, bytes - begin);
            write(at + begin, piece);
            if (piece == kPiece && ::fdatasync(fd_) != 0)
                fail();
            sum += int64_t(piece);
            if (written)
                written(sum);
        }
    }
    /// On the disk before the name points to it.
    void finish(const std::string& name)
    {
        if (::fsync(fd_) != 0 || ::rename(path_.c_str(), name.c_str()) != 0)
            fail();
        finished_ = true;
    }

private:
    [[noreturn]] void fail() const
    {
        const int error = errno;
        if (error == ENOSPC || error == EDQUOT)
            throw Error("disk_full",
                        "the disk is full: cannot write the checkpoint " + path_ +
                            ". The one before it is kept. Free some space and resume.");
        throw Error("not_writable",
                    "cannot write the checkpoint " + path_ + ": " + std::strerror(error) +
                        (error == ENOENT ? ". Was the folder of the run moved or removed?" : ""));
    }
    std::string path_;
    int fd_ = -1;
    bool finished_ = false;
};

/// Under a name that nothing is read from.
void setAside(const std::string& path)
{
    if (::rename(path.c_str(), (path + ".unusable").c_str()) != 0 && errno != ENOENT)
        throw Error("not_writable", "cannot rename " + path + ": " + std::strerror(errno));
}

template <typename T>
void readExactly(std::ifstream& in, const std::string& path, T* data, size_t count)
{
    in.read(reinterpret_cast<char*>(data), std::streamsize(count * sizeof(T)));
    if (size_t(in.gcount()) != count * sizeof(T))
        refuse(path, "the file ends early (it was cut off)");
}

Json readHeader(std::ifstream& in, const std::string& path)
{
    char magic[kMagicBytes] = {};
    in.read(magic, kMagicBytes);
    if (in.gcount() != kMagicBytes || std::memcmp(magic, kMagic, kMagicBytes) != 0)
        refuse(path, "it is not a checkpoint of Scalebench");
    uint64_t length = 0;
    readExactly(in, path, &length, 1);
    if (length > kLongestHeader)
        refuse(path, "its header is damaged");
    std::string text(length, '\0');
    readExactly(in, path, text.data(), length);
    uint32_t crc = 0;
    readExactly(in, path, &crc, 1);
    if (crc != checksum(text.data(), text.size()))
        refuse(path, "its header is damaged (checksum)");
    const Json header = Json::parse(text, nullptr, false);
    if (!header.is_object())
        refuse(path, "its header is damaged");
    return header;
}

void readArrays(std::ifstream& in, const std::string& path, const CheckpointWanted& wanted,
                Checkpoint& checkpoint)
{
    const Json& h = checkpoint.header;
    if (h.value("format", "") != "scalebench.checkpoint")
        refuse(path, "it is not a checkpoint of Scalebench");
    if (h.value("version", 0) != 1)
        refuse(path, "it has version " + std::to_string(h.value("version", 0)) +
                         "; this engine reads version 1");
    std::error_code failed;
    const uint64_t left = fs::file_size(path, failed);
    for (const Json& a : h.at("arrays")) {
        Checkpoint::Array array{a.at("name"), {}};
        const uint64_t count = a.at("count");
        if (count > left / sizeof(float))
            refuse(path, "the file ends early (it was cut off)");
        if (wanted && !wanted(array.name)) {
            in.seekg(std::streamoff(count * sizeof(float)), std::ios::cur);
            continue;
        }
        array.values.resize(count);
        readExactly(in, path, array.values.data(), count);
        if (checksum(array.values.data(), count * sizeof(float)) != a.at("crc32").get<uint32_t>())
            refuse(path, "\"" + array.name + "\" is damaged (checksum)");
        checkpoint.arrays.push_back(std::move(array));
    }
}

} // namespace

uint32_t checkpointChecksum(std::span<const float> values, uint32_t before)
{
    return checksum(values.data(), values.size_bytes(), before);
}

uint32_t checkpointChecksumOf(uint32_t first, uint32_t second, size_t secondCount)
{
    return uint32_t(::crc32_combine(first, second, z_off_t(secondCount * sizeof(float))));
}

std::span<const float> Checkpoint::array(const std::string& name, size_t count) const
{
    for (const Array& a : arrays)
        if (a.name == name) {
            if (a.values.size() != count)
                throw InvalidArgument("cannot resume: the checkpoint has " +
                                          std::to_string(a.values.size()) + " values of \"" + name +
                                          "\" where this run has " + std::to_string(count),
                                      "checkpoint");
            return a.values;
        }
    throw InvalidArgument("cannot resume: the checkpoint holds no \"" + name + "\"", "checkpoint");
}

void writeCheckpoint(const std::string& folder, const Json& header,
                     const std::vector<CheckpointArray>& arrays, const CheckpointProgress& written)
{
    Json whole = header;
    whole["format"] = "scalebench.checkpoint";
    whole["version"] = 1;
    whole["arrays"] = Json::array();
    for (const CheckpointArray& a : arrays)
        whole["arrays"].push_back({{"name", a.name},
                                   {"count", a.bring ? a.count : a.values.size()},
                                   {"crc32", a.bring ? a.crc32 : checkpointChecksum(a.values)}});
    const std::string text = whole.dump();
    std::error_code ignored;
    fs::create_directory(folder, ignored); // not those above: a run may have been moved away
    for (const char* name : {kLatest, kPrevious})
        if (fs::is_directory(fs::symlink_status(folder + name, ignored)))
            setAside(folder + name);
    TemporaryFile file(folder + "/writing.sbckpt");
    const uint64_t length = text.size();
    const uint32_t crc = checksum(text.data(), text.size());
    file.write(kMagic, kMagicBytes);
    file.write(&length, sizeof length);
    file.write(text.data(), text.size());
    file.write(&crc, sizeof crc);
    int64_t sum = 0;
    std::vector<float> piece;
    for (const CheckpointArray& a : arrays) {
        if (!a.bring) {
            file.write(a.values.data(), a.values.size_bytes(), sum, written);
            continue;
        }
        for (size_t begin = 0; begin < a.count; begin += kCheckpointPiece) {
            piece.resize(std::min(kCheckpointPiece, a.count - begin));
            a.bring(piece);
            file.write(piece.data(), piece.size() * sizeof(float), sum, written);
        }
    }
    const std::string latest = folder + kLatest;
    fs::rename(latest, folder + kPrevious, ignored);
    file.finish(latest);
}

Checkpoint readCheckpoint(const std::string& path, const CheckpointWanted& wanted)
{
    std::error_code failed;
    if (!fs::is_regular_file(path, failed))
        refuse(path, fs::exists(path, failed) ? "it is no ordinary file" : "there is no such file");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        refuse(path, "it cannot be opened");
    Checkpoint checkpoint;
    checkpoint.header = readHeader(in, path);
    try {
        readArrays(in, path, wanted, checkpoint);
    } catch (const Json::exception&) {
        refuse(path, "its header is damaged");
    }
    return checkpoint;
}

bool isCheckpointFile(const std::string& path)
{
    std::error_code failed;
    char magic[kMagicBytes] = {};
    std::ifstream in;
    if (fs::is_regular_file(path, failed))
        in.open(path, std::ios::binary);
    return in.read(magic, kMagicBytes) && std::memcmp(magic, kMagic, kMagicBytes) == 0;
}

bool useNewestCheckpoint(const std::string& folder,
                         const std::function<void(Checkpoint&& checkpoint)>& use, std::string& note)
{
    std::string why;
    bool unreadable = false;
    for (const char* name : {kLatest, kPrevious}) {
        const std::string path = folder + name;
        std::error_code failed;
        if (!fs::exists(path, failed))
            continue;
        unreadable = unreadable || ::access(path.c_str(), R_OK) != 0;
        try {
            use(readCheckpoint(path));
            note = why.empty() ? ""
                               : "cannot resume from " + why + "; going on from the one before it";
            return true;
        } catch (const InvalidArgument& e) {
            const std::string reason = e.what();
            why += (why.empty() ? "" : "; ") +
                   (reason.starts_with(path) ? reason : path + ": " + reason);
        }
    }
    if (why.empty())
        why = folder + kLatest + ": there is no such file";
    note = "cannot resume from " + why;
    if (unreadable) // it may be whole: nothing is begun anew over a missing permission
        throw InvalidArgument(note + ". May the file be read?", "checkpoint");
    return false;
}

Checkpoint newestCheckpoint(const std::string& folder, std::string& note)
{
    Checkpoint newest;
    if (!useNewestCheckpoint(
            folder, [&](Checkpoint&& checkpoint) { newest = std::move(checkpoint); }, note))
        throw InvalidArgument(note, "checkpoint");
    return newest;
}

void setCheckpointsAside(const std::string& folder)
{
    for (const char* name : {kLatest, kPrevious})
        setAside(folder + name);
}

} // namespace scalebench
