// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/corpus_preparation.h"

#include "engine/data/prepared_set.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace scalebench::workloads {
namespace {

namespace fs = std::filesystem;

/// A corpus in three files, document by document.
class CorpusWriter
{
public:
    CorpusWriter(const fs::path& folder, const std::string& name)
        : tokens_(folder / (name + ".tokens")),
          sentences_(folder / (name + ".sentences")),
          documents_(folder / (name + ".documents"))
    {
        sentences_.push_back(0);
        documents_.push_back(0);
    }

    void add(const Corpus& from, int64_t document)
    {
        const auto first = size_t(from.documents[size_t(document)]);
        const auto last = size_t(from.documents[size_t(document) + 1]);
        const int64_t shift = tokens_.size() - from.sentences[first];
        const auto begin = size_t(from.sentences[first]), end = size_t(from.sentences[last]);
        tokens_.append(from.tokens.all().subspan(begin, end - begin));
        for (size_t s = first; s < last; ++s)
            sentences_.push_back(from.sentences[s + 1] + shift);
        documents_.push_back(sentences_.size() - 1);
    }
    int64_t documents() const { return documents_.size() - 1; }
    void close()
    {
        tokens_.close();
        sentences_.close();
        documents_.close();
    }

private:
    data::ColumnFile<int32_t> tokens_;
    data::ColumnFile<int64_t> sentences_, documents_;
};

/// Documents to train on, but for those that are held out.
class TrainingWriter
{
public:
    TrainingWriter(const fs::path& folder, const Corpus& evaluation)
        : folder_(folder), writer_(folder, "train"), held_(fingerprints(evaluation))
    {
        requireDocuments(evaluation.documentCount(), "evaluate");
        CorpusWriter eval(folder, "eval");
        for (int64_t d = 0; d < evaluation.documentCount(); ++d)
            eval.add(evaluation, d);
        eval.close();
    }
    void add(const Corpus& from, int64_t document)
    {
        if (held_.contains(fingerprint(from, document)))
            ++repeated_;
        else
            writer_.add(from, document);
    }
    void close()
    {
        requireDocuments(writer_.documents(), "train on");
        writer_.close();
        data::writeColumn(folder_ / "repeated", data::Column<int64_t>{repeated_});
    }

private:
    fs::path folder_;
    CorpusWriter writer_;
    std::set<uint64_t> held_;
    int64_t repeated_ = 0;
};

Corpus mappedCorpus(const fs::path& folder, const std::string& name)
{
    Corpus corpus;
    corpus.tokens = data::mapColumn<int32_t>(folder / (name + ".tokens"));
    corpus.sentences = data::mapColumn<int64_t>(folder / (name + ".sentences"));
    corpus.documents = data::mapColumn<int64_t>(folder / (name + ".documents"));
    return corpus;
}

/// How many documents are held out is known at the end of the text only: all of it goes to a file
/// first, of which the parts are copied.
void writeHeldOut(const CorpusPlan& plan, const text::WordPieceTokenizer& tokenizer,
                  const fs::path& folder)
{
    CorpusWriter whole(folder, "all");
    int64_t bytes = 0;
    readPieces(plan.files.training, tokenizer, plan.threads, bytes, plan.tick,
               [&](const Corpus& piece) {
                   for (int64_t d = 0; d < piece.documentCount(); ++d)
                       whole.add(piece, d);
               });
    whole.close();
    {
        const Corpus all = mappedCorpus(folder, "all");
        const std::vector<bool> out = heldOut(all.documentCount(), plan.evalShare);
        Corpus evaluation;
        for (int64_t d = 0; d < all.documentCount(); ++d)
            if (out[size_t(d)])
                evaluation.append(all, d);
        TrainingWriter training(folder, evaluation);
        for (int64_t d = 0; d < all.documentCount(); ++d) {
            if (!out[size_t(d)])
                training.add(all, d);
            if (d % 1024 == 0 && plan.tick)
                plan.tick();
        }
        training.close();
    }
    for (const char* part : {"all.tokens", "all.sentences", "all.documents"})
        fs::remove(folder / part);
}

} // namespace

void writeCorpus(const CorpusPlan& plan, const text::WordPieceTokenizer& tokenizer,
                 const fs::path& folder)
{
    if (plan.files.evaluation.empty())
        return writeHeldOut(plan, tokenizer, folder);
    int64_t bytes = 0;
    TrainingWriter training(
        folder, readAll(plan.files.evaluation, tokenizer, plan.threads, bytes, plan.tick));
    readPieces(plan.files.training, tokenizer, plan.threads, bytes, plan.tick,
               [&](const Corpus& piece) {
                   for (int64_t d = 0; d < piece.documentCount(); ++d)
                       training.add(piece, d);
               });
    training.close();
}

void writePairs(const Corpus& corpus, const PairSettings& settings, const fs::path& file,
                const StopTick& tick)
{
    data::ColumnFile<int64_t> out(file);
    makePairs(corpus, settings, [&](const SequencePair& pair) {
        if (tick && out.size() % (3 * 1024) == 0)
            tick();
        out.append(SequencePairs::packed(pair));
    });
    out.close();
}

} // namespace scalebench::workloads
