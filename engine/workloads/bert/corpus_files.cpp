// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/corpus_files.h"

#include "engine/data/parallel.h"
#include "engine/data/sampler.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "engine/workloads/bert/sentence_splitter.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>

namespace scalebench::workloads {
namespace {

namespace fs = std::filesystem;

/// Of the split, not of a run, so that all runs measure the same.
constexpr uint64_t kSplitSeed = 1;

bool isText(const std::string& name)
{
    const std::string_view n = name;
    return !(n.starts_with('.') || n == "vocab.txt" || n == "GENERATED.txt" ||
             n.starts_with("README") || n.starts_with("LICENSE") || n.ends_with(".md") ||
             n.ends_with(".json") || n.ends_with("SUMS"));
}

/// FNV-1a over the tokens of a document, sentence ends left out.
uint64_t fingerprint(const Corpus& corpus, int64_t document)
{
    const int64_t first = corpus.sentences[size_t(corpus.documents[size_t(document)])];
    const int64_t last = corpus.sentences[size_t(corpus.documents[size_t(document) + 1])];
    uint64_t hash = 0xcbf29ce484222325ull;
    for (int64_t i = first; i < last; ++i)
        hash = (hash ^ uint32_t(corpus.tokens[size_t(i)])) * 0x100000001b3ull;
    return hash;
}

/// Lines of a file as sentences and ends of documents.
class DocumentReader
{
public:
    DocumentReader(const std::string& path, const text::WordPieceTokenizer& tokenizer,
                   Corpus& corpus)
        : file_(path), tokenizer_(tokenizer), corpus_(corpus)
    {
    }

    void readAll()
    {
        std::string line;
        while (file_.next(line))
            take(line);
        if (begun_ > 0)
            file_.damagedAt(begun_, "this <doc> has no </doc>");
        corpus_.endDocument();
    }
    int64_t bytesRead() const { return file_.bytesRead(); }

private:
    void take(const std::string& line)
    {
        if (begun_ == 0 && line.starts_with("<doc ")) {
            corpus_.endDocument();
            begun_ = file_.line();
            title_ = true;
        } else if (begun_ > 0 && line.starts_with("</doc>")) {
            corpus_.endDocument();
            begun_ = 0;
        } else if (text::isBlank(line)) {
            if (begun_ == 0)
                corpus_.endDocument();
        } else if (begun_ == 0) {
            sentence(line);
        } else if (title_) {
            title_ = false; // a heading is no sentence
        } else {
            for (const std::string_view part : splitSentences(line))
                sentence(part);
        }
    }
    void sentence(std::string_view text)
    {
        const std::vector<int32_t> pieces = tokenizer_.encode(text);
        corpus_.tokens.append(pieces);
        corpus_.endSentence();
    }

    text::LineFile file_;
    const text::WordPieceTokenizer& tokenizer_;
    Corpus& corpus_;
    int64_t begun_ = 0; ///< line of the <doc> we are in; 0: in none
    bool title_ = false;
};

} // namespace

CorpusFiles findCorpus(const std::string& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw InvalidArgument("there is no folder " + folder +
                                  ": BERT reads a folder of text files with a vocab.txt",
                              "data_missing");
    CorpusFiles files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file(error))
            continue;
        if (name == "vocab.txt")
            files.vocabulary = entry.path().string();
        else if (isText(name))
            (name.starts_with("eval") ? files.evaluation : files.training)
                .push_back(entry.path().string());
    }
    if (error)
        throw InvalidArgument(folder + " cannot be read: " + error.message(), "data_missing");
    if (files.vocabulary.empty())
        throw InvalidArgument(folder + " has no vocab.txt: the word pieces, one a line, are needed "
                                       "beside the text",
                              "data_missing");
    if (files.training.empty())
        throw InvalidArgument(folder + " has no text to train on: one sentence a line with a blank "
                                       "line between documents, or what WikiExtractor writes",
                              "data_missing");
    std::ranges::sort(files.training);
    std::ranges::sort(files.evaluation);
    return files;
}

void readDocuments(const std::string& path, const text::WordPieceTokenizer& tokenizer,
                   Corpus& corpus, int64_t& bytesRead)
{
    DocumentReader reader(path, tokenizer, corpus);
    reader.readAll();
    bytesRead += reader.bytesRead();
}

Corpus readAll(const std::vector<std::string>& files, const text::WordPieceTokenizer& tokenizer,
               int threads, int64_t& bytesRead)
{
    std::vector<Corpus> parts(files.size());
    std::vector<int64_t> bytes(files.size(), 0);
    data::parallelFor(int64_t(files.size()), threads, [&](int64_t i) {
        readDocuments(files[size_t(i)], tokenizer, parts[size_t(i)], bytes[size_t(i)]);
    });
    Corpus all;
    for (size_t i = 0; i < parts.size(); ++i) {
        bytesRead += bytes[i];
        for (int64_t d = 0; d < parts[i].documentCount(); ++d)
            all.append(parts[i], d);
        parts[i] = {};
    }
    return all;
}

SplitCorpus holdOut(const Corpus& all, double share)
{
    const int64_t n = all.documentCount();
    if (n < 4)
        throw InvalidArgument("the text has " + std::to_string(n) +
                                  " documents, but two are needed to train and two to evaluate: "
                                  "put a blank line between documents, or give more text",
                              "data_empty");
    const int64_t held = std::clamp<int64_t>(std::llround(share * double(n)), 2, n - 2);
    std::vector<bool> out(size_t(n), false);
    const std::vector<int64_t> order = data::shuffledOrder(n, kSplitSeed, 0);
    for (int64_t i = 0; i < held; ++i)
        out[size_t(order[size_t(i)])] = true;
    Corpus training, evaluation;
    for (int64_t d = 0; d < n; ++d)
        (out[size_t(d)] ? evaluation : training).append(all, d);
    return keepApart(training, std::move(evaluation));
}

SplitCorpus keepApart(const Corpus& training, Corpus evaluation)
{
    std::set<uint64_t> held;
    for (int64_t d = 0; d < evaluation.documentCount(); ++d)
        held.insert(fingerprint(evaluation, d));
    SplitCorpus split;
    for (int64_t d = 0; d < training.documentCount(); ++d)
        if (held.contains(fingerprint(training, d)))
            ++split.repeated;
        else
            split.training.append(training, d);
    split.evaluation = std::move(evaluation);
    const auto require = [](const Corpus& corpus, const char* what) {
        if (corpus.documentCount() < 2)
            throw InvalidArgument("the text has " + std::to_string(corpus.documentCount()) +
                                      " documents to " + what +
                                      ", but the task of the next sentence needs two or more: put "
                                      "a blank line between documents, or give more text",
                                  "data_empty");
    };
    require(split.training, "train on");
    require(split.evaluation, "evaluate");
    return split;
}

} // namespace scalebench::workloads
