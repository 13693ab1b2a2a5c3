// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_data.h"

#include "engine/data/prepared_set.h"
#include "engine/data/sentence_pairs.h"
#include "engine/text/byte_pairs.h"
#include "engine/text/lines.h"
#include "engine/workloads/translation/language_pair.h"
#include "engine/workloads/translation/translation_text.h"
#include "kernels/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_map>
#include <utility>

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

/// FNV-1a over the tokens.
uint64_t hashOf(const PairView& pair)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    const auto take = [&](uint32_t v) { hash = (hash ^ v) * 0x100000001b3ULL; };
    for (const int32_t token : pair.source)
        take(uint32_t(token));
    take(~uint32_t{0});
    for (const int32_t token : pair.target)
        take(uint32_t(token));
    return hash;
}

/// Looks for pairs of a list among others.
class PairSearch
{
public:
    explicit PairSearch(const PairList& wanted) : wanted_(wanted)
    {
        for (int64_t i = 0; i < wanted.size(); ++i)
            missing_.emplace(hashOf(wanted[i]), i);
    }
    void look(const PairView& pair)
    {
        if (missing_.empty())
            return;
        for (auto [it, end] = missing_.equal_range(hashOf(pair)); it != end;) {
            const PairView wanted = wanted_[it->second];
            const bool here = std::ranges::equal(pair.source, wanted.source) &&
                              std::ranges::equal(pair.target, wanted.target);
            it = here ? missing_.erase(it) : std::next(it);
        }
    }
    int64_t found() const { return wanted_.size() - int64_t(missing_.size()); }

private:
    const PairList& wanted_;
    std::unordered_multimap<uint64_t, int64_t> missing_;
};

/// A remark on evaluation pairs that are also trained on, where there are any.
void tellFound(int64_t found, int64_t all, std::vector<std::string>& remarks)
{
    if (found > 0)
        remarks.push_back(std::to_string(found) + " of the " + std::to_string(all) +
                          " evaluation pairs are also trained on: BLEU flatters by them");
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

/// Reads the text and cuts it, all into memory.
TranslationData readTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                                int threads, const LoadProgress& progress)
{
    TranslationText text(config.data.path, recipe, threads, progress);
    TranslationData data;
    data.tokenizer = text.tokenizer();
    const auto into = [](PairList& pairs) {
        return [&pairs](std::span<const int32_t> source, std::span<const int32_t> target) {
            pairs.source.add(source);
            pairs.target.add(target);
        };
    };
    text.cutEvaluation(into(data.eval)); // first, as writePrepared(): remarks are in this order
    text.cutTraining(into(data.train));
    data.references = std::move(text.references());
    data.remarks = std::move(text.remarks());
    tellFound(alsoTrainedOn(data.train, data.eval), data.eval.size(), data.remarks);
    data.bytesRead = text.bytesRead();
    return data;
}

// ---- Kept for later runs

/// InvalidArgument where files are missing.
data::PreparedFrom preparedFrom(const RunConfig& config, const TranslationRecipe& recipe)
{
    data::PreparedFrom from{"translation 2", {}, {}};
    from.settings = std::string(recipe.blanks ? "blanks" : "reversible") +
                    (recipe.lowerCase ? ", lower case" : "") + ", " +
                    std::to_string(recipe.merges) + " merges, " + std::to_string(recipe.maxTokens) +
                    " tokens at most, longer ones " + (recipe.truncate ? "cut" : "dropped") +
                    ", one-sided pairs " + (recipe.dropOneSided ? "dropped" : "refused");
    from.files = translationFiles(config.data.path, recipe);
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

/// One language of a part, sentence by sentence.
class SentenceFiles
{
public:
    SentenceFiles(const fs::path& folder, const std::string& name)
        : tokens_(folder / (name + ".tokens")), ends_(folder / (name + ".ends"))
    {
    }
    void add(std::span<const int32_t> sentence)
    {
        tokens_.append(sentence);
        ends_.push_back(tokens_.size());
    }
    void close()
    {
        tokens_.close();
        ends_.close();
    }

private:
    data::ColumnFile<int32_t> tokens_;
    data::ColumnFile<int64_t> ends_;
};

void writePrepared(TranslationText& text, const fs::path& folder)
{
    const auto write = [&](const std::string& part, const auto& cut, const auto& see) {
        SentenceFiles source(folder, part + ".source"), target(folder, part + ".target");
        cut([&](std::span<const int32_t> s, std::span<const int32_t> t) {
            source.add(s);
            target.add(t);
            see(PairView{s, t});
        });
        source.close();
        target.close();
    };
    PairList eval;
    write(
        "eval", [&](const auto& take) { text.cutEvaluation(take); },
        [&](const PairView& pair) {
            eval.source.add(pair.source);
            eval.target.add(pair.target);
        });
    PairSearch search(eval);
    write(
        "train", [&](const auto& take) { text.cutTraining(take); },
        [&](const PairView& pair) { search.look(pair); });
    tellFound(search.found(), eval.size(), text.remarks());
    text.tokenizer()->bytePairs().write((folder / "codes").string());
    text.tokenizer()->vocabulary().write((folder / "vocabulary").string());
    text::writeLines((folder / "references").string(), text.references());
    text::writeLines((folder / "remarks").string(), text.remarks());
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
        requireWhole(*list, data.tokenizer->vocabulary().size(),
                     set.path(name + std::string(".tokens")));
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

int64_t alsoTrainedOn(const PairList& train, const PairList& eval)
{
    PairSearch search(eval);
    for (int64_t i = 0; i < train.size(); ++i)
        search.look(train[i]);
    return search.found();
}

void writeTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                      const LoadProgress& progress)
{
    if (config.data.source == DataSource::Generated)
        ensureLanguagePair(config.data.path, specOf(config, recipe), tickOf(progress));
}

void prepareTranslation(const RunConfig& config, const TranslationRecipe& recipe, int threads,
                        const LoadProgress& progress)
{
    if (config.data.source == DataSource::Synthetic)
        return;
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureLanguagePair(config.data.path, specOf(config, recipe));
    data::prepareSet(
        preparedFrom(config, recipe),
        [&](const fs::path& folder) {
            TranslationText text(config.data.path, recipe, threads, progress);
            writePrepared(text, folder);
        },
        tickOf(progress), [&](const data::PreparedSet& set) { (void)fromPrepared(set, recipe); });
}

TranslationData loadTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                                int threads, const LoadProgress& progress)
{
    if (config.data.source == DataSource::Synthetic)
        return syntheticData(config, recipe);
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureLanguagePair(config.data.path, specOf(config, recipe));
    const auto prepared = data::PreparedSet::find(preparedFrom(config, recipe));
    TranslationData data = prepared ? fromPrepared(*prepared, recipe)
                                    : readTranslation(config, recipe, threads, progress);
    data.prepared = prepared != nullptr;
    data.format = lock ? "generated text" : "text";
    data.vocabulary = data.tokenizer->vocabulary().size();
    data.lock = std::move(lock);
    return data;
}

} // namespace scalebench::workloads
