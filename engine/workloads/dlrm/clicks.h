// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Logs of clicks on advertisements, one row a display, in Criteo's form: whether it was clicked, 13
// counts and 26 categories.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace scalebench::workloads {

inline constexpr int kClickCounts = 13, kClickCategories = 26;

struct Click {
    static constexpr int32_t kNoCount = std::numeric_limits<int32_t>::min();
    /// Of a category in text, whose values are hashes; ids are below it.
    static constexpr uint32_t kNoCategory = std::numeric_limits<uint32_t>::max();

    int32_t label = 0; ///< 1: clicked, 0: not
    std::array<int32_t, kClickCounts> counts{};
    std::array<uint32_t, kClickCategories> categories{};
};

/// Rows in the order of the log, read when asked for: no log is too large. Const calls are
/// thread-safe.
class ClickLog
{
public:
    virtual ~ClickLog() = default;
    ClickLog(const ClickLog&) = delete;
    ClickLog& operator=(const ClickLog&) = delete;

    virtual int64_t rows() const = 0;
    /// Rows first ... first + out.size() - 1. Returns the bytes read. InvalidArgument
    /// (`data_damaged`) names file and row.
    virtual int64_t read(int64_t first, std::span<Click> out) const = 0;
    /// Bytes read to know the rows.
    virtual int64_t bytesRead() const { return 0; }
    /// Whether categories are hashes of texts; else they are rows of the tables.
    virtual bool hashed() const = 0;
    /// "FILE, line 12", "FILE, row 12 (from 0)".
    virtual std::string describe(int64_t row) const = 0;

protected:
    ClickLog() = default;
};

/// What a run trains on and what it is measured with.
struct ClickData {
    std::unique_ptr<ClickLog> training, evaluation;
    std::string format;
};

/// Opens what lies at `path`:
/// - a folder with one file of training and one of evaluation, told by a word of their names:
///   train; test, eval, val, valid or dev, the first of these that is there. NAME.bin is the binary
///   layout (click_binary.h), NAME.csv, .tsv and .txt are Criteo's text (click_text.h);
/// - a text: the last tenth of its rows is held out.
/// Throws InvalidArgument: `data_missing`, `data_empty`, `data_damaged`.
ClickData openClicks(const std::string& path);

} // namespace scalebench::workloads
