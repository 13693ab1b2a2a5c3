// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/click_binary.h"

#include "engine/workloads/dlrm/row_file.h"
#include "kernels/check.h"

#include <algorithm>
#include <bit>

namespace scalebench::workloads {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are read as they lie");

constexpr int64_t kRowBytes = kClickWords * int64_t(sizeof(int32_t));

class ClickBinary final : public ClickLog
{
public:
    explicit ClickBinary(const std::string& path) : file_(path)
    {
        if (file_.size() == 0)
            throw InvalidArgument(path + " holds no row", "data_empty");
        if (file_.size() % kRowBytes != 0)
            throw InvalidArgument(path + " has " + std::to_string(file_.size()) +
                                      " bytes, which is no whole number of rows of 160 bytes (40 "
                                      "32-bit numbers). It is cut off, or no click log.",
                                  "data_damaged");
    }

    int64_t rows() const override { return file_.size() / kRowBytes; }
    bool hashed() const override { return false; }
    std::string describe(int64_t row) const override
    {
        return file_.path() + ", row " + std::to_string(row) + " (from 0)";
    }
    int64_t read(int64_t first, std::span<Click> out) const override
    {
        thread_local std::vector<int32_t> words;
        words.resize(out.size() * kClickWords);
        file_.read(first * kRowBytes, std::as_writable_bytes(std::span(words)));
        auto word = words.begin();
        for (size_t i = 0; i < out.size(); ++i) {
            Click& click = out[i];
            click.label = *word++;
            if (click.label != 0 && click.label != 1)
                throw InvalidArgument(describe(first + int64_t(i)) + ": the label is " +
                                          std::to_string(click.label) + ", expected 0 or 1",
                                      "data_damaged");
            std::copy_n(word, kClickCounts, click.counts.begin());
            word += kClickCounts;
            std::transform(word, word + kClickCategories, click.categories.begin(),
                           [](int32_t id) { return uint32_t(id); });
            word += kClickCategories;
        }
        return int64_t(out.size()) * kRowBytes;
    }

private:
    RowFile file_;
};

} // namespace

std::unique_ptr<ClickLog> openClickBinary(const std::string& path)
{
    return std::make_unique<ClickBinary>(path);
}

void appendBinary(const Click& click, std::vector<int32_t>& words)
{
    words.push_back(click.label);
    words.insert(words.end(), click.counts.begin(), click.counts.end());
    for (const uint32_t id : click.categories)
        words.push_back(int32_t(id));
}

} // namespace scalebench::workloads
