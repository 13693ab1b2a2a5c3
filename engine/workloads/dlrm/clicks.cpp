// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/clicks.h"

#include "engine/workloads/dlrm/click_binary.h"
#include "engine/workloads/dlrm/click_text.h"
#include "kernels/check.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

namespace fs = std::filesystem;

namespace scalebench::workloads {
namespace {

constexpr const char* kClickFiles =
    "looked for train.bin and test.bin (40 32-bit numbers a row), or train.txt and test.txt in "
    "Criteo's text (also .csv and .tsv; eval, val or dev in place of test)";

/// Some rows of a log.
class LogPart final : public ClickLog
{
public:
    LogPart(std::shared_ptr<const ClickLog> whole, int64_t first, int64_t rows)
        : whole_(std::move(whole)), first_(first), rows_(rows)
    {
    }
    int64_t rows() const override { return rows_; }
    int64_t read(int64_t first, std::span<Click> out) const override
    {
        return whole_->read(first_ + first, out);
    }
    int64_t bytesRead() const override { return first_ == 0 ? whole_->bytesRead() : 0; }
    bool hashed() const override { return whole_->hashed(); }
    std::string describe(int64_t row) const override { return whole_->describe(first_ + row); }

private:
    std::shared_ptr<const ClickLog> whole_;
    int64_t first_, rows_;
};

bool isBinary(const fs::path& file)
{
    return file.extension() == ".bin";
}
bool isText(const fs::path& file)
{
    const std::string ending = file.extension().string();
    return ending == ".csv" || ending == ".tsv" || ending == ".txt";
}

std::unique_ptr<ClickLog> openLog(const fs::path& file)
{
    return isBinary(file) ? openClickBinary(file.string()) : openClickText(file.string());
}

/// "terabyte_processed_train.bin" -> terabyte, processed, train
std::set<std::string> wordsOf(const fs::path& file)
{
    std::set<std::string> words;
    std::string word;
    for (const char c : file.stem().string() + ".") {
        if (std::string_view("._- ").find(c) == std::string_view::npos) {
            word += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        } else {
            words.insert(word);
            word.clear();
        }
    }
    return words;
}

/// The one file with this word in its name, or none.
fs::path fileWith(const std::vector<fs::path>& files, const char* word)
{
    fs::path found;
    for (const fs::path& file : files) {
        if (!wordsOf(file).contains(word))
            continue;
        if (!found.empty())
            throw InvalidArgument("both " + found.string() + " and " + file.filename().string() +
                                      " are \"" + word + "\" by their names; leave one of them",
                                  "data_damaged");
        found = file;
    }
    return found;
}

ClickData openFolder(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (isBinary(it->path()) || isText(it->path()))
            files.push_back(it->path());
    if (failed)
        throw InvalidArgument("cannot read the folder " + folder.string() + ": " + failed.message(),
                              "data_missing");
    const fs::path train = fileWith(files, "train");
    fs::path test;
    for (const char* word : {"test", "eval", "val", "valid", "dev"})
        if (test.empty())
            test = fileWith(files, word);
    if (train.empty() || test.empty())
        throw InvalidArgument(folder.string() + " holds no click log: " + kClickFiles + ".",
                              "data_empty");
    if (isBinary(train) != isBinary(test))
        throw InvalidArgument(train.string() + " and " + test.filename().string() +
                                  " have different layouts; both must be binary or text",
                              "data_damaged");
    return {openLog(train), openLog(test), isBinary(train) ? "binary clicks" : "Criteo text"};
}

} // namespace

ClickData openClicks(const std::string& path)
{
    std::error_code failed;
    if (fs::is_directory(path, failed))
        return openFolder(path);
    if (!fs::exists(path, failed))
        throw InvalidArgument("there is no data at " + path +
                                  ". Check the path; on a cluster it must exist on every node.",
                              "data_missing");
    if (!isText(path))
        throw InvalidArgument(path + " is no click log by its name: " + kClickFiles +
                                  " in a folder, or one text, of which the last tenth is held out.",
                              "data_empty");
    const std::shared_ptr<const ClickLog> whole = openClickText(path);
    const int64_t held = whole->rows() / 10;
    if (held == 0)
        throw InvalidArgument(path + " has " + std::to_string(whole->rows()) +
                                  " rows; at least 10 are needed to hold out a tenth",
                              "data_empty");
    const int64_t kept = whole->rows() - held;
    return {std::make_unique<LogPart>(whole, 0, kept), std::make_unique<LogPart>(whole, kept, held),
            "Criteo text"};
}

} // namespace scalebench::workloads
