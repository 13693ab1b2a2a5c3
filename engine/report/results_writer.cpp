// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/results_writer.h"

#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace scalebench::report {
namespace {

const char* eventName(EventType type)
{
    switch (type) {
    case EventType::IntervalStart:
        return "INTERVAL_START";
    case EventType::IntervalEnd:
        return "INTERVAL_END";
    default:
        return "POINT_IN_TIME";
    }
}

void requireFinite(const Json& value, const std::string& key)
{
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
        throw Error("internal", "results stream: the value of \"" + key + "\" is not finite");
    if (value.is_structured())
        for (const auto& item : value)
            requireFinite(item, key);
}

Error writeError(const std::string& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return Error("disk_full",
                     "the disk is full: cannot write " + path + ". Free some space and run again.");
    return Error("not_writable", "cannot write " + path + ": " + std::strerror(error) +
                                     ". Check that the run folder exists and may be written to.");
}

int64_t computersClockMs()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return int64_t(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

namespace fs = std::filesystem;

/// The number under which the stream is put aside next.
int nextAttempt(const std::string& path)
{
    int attempt = 1;
    while (fs::exists(path + ".attempt" + std::to_string(attempt)))
        ++attempt;
    return attempt;
}

} // namespace

ResultsWriter::Clock ResultsWriter::steadyClock(int64_t startMs)
{
    const auto start = std::chrono::steady_clock::now();
    return [startMs, start] {
        const auto since = std::chrono::steady_clock::now() - start;
        return startMs + int64_t(std::chrono::floor<std::chrono::milliseconds>(since).count());
    };
}

ResultsWriter::ResultsWriter(const std::string& path, Clock clock)
    : ResultsWriter(path, std::move(clock), O_TRUNC)
{
}

ResultsWriter::ResultsWriter(const std::string& path, Clock clock, int flags)
    : path_(path), clock_(std::move(clock)), lastWrite_(std::chrono::steady_clock::now())
{
    if (!clock_)
        clock_ = steadyClock(computersClockMs());
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | flags | O_APPEND | O_CLOEXEC, 0666);
    if (fd_ < 0)
        throw writeError(path, errno);
}

std::unique_ptr<ResultsWriter> ResultsWriter::resume(const std::string& path, const Position& from)
{
    const int attempt = nextAttempt(path);
    // The launcher has moved it aside already, so that nobody follows the old one.
    const bool aside = !fs::exists(path) && attempt > 1;
    std::string head(size_t(from.bytes), '\0');
    std::ifstream in(aside ? path + ".attempt" + std::to_string(attempt - 1) : path,
                     std::ios::binary);
    in.read(head.data(), std::streamsize(from.bytes));
    if (in.gcount() != std::streamsize(from.bytes) || (from.bytes > 0 && head.back() != '\n'))
        throw InvalidArgument(path + " does not hold the records up to the checkpoint",
                              "checkpoint");
    // First the copy, then the exchange: at any moment the whole old stream exists.
    const std::string next = path + ".resumed";
    std::ofstream out(next, std::ios::binary);
    out.write(head.data(), std::streamsize(from.bytes));
    out.close();
    std::error_code failed;
    if (out && !aside)
        fs::rename(path, path + ".attempt" + std::to_string(attempt), failed);
    if (out && !failed)
        fs::rename(next, path, failed);
    if (!out || failed)
        throw writeError(path, errno);
    // The pause is told from the one clock to the other: it is none below 0.
    Clock clock = steadyClock(std::max(computersClockMs(), from.timeMs));
    auto writer = std::unique_ptr<ResultsWriter>(new ResultsWriter(path, std::move(clock), 0));
    writer->sequence_ = from.records;
    writer->bytes_ = from.bytes;
    return writer;
}

std::unique_ptr<ResultsWriter> ResultsWriter::startAgain(const std::string& path)
{
    std::error_code failed;
    if (fs::exists(path, failed)) // else the launcher has moved it aside already
        fs::rename(path, path + ".attempt" + std::to_string(nextAttempt(path)), failed);
    if (failed)
        throw writeError(path, failed.value());
    return std::make_unique<ResultsWriter>(path);
}

ResultsWriter::~ResultsWriter()
{
    if (fd_ >= 0)
        ::close(fd_);
}

void ResultsWriter::write(const std::string& nameSpace, EventType type, const std::string& key,
                          const Json& value, Json metadata)
{
    requireFinite(value, key);
    if (metadata.is_null())
        metadata = Json::object();
    requireFinite(metadata, key);
    const std::lock_guard lock(mutex_);
    if (failed_ || finished_)
        return;
    metadata["seq"] = sequence_;
    Json record = {{"namespace", nameSpace},
                   {"time_ms", clock_()},
                   {"event_type", eventName(type)},
                   {"key", key},
                   {"value", value},
                   {"metadata", std::move(metadata)}};
    const std::string line =
        ":::MLLOG " + record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    // Normally one write; a rest is only left when the disk fills up or a signal comes in between.
    size_t done = 0;
    while (done < line.size()) {
        const ssize_t written = ::write(fd_, line.data() + done, line.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            failed_ = true;
            throw writeError(path_, written < 0 ? errno : ENOSPC);
        }
        done += size_t(written);
    }
    ++sequence_;
    bytes_ += int64_t(line.size());
    lastWrite_ = std::chrono::steady_clock::now();
}

void ResultsWriter::finish()
{
    const std::lock_guard lock(mutex_);
    finished_ = true;
}

ResultsWriter::Position ResultsWriter::position() const
{
    const std::lock_guard lock(mutex_);
    return {sequence_, bytes_, clock_()};
}

std::chrono::steady_clock::time_point ResultsWriter::lastWrite() const
{
    const std::lock_guard lock(mutex_);
    return lastWrite_;
}

} // namespace scalebench::report
