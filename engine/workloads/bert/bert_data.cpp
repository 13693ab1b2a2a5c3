// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/bert_data.h"

#include "engine/core/fingerprint.h"
#include "engine/data/prepared_set.h"
#include "engine/workloads/bert/corpus_files.h"
#include "engine/workloads/bert/corpus_preparation.h"
#include "engine/workloads/bert/prose_generator.h"
#include "kernels/check.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

namespace scalebench::workloads {
namespace {

namespace fs = std::filesystem;

/// Of the set, not of a run, so that all runs have the same sequences.
constexpr uint64_t kTrainPairs = 1, kEvalPairs = 2, kSubset = 3, kSynthetic = 4;

ProseSpec specOf(const BertRecipe& recipe)
{
    return {recipe.documents, recipe.evalDocuments, 1};
}

/// `count` of the sequences, evenly by chance; all for 0.
void keepSome(SequencePairs& pairs, int64_t count)
{
    const auto n = int64_t(pairs.size());
    if (count <= 0 || count >= n)
        return;
    std::vector<int64_t> order = data::shuffledOrder(n, kSubset, 0);
    order.resize(size_t(count));
    std::ranges::sort(order);
    SequencePairs kept;
    for (const int64_t index : order)
        kept.push_back(pairs[size_t(index)]);
    pairs = std::move(kept);
}

/// Documents of 16 sentences of words by chance, enough for `samples` sequences.
Corpus randomText(int64_t samples, int64_t maxLength, const PieceIds& ids, uint64_t stream)
{
    Corpus corpus;
    data::HashRandom random({kSynthetic, stream});
    const auto wanted = size_t(samples * maxLength * 5 / 4);
    const int32_t first = ids.mask + 1;
    while (corpus.tokens.size() < wanted || corpus.documentCount() < 2) {
        for (int s = 0; s < 16; ++s) {
            for (uint32_t n = 8 + random.below(32); n > 0; --n)
                corpus.tokens.push_back(first +
                                        int32_t(random.below(uint32_t(ids.pieces - first))));
            corpus.endSentence();
        }
        corpus.endDocument();
    }
    return corpus;
}

BertData syntheticData(const RunConfig& config, const BertRecipe& recipe)
{
    BertData out;
    PieceIds ids;
    if (recipe.vocabulary > 0)
        ids.pieces = int32_t(recipe.vocabulary);
    if (ids.pieces < 256) // too few for BERT's own numbers
        ids.classification = 1, ids.separator = 2, ids.mask = 3;
    out.training.ids = out.evaluation.ids = ids;
    out.training.corpus = randomText(config.data.trainSamples, recipe.maxLength, ids, 1);
    out.evaluation.corpus = randomText(config.data.evalSamples, recipe.maxLength, ids, 2);
    return out;
}

double unknownShare(const Corpus& corpus, int32_t unknown)
{
    return double(std::ranges::count(corpus.tokens, unknown)) /
           double(std::max<size_t>(1, corpus.tokens.size()));
}

/// The documents, cut into word pieces and parted.
SplitCorpus readCorpus(const CorpusFiles& files, const text::WordPieceTokenizer& tokenizer,
                       const BertRecipe& recipe, int threads, int64_t& bytesRead,
                       const StopTick& tick)
{
    const Corpus training = readAll(files.training, tokenizer, threads, bytesRead, tick);
    return files.evaluation.empty() ? holdOut(training, recipe.evalShare)
                                    : keepApart(training, readAll(files.evaluation, tokenizer,
                                                                  threads, bytesRead, tick));
}

// ---- Kept for later runs

data::PreparedFrom preparedFrom(const CorpusFiles& files, const BertRecipe& recipe)
{
    data::PreparedFrom from{"bert 1", {}, {files.vocabulary}};
    from.settings = std::string(recipe.uncased ? "uncased" : "cased");
    if (files.evaluation.empty()) {
        char share[32]; // with all digits: another share is another set
        std::snprintf(share, sizeof share, "%.17g", recipe.evalShare);
        from.settings += ", " + std::string(share) + " held out";
    }
    from.settings += ", " + std::to_string(files.training.size()) + " files to train on";
    from.files.insert(from.files.end(), files.training.begin(), files.training.end());
    from.files.insert(from.files.end(), files.evaluation.begin(), files.evaluation.end());
    return from;
}

/// How a part's sequences are drawn.
PairSettings pairsOf(const BertRecipe& recipe, bool training)
{
    return {recipe.maxLength, recipe.shortShare, training ? recipe.duplicates : 1,
            training ? kTrainPairs : kEvalPairs};
}

/// The sequences of a prepared corpus: a set of their own, since the same text serves many lengths.
data::PreparedFrom pairsFrom(const data::PreparedFrom& corpus, const BertRecipe& recipe)
{
    data::PreparedFrom from = corpus;
    from.form = "bert sequences 1";
    char share[32];
    std::snprintf(share, sizeof share, "%.17g", recipe.shortShare);
    from.settings += ", " + std::to_string(recipe.maxLength) + " tokens, " + share + " short, " +
                     std::to_string(recipe.duplicates) + " passes";
    return from;
}

/// From 0 in rising steps to `last`.
bool risesTo(const data::Column<int64_t>& bounds, int64_t last)
{
    return bounds.size() > 0 && bounds[0] == 0 && bounds.back() == last &&
           std::ranges::adjacent_find(bounds.all(), std::greater_equal<>()) == bounds.end();
}

/// Nothing in a file is believed.
SplitCorpus fromPrepared(const data::PreparedSet& set, int64_t pieces)
{
    SplitCorpus split;
    for (const auto& [name, corpus] :
         {std::pair<std::string, Corpus*>("train", &split.training), {"eval", &split.evaluation}}) {
        corpus->tokens = set.column<int32_t>(name + ".tokens");
        corpus->sentences = set.column<int64_t>(name + ".sentences");
        corpus->documents = set.column<int64_t>(name + ".documents");
        if (!risesTo(corpus->sentences, int64_t(corpus->tokens.size())) ||
            !risesTo(corpus->documents, corpus->sentenceCount()) || corpus->documentCount() < 2 ||
            !std::ranges::all_of(corpus->tokens.all(),
                                 [&](int32_t token) { return token >= 0 && token < pieces; }))
            throw InvalidArgument(
                set.path(name) + " is damaged; delete the folder it is in, which is made again",
                "data_damaged");
    }
    const data::Column<int64_t> repeated = set.column<int64_t>("repeated");
    split.repeated = repeated.size() == 1 ? repeated[0] : 0;
    return split;
}

text::WordPieceTokenizer tokenizerOf(const CorpusFiles& files, const BertRecipe& recipe,
                                     int64_t& bytesRead)
{
    return text::WordPieceTokenizer(text::WordPieceVocabulary::read(files.vocabulary, &bytesRead),
                                    recipe.uncased);
}

BertData readData(const RunConfig& config, const BertRecipe& recipe, const StopTick& tick)
{
    BertData out;
    const CorpusFiles files = findCorpus(config.data.path);
    const text::WordPieceTokenizer tokenizer = tokenizerOf(files, recipe, out.bytesRead);
    const text::WordPieceVocabulary& vocabulary = tokenizer.vocabulary();
    if (recipe.vocabulary > 0 && vocabulary.size() > recipe.vocabulary)
        refuseSetting("\"model.vocabulary\" is " + std::to_string(recipe.vocabulary) + ", but " +
                      files.vocabulary + " has " + std::to_string(vocabulary.size()) +
                      " word pieces: set it to 0 to follow the file");

    const auto prepared = data::PreparedSet::find(preparedFrom(files, recipe));
    if (const auto pairs =
            prepared ? data::PreparedSet::find(pairsFrom(preparedFrom(files, recipe), recipe))
                     : nullptr) {
        out.training.pairs = SequencePairs(pairs->column<int64_t>("train.pairs"));
        out.evaluation.pairs = SequencePairs(pairs->column<int64_t>("eval.pairs"));
        out.bytesRead += pairs->bytes();
        out.pairsPath = pairs->path("");
    }
    SplitCorpus split = prepared ? fromPrepared(*prepared, vocabulary.size())
                                 : readCorpus(files, tokenizer, recipe, config.threadsPerWorker,
                                              out.bytesRead, tick);
    if (prepared) {
        out.prepared = true;
        out.bytesRead += prepared->bytes();
    }
    out.repeated = split.repeated;
    out.unknownShare = unknownShare(split.training, vocabulary.unknown());
    if (out.unknownShare > 0.5)
        throw InvalidArgument(
            std::to_string(int(100 * out.unknownShare)) + " of 100 words of the text are not in " +
                files.vocabulary +
                ": it belongs to another language, or to text that keeps its capitals "
                "(\"data.uncased\")",
            "data_damaged");
    out.training.corpus = std::move(split.training);
    out.evaluation.corpus = std::move(split.evaluation);
    out.encoding = "vocabulary " + printFingerprint(vocabulary.fingerprint());
    out.training.ids = {vocabulary.pad(), vocabulary.classification(), vocabulary.separator(),
                        vocabulary.mask(), vocabulary.size()};
    out.evaluation.ids = out.training.ids;
    return out;
}

} // namespace

void writeProse(const RunConfig& config, const BertRecipe& recipe, const LoadProgress& progress)
{
    if (config.data.source == DataSource::Generated)
        ensureProse(config.data.path, specOf(recipe), tickOf(progress));
}

void prepareBertData(const RunConfig& config, const BertRecipe& recipe, int threads,
                     const LoadProgress& progress)
{
    if (config.data.source == DataSource::Synthetic)
        return;
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureProse(config.data.path, specOf(recipe));
    const CorpusFiles files = findCorpus(config.data.path);
    const StopTick tick = tickOf(progress);
    const data::PreparedFrom from = preparedFrom(files, recipe);
    int64_t bytesRead = 0;
    const text::WordPieceTokenizer tokenizer = tokenizerOf(files, recipe, bytesRead);
    data::prepareSet(
        from,
        [&](const fs::path& folder) {
            writeCorpus({files, recipe.evalShare, threads, tick}, tokenizer, folder);
        },
        tick,
        [&](const data::PreparedSet& set) {
            (void)fromPrepared(set, tokenizer.vocabulary().size());
        });
    const auto corpus = data::PreparedSet::find(from);
    if (!corpus)
        return;
    data::prepareSet(
        pairsFrom(from, recipe),
        [&](const fs::path& folder) {
            const SplitCorpus split = fromPrepared(*corpus, tokenizer.vocabulary().size());
            writePairs(split.training, pairsOf(recipe, true), folder / "train.pairs", tick);
            writePairs(split.evaluation, pairsOf(recipe, false), folder / "eval.pairs", tick);
        },
        tick,
        [](const data::PreparedSet& set) {
            for (const char* part : {"train.pairs", "eval.pairs"})
                (void)set.column<int64_t>(part);
        });
}

BertData loadBertData(const RunConfig& config, const BertRecipe& recipe,
                      const LoadProgress& progress)
{
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensureProse(config.data.path, specOf(recipe));
    BertData out = config.data.source == DataSource::Synthetic
                       ? syntheticData(config, recipe)
                       : readData(config, recipe, tickOf(progress));
    const auto makeSequences = [&](SequenceSet& set, bool training, int64_t most) {
        set.masks.most = recipe.maxPredictions;
        if (out.pairsPath.empty())
            set.pairs = makePairs(set.corpus, pairsOf(recipe, training));
        else if (!set.pairs.fit(int64_t(set.corpus.tokens.size()), recipe.maxLength))
            throw InvalidArgument(out.pairsPath +
                                      " is damaged; delete this folder, it is made again",
                                  "data_damaged");
        keepSome(set.pairs, most);
    };
    makeSequences(out.training, true, config.data.trainSamples);
    makeSequences(out.evaluation, false, config.data.evalSamples);
    return out;
}

} // namespace scalebench::workloads
