// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/corpus_files.h"

#include "engine/data/file_source.h"
#include "engine/data/parallel.h"
#include "engine/data/picture_parts.h"
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

/// `name`: as it lies below the folder.
bool isText(const std::string& name)
{
    const std::string base = data::baseName(name);
    const std::string_view n = base;
    return !(n.starts_with('.') || n == "vocab.txt" || n == "GENERATED.txt" ||
             n.starts_with("README") || n.starts_with("LICENSE") || n.ends_with(".md") ||
             n.ends_with(".json") || n.ends_with("SUMS"));
}

bool isHeldOut(const std::string& name)
{
    return std::ranges::any_of(
        fs::path(name), [](const fs::path& part) { return part.string().starts_with("eval"); });
}

/// So much text is read, then cut, together; more where a document is longer.
constexpr size_t kPieceOfText = size_t{1} << 22; // bytes

/// Text of whole documents, before it is cut.
struct TextPiece {
    std::vector<std::string> sentences;
    std::vector<size_t> documents; ///< behind the last sentence of each
    size_t bytes = 0;

    void endDocument()
    {
        if (documents.empty() ? !sentences.empty() : sentences.size() > documents.back())
            documents.push_back(sentences.size());
    }
};

/// Lines of a file as sentences and ends of documents.
class DocumentReader
{
public:
    explicit DocumentReader(const std::string& path) : file_(path) {}

    /// Some further documents; false where none was left.
    bool next(TextPiece& piece)
    {
        piece_ = {};
        for (std::string line; !atEnd_;) {
            if (file_.next(line)) {
                take(line);
                const bool between =
                    !piece_.documents.empty() && piece_.documents.back() == piece_.sentences.size();
                if (between && piece_.bytes >= kPieceOfText)
                    break;
                continue;
            }
            if (begun_ > 0)
                file_.damagedAt(begun_, "this <doc> has no </doc>");
            piece_.endDocument();
            atEnd_ = true;
        }
        piece = std::move(piece_);
        return !piece.documents.empty();
    }
    int64_t bytesRead() const { return file_.bytesRead(); }

private:
    void take(const std::string& line)
    {
        if (begun_ == 0 && line.starts_with("<doc ")) {
            piece_.endDocument();
            begun_ = file_.line();
            title_ = true;
        } else if (begun_ > 0 && line.starts_with("</doc>")) {
            piece_.endDocument();
            begun_ = 0;
        } else if (text::isBlank(line)) {
            if (begun_ == 0)
                piece_.endDocument();
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
        piece_.sentences.emplace_back(text);
        piece_.bytes += text.size();
    }

    text::LineFile file_;
    TextPiece piece_;
    bool atEnd_ = false;
    int64_t begun_ = 0; ///< line of the <doc> we are in; 0: in none
    bool title_ = false;
};

/// Appends to the corpus.
void cut(const TextPiece& piece, const text::WordPieceTokenizer& tokenizer, int threads,
         const std::function<void()>& tick, Corpus& corpus)
{
    std::vector<std::vector<int32_t>> pieces(piece.sentences.size());
    data::parallelFor(
        int64_t(pieces.size()), threads,
        [&](int64_t i) { pieces[size_t(i)] = tokenizer.encode(piece.sentences[size_t(i)]); }, tick);
    size_t at = 0;
    for (const size_t end : piece.documents) {
        for (; at < end; ++at) {
            corpus.tokens.append(pieces[at]);
            corpus.endSentence();
        }
        corpus.endDocument();
    }
}

} // namespace

CorpusFiles findCorpus(const std::string& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw InvalidArgument("there is no folder " + folder +
                                  ": BERT reads a folder of text files with a vocab.txt",
                              "data_missing");
    CorpusFiles files;
    const auto wanted = [](const std::string& name) { return name == "vocab.txt" || isText(name); };
    for (const data::StoredFile& file : data::listFiles(folder, wanted).files)
        if (file.name == "vocab.txt")
            files.vocabulary = file.container;
        else
            (isHeldOut(file.name) ? files.evaluation : files.training).push_back(file.container);
    if (files.vocabulary.empty())
        throw InvalidArgument(folder + " has no vocab.txt: the word pieces, one a line, are needed "
                                       "beside the text",
                              "data_missing");
    if (files.training.empty())
        throw InvalidArgument(folder + " has no text to train on, nor have the folders in it: one "
                                       "sentence a line with a blank line between documents, or "
                                       "what WikiExtractor writes",
                              "data_missing");
    return files;
}

void readDocuments(const std::string& path, const text::WordPieceTokenizer& tokenizer,
                   Corpus& corpus, int64_t& bytesRead)
{
    DocumentReader reader(path);
    for (TextPiece piece; reader.next(piece);)
        cut(piece, tokenizer, 1, {}, corpus);
    bytesRead += reader.bytesRead();
}

void readPieces(const std::vector<std::string>& files, const text::WordPieceTokenizer& tokenizer,
                int threads, int64_t& bytesRead, const std::function<void()>& tick,
                const std::function<void(const Corpus&)>& take)
{
    for (const std::string& file : files) {
        DocumentReader reader(file);
        for (TextPiece piece; reader.next(piece);) {
            Corpus corpus;
            cut(piece, tokenizer, threads, tick, corpus);
            take(corpus);
        }
        bytesRead += reader.bytesRead();
    }
}

Corpus readAll(const std::vector<std::string>& files, const text::WordPieceTokenizer& tokenizer,
               int threads, int64_t& bytesRead, const std::function<void()>& tick)
{
    Corpus all;
    readPieces(files, tokenizer, threads, bytesRead, tick, [&](const Corpus& piece) {
        for (int64_t d = 0; d < piece.documentCount(); ++d)
            all.append(piece, d);
    });
    return all;
}

uint64_t fingerprint(const Corpus& corpus, int64_t document)
{
    const int64_t first = corpus.sentences[size_t(corpus.documents[size_t(document)])];
    const int64_t last = corpus.sentences[size_t(corpus.documents[size_t(document) + 1])];
    uint64_t hash = 0xcbf29ce484222325ull;
    for (int64_t i = first; i < last; ++i)
        hash = (hash ^ uint32_t(corpus.tokens[size_t(i)])) * 0x100000001b3ull;
    return hash;
}

std::set<uint64_t> fingerprints(const Corpus& corpus)
{
    std::set<uint64_t> all;
    for (int64_t d = 0; d < corpus.documentCount(); ++d)
        all.insert(fingerprint(corpus, d));
    return all;
}

void requireDocuments(int64_t documents, const char* what)
{
    if (documents < 2)
        throw InvalidArgument("the text has " + std::to_string(documents) + " documents to " +
                                  what +
                                  ", but the task of the next sentence needs two or more: put a "
                                  "blank line between documents, or give more text",
                              "data_empty");
}

std::vector<bool> heldOut(int64_t documents, double share)
{
    const int64_t n = documents;
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
    return out;
}

SplitCorpus holdOut(const Corpus& all, double share)
{
    const std::vector<bool> out = heldOut(all.documentCount(), share);
    Corpus training, evaluation;
    for (int64_t d = 0; d < all.documentCount(); ++d)
        (out[size_t(d)] ? evaluation : training).append(all, d);
    return keepApart(training, std::move(evaluation));
}

SplitCorpus keepApart(const Corpus& training, Corpus evaluation)
{
    const std::set<uint64_t> held = fingerprints(evaluation);
    SplitCorpus split;
    for (int64_t d = 0; d < training.documentCount(); ++d)
        if (held.contains(fingerprint(training, d)))
            ++split.repeated;
        else
            split.training.append(training, d);
    split.evaluation = std::move(evaluation);
    requireDocuments(split.training.documentCount(), "train on");
    requireDocuments(split.evaluation.documentCount(), "evaluate");
    return split;
}

} // namespace scalebench::workloads
