// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/report.h"

#include "kernels/check.h"

#include <algorithm>
#include <cmath>

#include <unistd.h>

namespace scalebench::bench {
namespace {

/// UTF-8 characters, one column each.
int displayWidth(const std::string& text)
{
    return int(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, int width, bool left)
{
    const std::string space(std::size_t(std::max(0, width - displayWidth(text))), ' ');
    return left ? text + space : space + text;
}

std::string formatCell(const Json& value, const Column& column)
{
    if (value.is_null())
        return "-";
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", std::max(0, column.digits), value.get<double>());
    return text;
}

std::string csvCell(const Json& value)
{
    if (value.is_null())
        return {};
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"')
            quoted += c;
    }
    quoted += '"';
    return quoted;
}

} // namespace

Report::Report(std::string benchmark, Context context, std::FILE* terminal)
    : benchmark_(std::move(benchmark)), context_(std::move(context)), terminal_(terminal)
{
}

void Report::setFiles(std::optional<report::NamedFile> csv, std::optional<report::NamedFile> json)
{
    csv_ = std::move(csv);
    json_ = std::move(json);
}

void Report::writeFiles(bool last)
{
    const auto isDue = [last](const std::optional<report::NamedFile>& file) {
        return file && (last || !file->isStream());
    };
    if (isDue(csv_))
        csv_->write(csv());
    if (isDue(json_))
        json_->write(json().dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    written_ = csv_ || json_ ? rows_.size() : 0;
}

void Report::finish(bool complete)
{
    complete_ = complete;
    writeFiles(true);
}

void Report::setColumns(std::vector<Column> columns)
{
    columns_ = std::move(columns);
    for (Column& c : columns_)
        c.width = std::max(c.width, displayWidth(c.title));
}

void Report::addPeak(const std::string& key, double value, const std::string& sentence)
{
    peaks_[key] = std::isfinite(value) ? Json(value) : Json();
    print(sentence);
}

void Report::addNote(const std::string& sentence)
{
    notes_.push_back(sentence);
    print(sentence);
}

void Report::setLoad(Json load, const std::string& sentence)
{
    load_ = std::move(load);
    print('\n' + sentence);
}

void Report::addRow(const std::map<std::string, Json>& cells)
{
    std::vector<Json> row;
    for (const Column& c : columns_) {
        const auto cell = cells.find(c.key);
        const bool usable = cell != cells.end() && !(cell->second.is_number_float() &&
                                                     !std::isfinite(cell->second.get<double>()));
        row.push_back(usable ? cell->second : Json());
    }
    for (const auto& cell : cells) // not by its parts' names: clang 14 knows none in a lambda
        SB_REQUIRE(std::any_of(columns_.begin(), columns_.end(),
                               [&](const Column& c) { return c.key == cell.first; }),
                   "benchmark " + benchmark_ + ": no column " + cell.first);
    printRow(row);
    rows_.push_back(std::move(row));
    try {
        writeFiles(false);
    } catch (const Error&) { // finish() tells, when all is measured
    }
}

void Report::print(const std::string& line) const
{
    if (terminal_ == nullptr)
        return;
    std::fprintf(terminal_, "%s\n", line.c_str());
    std::fflush(terminal_); // what follows may take minutes
}

void Report::printHeader()
{
    headerPrinted_ = true;
    std::string line;
    for (const Column& c : columns_)
        line += padded(c.title, c.width, c.digits < 0) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    print('\n' + line);
}

void Report::printRow(const std::vector<Json>& row)
{
    if (terminal_ == nullptr)
        return;
    if (!headerPrinted_)
        printHeader();
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& c = columns_[i];
        const bool silent = row[i].is_null() && c.key == "note";
        line += padded(silent ? "" : formatCell(row[i], c), c.width, c.digits < 0) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    print(line);
}

bool Report::nothingMeasured() const
{
    const auto note = std::find_if(columns_.begin(), columns_.end(),
                                   [](const Column& c) { return c.key == "note"; });
    const auto isLeftOut = [at = std::size_t(note - columns_.begin())](const auto& row) {
        const std::string text = row[at].is_string() ? row[at].template get<std::string>() : "";
        return text.starts_with("skipped") || text.starts_with("unsupported");
    };
    return note != columns_.end() && !rows_.empty() &&
           std::all_of(rows_.begin(), rows_.end(), isLeftOut);
}

std::int64_t Report::wrong() const
{
    std::int64_t sum = 0;
    for (const std::vector<Json>& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            if ((columns_[i].key == "wrong" || columns_[i].key.ends_with("_wrong")) &&
                row[i].is_number_integer())
                sum += row[i].get<std::int64_t>();
    return sum;
}

std::string Report::csv() const
{
    std::string text;
    const auto add = [&](std::size_t column, const std::string& cell) {
        if (column > 0)
            text += ',';
        text += cell;
    };
    for (std::size_t i = 0; i < columns_.size(); ++i)
        add(i, columns_[i].key);
    text += '\n';
    for (const std::vector<Json>& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i)
            add(i, csvCell(row[i]));
        text += '\n';
    }
    return text;
}

Json Report::json() const
{
    Json results = Json::array();
    for (const std::vector<Json>& row : rows_) {
        Json object = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i)
            object[columns_[i].key] = row[i];
        results.push_back(std::move(object));
    }
    return {{"command", context_.command},
            {"environment", context_.environment},
            {"version", context_.version},
            {"machine", context_.machine},
            {"format", "scalebench.bench"},
            {"format_version", 1},
            {"benchmark", benchmark_},
            {"complete", complete_},
            {"settings", context_.settings},
            {"peaks", peaks_},
            {"notes", notes_},
            {"load", load_},
            {"results", results}};
}

std::map<std::string, std::string> speedEnvironment()
{
    static const char* const kPrefixes[] = {
        "OMP_",    "GOMP_",       "KMP_",   "OMPI_MCA_",   "DNNL_", "ONEDNN_",
        "MALLOC_", "LD_PRELOAD=", "GLIBC_", "SCALEBENCH_", "NCCL_", "CUDA_"};
    std::map<std::string, std::string> found;
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
        const std::string entry = *at;
        for (const char* prefix : kPrefixes)
            if (entry.starts_with(prefix))
                found[entry.substr(0, entry.find('='))] = entry.substr(entry.find('=') + 1);
    }
    return found;
}

} // namespace scalebench::bench
