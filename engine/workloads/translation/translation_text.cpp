// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_text.h"

#include "engine/data/parallel.h"
#include "engine/text/byte_pairs.h"
#include "engine/text/unicode.h"
#include "engine/text/word_counts.h"
#include "engine/workloads/translation/language_pair.h"
#include "kernels/check.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace scalebench::workloads {
namespace {

namespace fs = std::filesystem;

/// Pairs that are read, then cut, together.
constexpr size_t kPieceOfText = size_t{1} << 14;

/// The file NAME.LANGUAGE of the folder, plain or gzipped; empty where there is none.
std::string fileOf(const std::string& folder, const std::string& name)
{
    for (const char* ending : {"", ".gz"}) {
        std::string path = (fs::path(folder) / (name + ending)).string();
        std::error_code failed;
        if (fs::exists(path, failed))
            return path;
    }
    return {};
}

/// The first names there, for a message.
std::string someNames(const std::string& folder)
{
    constexpr size_t kMost = 12;
    std::set<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        names.insert(it->path().filename().string());
    if (names.empty())
        return "nothing else";
    std::string text;
    size_t shown = 0;
    for (const std::string& name : names) {
        if (shown++ == kMost)
            return text + " and more";
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

void refuseDeadLink(const fs::path& file)
{
    std::error_code failed;
    if (fs::is_symlink(file, failed) && !fs::exists(file, failed))
        throw InvalidArgument(file.string() + " is a link to " +
                                  fs::read_symlink(file, failed).string() + ", which is not there",
                              "data_missing");
}

/// The two files of a part of the data, or the one with both languages.
std::vector<std::string> partFiles(const std::string& folder, const std::string& name,
                                   const TranslationRecipe& recipe)
{
    const std::string source = fileOf(folder, name + "." + recipe.sourceLanguage);
    const std::string target = fileOf(folder, name + "." + recipe.targetLanguage);
    if (!source.empty() && !target.empty())
        return {source, target};
    if (!recipe.languagesNamed && source.empty() && target.empty()) {
        std::string made = fileOf(folder, name + "." + kPairSource);
        std::string translated = fileOf(folder, name + "." + kPairTarget);
        if (!made.empty() && !translated.empty())
            return {std::move(made), std::move(translated)};
    }
    if (std::string tabbed = fileOf(folder, name + ".tsv"); !tabbed.empty())
        return {std::move(tabbed)};
    for (const std::string& language : {recipe.sourceLanguage, recipe.targetLanguage})
        for (const char* packed : {"", ".gz"})
            refuseDeadLink(fs::path(folder) / (name + "." + language + packed));
    throw InvalidArgument(
        folder + " has no " + name + "." +
            (source.empty() ? recipe.sourceLanguage : recipe.targetLanguage) +
            " (or with .gz), nor " + name + ".tsv, but " + someNames(folder) +
            ". Name yours by the settings data.train, data.eval, "
            "data.source_language and data.target_language (--set data.eval=NAME)",
        "data_missing");
}

text::OneSided oneSidedOf(const TranslationRecipe& recipe)
{
    return recipe.dropOneSided ? text::OneSided::Drop : text::OneSided::Refuse;
}

int64_t sizeOf(const std::vector<std::string>& files)
{
    int64_t sum = 0;
    std::error_code failed;
    for (const std::string& file : files)
        if (const auto size = fs::file_size(file, failed); !failed)
            sum += int64_t(size);
    return sum;
}

void lower(std::vector<std::string>& lines)
{
    for (std::string& line : lines)
        line = text::lowerCase(line);
}

std::string counted(int64_t n, const char* what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

} // namespace

std::vector<std::string> translationFiles(const std::string& folder,
                                          const TranslationRecipe& recipe)
{
    std::vector<std::string> files;
    for (const std::string& part : {recipe.train, recipe.eval})
        for (std::string& file : partFiles(folder, part, recipe))
            files.push_back(std::move(file));
    if (std::string codes = fileOf(folder, "codes"); !codes.empty())
        files.push_back(std::move(codes));
    return files;
}

TranslationText::TranslationText(std::string folder, const TranslationRecipe& recipe, int threads,
                                 LoadProgress progress)
    : folder_(std::move(folder)), recipe_(recipe), threads_(threads), progress_(std::move(progress))
{
    const std::vector<std::string> train = partFiles(folder_, recipe_.train, recipe_);
    const std::vector<std::string> eval = partFiles(folder_, recipe_.eval, recipe_);
    toRead_ = 2 * sizeOf(train) + sizeOf(eval);
    countAndLearn();
}

void TranslationText::tick() const
{
    if (progress_)
        progress_(bytesRead_, toRead_);
}

text::ParallelText TranslationText::readTraining(const TakeLines& take)
{
    text::ParallelReader reader(partFiles(folder_, recipe_.train, recipe_), oneSidedOf(recipe_));
    const int64_t before = bytesRead_;
    text::ParallelText left;
    std::vector<std::string> sources, targets;
    int64_t pairs = 0;
    const auto hand = [&] {
        bytesRead_ = before + reader.bytesRead();
        tick();
        if (recipe_.lowerCase)
            lower(sources), lower(targets);
        take(sources, targets);
        sources.clear();
        targets.clear();
    };
    for (std::string source, target; reader.next(source, target); ++pairs) {
        sources.push_back(std::move(source));
        targets.push_back(std::move(target));
        if (sources.size() == kPieceOfText)
            hand();
    }
    hand();
    text::requirePairs(pairs, reader.path());
    left.blankPairs = reader.blankPairs();
    left.oneSidedPairs = reader.oneSidedPairs();
    return left;
}

void TranslationText::countAndLearn()
{
    const text::WordMode mode =
        recipe_.blanks ? text::WordMode::Blanks : text::WordMode::Reversible;
    text::WordCounter counter;
    readTraining([&](std::vector<std::string>& source, std::vector<std::string>& target) {
        counter.add(source, mode, threads_);
        counter.add(target, mode, threads_);
    });
    const std::vector<std::string> files = partFiles(folder_, recipe_.eval, recipe_);
    eval_ = files.size() == 1 ? text::readTabbedText(files[0], oneSidedOf(recipe_))
                              : text::readParallelText(files[0], files[1], oneSidedOf(recipe_));
    bytesRead_ += eval_.bytesRead;
    if (recipe_.lowerCase)
        lower(eval_.source), lower(eval_.target);
    tick();
    const text::WordCounts words = std::exchange(counter, {}).counts();
    const std::string codes = fileOf(folder_, "codes");
    const text::BytePairs pairs =
        codes.empty() ? text::BytePairs::learn(words, recipe_.merges, 2, [this] { tick(); })
                      : text::BytePairs::read(codes, &bytesRead_);
    tick();
    tokenizer_ = std::make_shared<text::SubwordTokenizer>(
        mode, pairs, text::SubwordVocabulary::build(words, pairs));
}

std::vector<std::vector<int32_t>>
TranslationText::encode(const std::vector<std::string>& lines) const
{
    std::vector<std::vector<int32_t>> out(lines.size());
    data::parallelFor(
        int64_t(lines.size()), threads_,
        [&](int64_t i) { out[size_t(i)] = tokenizer_->encode(lines[size_t(i)]); },
        [this] { tick(); });
    return out;
}

void TranslationText::cutTraining(const TakePair& take)
{
    const auto longest = size_t(recipe_.maxTokens);
    TooLong tooLong;
    int64_t taken = 0, all = 0;
    const text::ParallelText left =
        readTraining([&](std::vector<std::string>& sources, std::vector<std::string>& targets) {
            const auto source = encode(sources), target = encode(targets);
            all += int64_t(source.size());
            for (size_t i = 0; i < source.size(); ++i) {
                std::span<const int32_t> s = source[i], t = target[i];
                if (s.size() > longest || t.size() + 1 > longest) {
                    if (!recipe_.truncate) {
                        ++tooLong.dropped;
                        continue;
                    }
                    ++tooLong.truncated;
                    s = s.first(std::min(s.size(), longest));
                    t = t.first(std::min(t.size(), longest - 1));
                }
                take(s, t);
                ++taken;
            }
        });
    remark(left, tooLong, "training");
    if (taken == 0)
        throw InvalidArgument("all " + std::to_string(all) + " training pairs of " + folder_ +
                                  " have more than \"data.max_tokens\" " +
                                  std::to_string(recipe_.maxTokens) + " tokens",
                              "data_empty");
}

void TranslationText::cutEvaluation(const TakePair& take)
{
    const auto longest = size_t(recipe_.maxTokens);
    const auto source = encode(eval_.source), target = encode(eval_.target);
    TooLong tooLong;
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i].size() > longest)
            ++tooLong.truncated;
        take(std::span(source[i]).first(std::min(source[i].size(), longest)),
             std::span(target[i]).first(std::min(target[i].size(), longest - 1)));
    }
    remark(eval_, tooLong, "evaluation");
}

void TranslationText::remark(const text::ParallelText& text, const TooLong& tooLong,
                             const char* part)
{
    const std::string above = " above " + std::to_string(recipe_.maxTokens) + " tokens ";
    const std::string of = std::string(" (") + part + ")";
    if (tooLong.dropped > 0)
        remarks_.push_back(counted(tooLong.dropped, "sentence pair") + above + "left out" + of);
    if (tooLong.truncated > 0)
        remarks_.push_back(counted(tooLong.truncated, "sentence pair") + above + "cut" + of);
    if (text.blankPairs > 0)
        remarks_.push_back(counted(text.blankPairs, "blank pair") + " left out" + of);
    if (text.oneSidedPairs > 0)
        remarks_.push_back(counted(text.oneSidedPairs, "pair") + " blank in one language left out" +
                           of);
}

} // namespace scalebench::workloads
