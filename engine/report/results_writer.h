// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes the lines of a results stream (resources/protocol/results_stream.md): prefix, JSON,
// sequence numbers, one write(2) a line. What the records mean is run_stream.h's business.

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace scalebench::report {

using Json = nlohmann::ordered_json;

enum class EventType { PointInTime, IntervalStart, IntervalEnd };

/// One open stream. Thread-safe.
class ResultsWriter
{
public:
    /// Milliseconds since 1970.
    using Clock = std::function<int64_t()>;
    /// Shows `startMs` now and goes on steadily, whatever the computer's clock is set to.
    static Clock steadyClock(int64_t startMs);

    /// How far a stream is: the three belong to the same moment, whoever writes meanwhile.
    struct Position {
        int64_t records = 0;
        int64_t bytes = 0;  ///< length of the file
        int64_t timeMs = 0; ///< by its clock
    };

    /// Creates or empties `path`. Without a `clock`: steady from the computer's. Throws Error
    /// (`not_writable`, `disk_full`).
    explicit ResultsWriter(const std::string& path, Clock clock = {});
    /// Goes on behind `from`, its clock never before: the records up to there become a new file at
    /// `path`, and what was there is kept beside it as "<path>.attempt<n>". Throws InvalidArgument
    /// (`checkpoint`) when the file is shorter.
    static std::unique_ptr<ResultsWriter> resume(const std::string& path, const Position& from);
    /// An empty one at `path`; what was there is kept as resume() does.
    static std::unique_ptr<ResultsWriter> startAgain(const std::string& path);
    ~ResultsWriter();
    ResultsWriter(const ResultsWriter&) = delete;
    ResultsWriter& operator=(const ResultsWriter&) = delete;

    /// Appends one record; `metadata` is an object or null. Throws Error (`disk_full`,
    /// `not_writable`) the first time writing fails; later records are then dropped in silence, so
    /// that closing records cannot fail again. Throws Error (`internal`) for a number that is not
    /// finite.
    void write(const std::string& nameSpace, EventType type, const std::string& key,
               const Json& value, Json metadata = Json::object());

    /// Drops every later record: the closing one has been written.
    void finish();

    Position position() const;
    /// When the last record was written.
    std::chrono::steady_clock::time_point lastWrite() const;

private:
    ResultsWriter(const std::string& path, Clock clock, int flags);
    std::string path_;
    Clock clock_;
    int fd_ = -1;
    int64_t sequence_ = 0;
    int64_t bytes_ = 0;
    bool failed_ = false;
    bool finished_ = false;
    std::chrono::steady_clock::time_point lastWrite_;
    mutable std::mutex mutex_;
};

} // namespace scalebench::report
