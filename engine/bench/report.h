// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Results of a benchmark: rows under named columns. One writer feeds the table on the terminal (row
// by row, as they come), the CSV and the JSON file, so that the three cannot differ. The files are
// written anew with each row, as a whole: whatever ends a benchmark leaves what was measured until
// then. A pipe gets all at the end.

#include "engine/report/result_file.h"
#include "engine/report/results_writer.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scalebench::bench {

using report::Json;

struct Column {
    std::string key;   ///< name in CSV and JSON, with its unit: "median_ms"
    std::string title; ///< on the terminal: "ms"
    int digits = -1;   ///< decimals on the terminal; -1: a text, left-aligned; 0: a whole number
    int width = 0;     ///< on the terminal, at least the title's
};

/// What the JSON file starts with.
struct Context {
    std::vector<std::string> command;
    std::map<std::string, std::string> environment; ///< what changes the speed: OMP_..., ...
    std::string version;
    Json machine;
    Json settings; ///< of the benchmark: precision, threads, ...
};

class Report
{
public:
    /// `terminal`: where the table goes; null on ranks other than 0 and in tests.
    Report(std::string benchmark, Context context, std::FILE* terminal);

    /// Where rows are kept, if anywhere. Before the first row.
    void setFiles(std::optional<report::NamedFile> csv, std::optional<report::NamedFile> json);
    /// Before the first row.
    void setColumns(std::vector<Column> columns);
    /// A measured reference, kept in the JSON and printed above the table.
    void addPeak(const std::string& key, double value, const std::string& sentence);
    /// A remark: printed above the table (or below, after rows), kept in the JSON.
    void addNote(const std::string& sentence);
    /// What else the host did (disturbance.h), kept in the JSON; the sentence goes below the table.
    void setLoad(Json load, const std::string& sentence);
    /// Cells by key; those missing are empty. Not finite numbers are empty too. "note" is printed
    /// behind the row.
    void addRow(const std::map<std::string, Json>& cells);

    /// No row comes any more; the files say whether they are complete. Throws Error
    /// (`not_writable`, `disk_full`).
    void finish(bool complete = true);

    std::size_t rows() const { return rows_.size(); }
    /// Rows that are in every file that was named.
    std::size_t rowsWritten() const { return written_; }
    /// There are rows, and all were left out: their notes begin with "skipped" or "unsupported".
    bool nothingMeasured() const;
    /// Sum of all columns named "wrong" or "..._wrong".
    std::int64_t wrong() const;
    /// CSV: a header line and one line per row (RFC 4180).
    std::string csv() const;
    /// "complete": whether finish() has said so.
    Json json() const;

private:
    void writeFiles(bool last);
    void print(const std::string& line) const;
    void printHeader();
    void printRow(const std::vector<Json>& row);

    std::string benchmark_;
    Context context_;
    std::FILE* terminal_;
    std::optional<report::NamedFile> csv_, json_;
    bool headerPrinted_ = false, complete_ = false;
    std::vector<Column> columns_;
    std::vector<std::vector<Json>> rows_;
    Json peaks_ = Json::object();
    Json notes_ = Json::array();
    std::size_t written_ = 0;
    Json load_; ///< null: not told
};

/// The variables of this process that change speed: OMP_*, GOMP_*, OMPI_MCA_*, ONEDNN_*, DNNL_*,
/// LD_PRELOAD, MALLOC_*.
std::map<std::string, std::string> speedEnvironment();

} // namespace scalebench::bench
