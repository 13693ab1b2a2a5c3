// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_data.h"

#include "engine/data/parallel.h"
#include "engine/data/prepared_set.h"
#include "engine/data/sentence_pairs.h"
#include "engine/text/byte_pairs.h"
#include "engine/text/lines.h"
#include "engine/text/parallel_text.h"
#include "engine/text/unicode.h"
#include "engine/text/word_counts.h"
#include "engine/workloads/translation/language_pair.h"
#include "kernels/check.h"

#include <algorithm>
#include <filesystem>

namespace scalebench::workloads {
namespace {

namespace fs = std::filesystem;

LanguagePairSpec specOf(const RunConfig& config, const TranslationRecipe& recipe)
{
    LanguagePairSpec spec;
    spec.trainSentences = config.data.trainSamples;
    spec.evalSentences = config.data.evalSamples;
    spec.nouns = recipe.nouns;
    return spec;
}

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
    throw InvalidArgument(folder + " has no " + name + "." +
                              (source.empty() ? recipe.sourceLanguage : recipe.targetLanguage) +
                              " (or with .gz), nor " + name +
                              ".tsv: set \"data.train\", \"data.eval\" and the languages to the "
                              "names of your files",
                          "data_missing");
}

text::ParallelText readPart(const std::string& folder, const std::string& name,
                            const TranslationRecipe& recipe)
{
    const auto oneSided = recipe.dropOneSided ? text::OneSided::Drop : text::OneSided::Refuse;
    const std::vector<std::string> files = partFiles(folder, name, recipe);
    return files.size() == 1 ? text::readTabbedText(files[0], oneSided)
                             : text::readParallelText(files[0], files[1], oneSided);
}

void lower(std::vector<std::string>& lines)
{
    for (std::string& line : lines)
        line = text::lowerCase(line);
}

void encode(const text::SubwordTokenizer& tokenizer, const std::vector<std::string>& lines,
            int threads, std::vector<std::vector<int32_t>>& out)
{
    out.resize(lines.size());
    data::parallelFor(int64_t(lines.size()), threads,
                      [&](int64_t i) { out[size_t(i)] = tokenizer.encode(lines[size_t(i)]); });
}

/// How many sentences were longer than allowed.
struct TooLong {
    int64_t dropped = 0, truncated = 0;
};

TooLong addTraining(const std::vector<std::vector<int32_t>>& source,
                    const std::vector<std::vector<int32_t>>& target,
                    const TranslationRecipe& recipe, PairList& pairs)
{
    TooLong tooLong;
    for (size_t i = 0; i < source.size(); ++i) {
        std::span<const int32_t> s = source[i], t = target[i];
        const size_t longest = size_t(recipe.maxTokens);
        if (s.size() > longest || t.size() + 1 > longest) {
            if (!recipe.truncate) {
                ++tooLong.dropped;
                continue;
            }
            ++tooLong.truncated;
            s = s.first(std::min(s.size(), longest));
            t = t.first(std::min(t.size(), longest - 1));
        }
        pairs.source.add(s);
        pairs.target.add(t);
    }
    return tooLong;
}

/// Of the evaluation only what is read is cut: the reference stays whole.
TooLong addEvaluation(const std::vector<std::vector<int32_t>>& source,
                      const std::vector<std::vector<int32_t>>& target,
                      const TranslationRecipe& recipe, PairList& pairs)
{
    TooLong tooLong;
    for (size_t i = 0; i < source.size(); ++i) {
        const size_t longest = size_t(recipe.maxTokens);
        if (source[i].size() > longest)
            ++tooLong.truncated;
        pairs.source.add(std::span(source[i]).first(std::min(source[i].size(), longest)));
        pairs.target.add(std::span(target[i]).first(std::min(target[i].size(), longest - 1)));
    }
    return tooLong;
}

std::string counted(int64_t n, const char* what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

void remark(TranslationData& data, const text::ParallelText& text, const TooLong& tooLong,
            const TranslationRecipe& recipe, const char* part)
{
    const std::string above = " above " + std::to_string(recipe.maxTokens) + " tokens ";
    const std::string of = std::string(" (") + part + ")";
    if (tooLong.dropped > 0)
        data.remarks.push_back(counted(tooLong.dropped, "sentence pair") + above + "left out" + of);
    if (tooLong.truncated > 0)
        data.remarks.push_back(counted(tooLong.truncated, "sentence pair") + above + "cut" + of);
    if (text.blankPairs > 0)
        data.remarks.push_back(counted(text.blankPairs, "blank pair") + " left out" + of);
    if (text.oneSidedPairs > 0)
        data.remarks.push_back(counted(text.oneSidedPairs, "pair") +
                               " blank in one language left out" + of);
}

/// Words that are numbers, for throughput only.
TranslationData syntheticData(const RunConfig& config, const TranslationRecipe& recipe)
{
    TranslationData data;
    data.format = "synthetic";
    data.vocabulary = recipe.vocabulary > 0 ? recipe.vocabulary : 8192;
    const auto add = [&](PairList& list, int64_t size, uint64_t seed) {
        const data::SentencePairs pairs(size, data.vocabulary, recipe.maxTokens - 1, seed);
        for (int64_t i = 0; i < size; ++i) {
            const data::SentencePair pair = pairs.pair(i);
            list.source.add(pair.source);
            list.target.add(pair.target);
        }
    };
    add(data.train, config.data.trainSamples, 1);
    add(data.eval, config.data.evalSamples, 2);
    return data;
}

text::SubwordTokenizer tokenizerFor(const std::string& folder, const text::ParallelText& train,
                                    const TranslationRecipe& recipe, int threads,
                                    int64_t& bytesRead)
{
    const text::WordMode mode = recipe.blanks ? text::WordMode::Blanks : text::WordMode::Reversible;
    const text::WordCounts words = text::addCounts(text::countWords(train.source, mode, threads),
                                                   text::countWords(train.target, mode, threads));
    const std::string codes = fileOf(folder, "codes");
    const text::BytePairs pairs = codes.empty() ? text::BytePairs::learn(words, recipe.merges)
                                                : text::BytePairs::read(codes, &bytesRead);
    return {mode, pairs, text::SubwordVocabulary::build(words, pairs)};
}

/// Reads the text and cuts it; whatever language and merges are told by files or learned.
TranslationData readTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                                int threads)
{
    TranslationData data;
    text::ParallelText train = readPart(config.data.path, recipe.train, recipe);
    text::ParallelText eval = readPart(config.data.path, recipe.eval, recipe);
    data.bytesRead = train.bytesRead + eval.bytesRead;
    if (recipe.lowerCase)
        for (auto* lines : {&train.source, &train.target, &eval.source, &eval.target})
            lower(*lines);
    data.tokenizer = std::make_shared<text::SubwordTokenizer>(
        tokenizerFor(config.data.path, train, recipe, threads, data.bytesRead));

    std::vector<std::vector<int32_t>> source, target;
    encode(*data.tokenizer, train.source, threads, source);
    encode(*data.tokenizer, train.target, threads, target);
    remark(data, train, addTraining(source, target, recipe, data.train), recipe, "training");
    if (data.train.size() == 0)
        throw InvalidArgument("all " + std::to_string(train.size()) + " training pairs of " +
                                  config.data.path + " have more than \"data.max_tokens\" " +
                                  std::to_string(recipe.maxTokens) + " tokens",
                              "data_empty");
    encode(*data.tokenizer, eval.source, threads, source);
    encode(*data.tokenizer, eval.target, threads, target);
    remark(data, eval, addEvaluation(source, target, recipe, data.eval), recipe, "evaluation");
    data.references = std::move(eval.target);
    return data;
}

// ---- Kept for later runs

/// InvalidArgument where files are missing.
data::PreparedFrom preparedFrom(const RunConfig& config, const TranslationRecipe& recipe)
{
    data::PreparedFrom from{"translation 1", {}, {}};
    from.settings = std::string(recipe.blanks ? "blanks" : "reversible") +
                    (recipe.lowerCase ? ", lower case" : "") + ", " +
                    std::to_string(recipe.merges) + " merges, " + std::to_string(recipe.maxTokens) +
                    " tokens at most, longer ones " + (recipe.truncate ? "cut" : "dropped") +
                    ", one-sided pairs " + (recipe.dropOneSided ? "dropped" : "refused");
    for (const std::string& part : {recipe.train, recipe.eval})
        for (std::string& file : partFiles(config.data.path, part, recipe))
            from.files.push_back(std::move(file));
    if (std::string codes = fileOf(config.data.path, "codes"); !codes.empty())
        from.files.push_back(std::move(codes));
    return from;
}

struct NamedList {
    const char* name;
    SentenceList* list;
};

std::vector<NamedList> listsOf(TranslationData& data)
{
    return {{"train.source", &data.train.source},
            {"train.target", &data.train.target},
            {"eval.source", &data.eval.source},
            {"eval.target", &data.eval.target}};
}

void writePrepared(TranslationData data, const fs::path& folder)
{
    for (const auto& [name, list] : listsOf(data)) {
        data::writeColumn(folder / (name + std::string(".tokens")), list->allTokens());
        data::writeColumn(folder / (name + std::string(".ends")), list->ends());
    }
    data.tokenizer->bytePairs().write((folder / "codes").string());
    data.tokenizer->vocabulary().write((folder / "vocabulary").string());
    text::writeLines((folder / "references").string(), data.references);
    text::writeLines((folder / "remarks").string(), data.remarks);
}

/// Nothing in a file is believed: not that sentences end where there are tokens, nor the tokens.
void requireWhole(const SentenceList& list, int64_t vocabulary, const std::string& file)
{
    int64_t last = 0;
    bool whole = true;
    for (const int64_t end : list.ends()) {
        whole = whole && end >= last;
        last = end;
    }
    whole = whole && last == list.tokens() &&
            std::ranges::all_of(list.allTokens(),
                                [&](int32_t token) { return token >= 0 && token < vocabulary; });
    if (!whole)
        throw InvalidArgument(file + " is damaged; delete the folder it is in, which is made again",
                              "data_damaged");
}

TranslationData fromPrepared(const data::PreparedSet& set, const TranslationRecipe& recipe)
{
    TranslationData data;
    data.bytesRead = set.bytes();
    data.tokenizer = std::make_shared<text::SubwordTokenizer>(
        recipe.blanks ? text::WordMode::Blanks : text::WordMode::Reversible,
        text::BytePairs::read(set.path("codes")),
        text::SubwordVocabulary::read(set.path("vocabulary")));
    for (const auto& [name, list] : listsOf(data)) {
        *list = {set.column<int32_t>(name + std::string(".tokens")),
                 set.column<int64_t>(name + std::string(".ends"))};
        requireWhole(*list, data.tokenizer->vocabulary().size(), set.path(name));
    }
    data.references = text::readLines(set.path("references"));
    data.remarks = text::readLines(set.path("remarks"));
    if (data.train.size() == 0 || data.train.target.size() != data.train.size() ||
        data.eval.target.size() != data.eval.size() ||
        int64_t(data.references.size()) != data.eval.size())
        throw InvalidArgument(set.path("") + " is damaged; delete this folder, it is made again",
                              "data_damaged");
    return data;
}

} // namespace

void writeTranslation(const RunConfig& config, const TranslationRecipe& recipe)
{
    if (config.data.source == DataSource::Generated)
        ensureLanguagePair(config.data.path, specOf(config, recipe));
}

void prepareTranslation(const RunConfig& config, const TranslationRecipe& recipe, int threads)
{
    if (config.data.source == DataSource::Synthetic)
        return;
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureLanguagePair(config.data.path, specOf(config, recipe));
    data::prepareSet(preparedFrom(config, recipe), [&](const fs::path& folder) {
        writePrepared(readTranslation(config, recipe, threads), folder);
    });
}

TranslationData loadTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                                int threads)
{
    if (config.data.source == DataSource::Synthetic)
        return syntheticData(config, recipe);
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureLanguagePair(config.data.path, specOf(config, recipe));
    const auto prepared = data::PreparedSet::find(preparedFrom(config, recipe));
    TranslationData data =
        prepared ? fromPrepared(*prepared, recipe) : readTranslation(config, recipe, threads);
    data.prepared = prepared != nullptr;
    data.format = lock ? "generated text" : "text";
    data.vocabulary = data.tokenizer->vocabulary().size();
    data.lock = std::move(lock);
    return data;
}

} // namespace scalebench::workloads
