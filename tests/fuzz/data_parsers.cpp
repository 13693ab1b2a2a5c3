// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's readers of data sets.
#include "parsers.h"
#include "promises.h"

#include "engine/data/image.h"
#include "engine/data/open_dataset.h"
#include "engine/detection/coco_json.h"
#include "engine/detection/voc_xml.h"
#include "engine/text/lines.h"
#include "engine/text/parallel_text.h"
#include "engine/text/subword_tokenizer.h"
#include "engine/text/unicode.h"
#include "engine/text/word_pieces.h"
#include "engine/workloads/bert/corpus_files.h"
#include "engine/workloads/dlrm/clicks.h"
#include "engine/workloads/ncf/interactions.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

namespace scalebench::fuzz {

using namespace Qt::Literals::StringLiterals;

namespace {

/// First line "log": a u.data; "csv": a ratings.csv; else the three files of the NCF paper, with a
/// line "---" between.
void interactions(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const qsizetype end = input.indexOf('\n');
    const QByteArray kind = input.left(end), rest = end < 0 ? QByteArray() : input.mid(end + 1);
    QString path = folder.filePath(u"x"_s);
    if (kind == "log" || kind == "csv") {
        path = folder.filePath(kind == "log" ? u"u.data"_s : u"ratings.csv"_s);
        writeTo(path, rest);
    } else {
        static constexpr const char* kEndings[] = {".train.rating", ".test.rating",
                                                   ".test.negative"};
        qsizetype from = 0;
        for (const char* ending : kEndings) {
            const qsizetype to = rest.indexOf("---\n", from);
            writeTo(path + QLatin1StringView(ending), rest.mid(from, to < 0 ? -1 : to - from));
            from = to < 0 ? rest.size() : to + 4;
        }
    }
    refusesInOneSentence([&] {
        const workloads::Interactions set = workloads::readInteractions(path.toStdString(), {2});
        holds(set.users > 0 && set.items > 0 && set.positives() > 0 && set.tests() > 0, "a set");
        holds(
            std::ranges::all_of(set.trainItems, [&](int32_t i) { return i >= 0 && i < set.items; }),
            "items");
        holds(
            std::ranges::all_of(set.negatives, [&](int32_t i) { return i >= 0 && i < set.items; }),
            "negatives");
        holds(
            std::ranges::all_of(set.testUsers, [&](int32_t u) { return u >= 0 && u < set.users; }),
            "users");
        holds(int64_t(set.negatives.size()) == set.tests() * set.negativesPerTest, "negatives");
    });
}

void picture(const QByteArray& input)
{
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(input.constData()),
                                         size_t(input.size()));
    const data::ImageSize size = data::peekImageSize(bytes);
    if (int64_t(size.width) * size.height > 4'000'000)
        return; // allowed, but slow here
    refusesInOneSentence([&] {
        const data::Image image = data::decodeImage(bytes, "x");
        holds(image.rgb.size() == size_t(image.width) * size_t(image.height) * 3, "pixels");
    });
}

/// First line "codes", "pieces", "word pieces", "tabs" or another: what the rest is read as.
void language(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const qsizetype end = input.indexOf('\n');
    const QByteArray kind = input.left(end);
    const QString file = folder.filePath(u"x"_s);
    writeTo(file, end < 0 ? QByteArray() : input.mid(end + 1));
    const std::string path = file.toStdString(), line = "Two rings, a@@ low\\est <pad>!";
    refusesInOneSentence([&] {
        if (kind == "codes") {
            const text::BytePairs pairs = text::BytePairs::read(path);
            for (const std::string& word : text::splitBlanks(line)) {
                std::string whole;
                for (const std::string& piece : pairs.split(word))
                    whole += piece;
                holds(whole == word, "the pieces are the word");
            }
            const text::WordCounts words =
                text::countWords({&line, 1}, text::WordMode::Reversible, 1);
            const text::SubwordTokenizer tokenizer(text::WordMode::Reversible, pairs,
                                                   text::SubwordVocabulary::build(words, pairs));
            holds(tokenizer.decode(tokenizer.encode(line)) == line, "decode undoes encode");
        } else if (kind == "pieces") {
            const auto v = text::SubwordVocabulary::read(path);
            holds(v.size() >= text::SubwordVocabulary::kFirstPiece, "the first ids");
            const text::SubwordTokenizer tokenizer(text::WordMode::Blanks, {}, v);
            for (const int32_t id : tokenizer.encode(line))
                holds(id >= text::SubwordVocabulary::kUnknown && id < v.size(), "an id");
        } else if (kind == "word pieces") {
            const text::WordPieceTokenizer tokenizer(text::WordPieceVocabulary::read(path));
            for (const int32_t id : tokenizer.encode(line))
                holds(id >= 0 && id < tokenizer.vocabulary().size(), "an id");
        } else if (kind == "tabs") {
            const auto pairs = text::readTabbedText(path, text::OneSided::Drop);
            holds(pairs.size() > 0 && pairs.source.size() == pairs.target.size(), "pairs");
        } else {
            for (const std::string& read : text::readLines(path)) {
                holds(text::firstInvalidUtf8(read) == std::string::npos, "UTF-8");
                holds(text::joinWords(text::splitWords(read)) == read, "join undoes split");
            }
        }
    });
}

void isSoundSet(const std::vector<detection::AnnotatedObject>& objects, int width, int height,
                size_t categories)
{
    for (const detection::AnnotatedObject& object : objects) {
        holds(object.category >= 0 && size_t(object.category) < categories, "a category");
        holds(std::isfinite(object.box.x) && object.box.width >= 0 && object.box.height >= 0,
              "a box");
        if (object.mask.empty())
            continue;
        holds(object.mask.width == width && object.mask.height == height, "the picture's size");
        int64_t pixels = 0;
        for (const uint32_t run : object.mask.runs)
            pixels += run;
        holds(pixels == int64_t(width) * height, "a whole mask");
    }
}

/// First line "coco" or "voc".
void annotations(const QByteArray& input)
{
    const qsizetype end = input.indexOf('\n');
    const QByteArray rest = end < 0 ? QByteArray() : input.mid(end + 1);
    refusesInOneSentence([&] {
        if (input.left(end) == "voc") {
            const auto read = detection::parseVoc({rest.constData(), size_t(rest.size())}, "x");
            isSoundSet(read.picture.objects, read.picture.width, read.picture.height,
                       read.names.size());
            return;
        }
        const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(rest.constData()),
                                             size_t(rest.size()));
        const detection::AnnotatedSet set = detection::parseCoco(bytes, "x", true);
        for (const detection::AnnotatedPicture& picture : set.pictures)
            isSoundSet(picture.objects, picture.width, picture.height, set.categories.size());
    });
}

bool isSame(const workloads::Click& a, const workloads::Click& b)
{
    return a.label == b.label && a.counts == b.counts && a.categories == b.categories;
}

/// First line "binary" or another: a log of clicks in MLPerf's layout or in Criteo's text.
void clicks(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const Kinded given(input);
    const QString ending = given.kind == "binary" ? u".bin"_s : u".txt"_s;
    for (const char* name : {"train", "test"}) {
        QFile::remove(folder.filePath(QLatin1StringView(name) + u".bin"_s));
        QFile::remove(folder.filePath(QLatin1StringView(name) + u".txt"_s));
        writeTo(folder.filePath(QLatin1StringView(name) + ending), given.rest);
    }
    refusesInOneSentence([&] {
        const workloads::ClickData data = workloads::openClicks(folder.path().toStdString());
        const workloads::ClickLog& log = *data.training;
        const int64_t rows = log.rows();
        holds(rows > 0, "rows");
        std::vector<workloads::Click> whole(static_cast<size_t>(rows));
        log.read(0, whole);
        for (int64_t first = 0; first < rows; first += 1 + first / 3) {
            std::vector<workloads::Click> part(size_t(std::min<int64_t>(5, rows - first)));
            log.read(first, part);
            for (size_t i = 0; i < part.size(); ++i)
                holds(isSame(part[i], whole[size_t(first) + i]), "the same from the middle");
        }
        holds(
            std::ranges::all_of(whole, [](const auto& c) { return c.label == 0 || c.label == 1; }),
            "labels");
        holds(!log.describe(rows - 1).empty(), "a place");
    });
}

void isSoundDataset(const data::ImageDataset& set)
{
    holds(set.size() > 0 && set.classes() > 0, "pictures and classes");
    for (int64_t i = 0; i < set.size(); ++i) {
        holds(set.label(i) >= 0 && set.label(i) < set.classes(), "a class");
        refusesInOneSentence([&] {
            const data::Image image = set.decode(i);
            holds(image.rgb.size() == size_t(image.width) * size_t(image.height) * 3, "pixels");
        });
    }
}

void pictureSet(const QString& path)
{
    refusesInOneSentence([&] {
        const data::PictureFiles files(path.toStdString());
        const data::DatasetSummary summary = files.summary();
        holds(summary.trainSamples > 0 && summary.evalSamples > 0 && summary.classes > 1, "counts");
        const data::DatasetPair pair = files.open({});
        holds(pair.train->size() == summary.trainSamples, "as many as were counted");
        isSoundDataset(*pair.train);
        isSoundDataset(*pair.eval);
    });
}

/// data_batch_1.bin, test_batch.bin and batches.meta.txt with a line "---" between.
void cifar(const QByteArray& input)
{
    static const QTemporaryDir folder;
    qsizetype from = 0;
    for (const char* name : {"data_batch_1.bin", "test_batch.bin", "batches.meta.txt"}) {
        const qsizetype to = from < 0 ? -1 : input.indexOf("\n---\n", from);
        writeTo(folder.filePath(QLatin1StringView(name)),
                from < 0 ? QByteArray() : input.mid(from, to < 0 ? -1 : to - from));
        from = to < 0 ? -1 : to + 5;
    }
    pictureSet(folder.path());
}

/// A tar of pictures, packed or not.
void pictureTar(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath(u"x.tar"_s);
    writeTo(path, input);
    pictureSet(path);
    refusesInOneSentence([&] {
        for (const data::StoredFile& file :
             data::listFiles(path.toStdString(), [](const std::string&) { return true; }).files) {
            holds(file.size >= 0 && file.offset >= 0, "a place in the tar");
            // Of a gzip tar a place in what is unpacked: reading it is the proof.
            holds(file.packed  ? true
                  : file.bytes ? int64_t(file.bytes->size()) == file.size
                               : file.offset + file.size <= input.size(),
                  "inside it");
            holds(int64_t(file.read().size()) == file.size, "reads whole");
        }
    });
}

/// A text file for BERT.
void documents(const QByteArray& input)
{
    static const text::WordPieceTokenizer tokenizer{text::WordPieceVocabulary(
        {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "the", ".", "<", "##b"})};
    static const QTemporaryDir folder;
    const QString path = folder.filePath(u"x.txt"_s);
    writeTo(path, input);
    refusesInOneSentence([&] {
        workloads::Corpus all;
        int64_t bytes = 0;
        workloads::readDocuments(path.toStdString(), tokenizer, all, bytes);
        holds(bytes <= input.size(), "no more than there is");
        const auto rises = [](const data::Column<int64_t>& ends) {
            return ends[0] == 0 &&
                   std::ranges::adjacent_find(ends, std::greater_equal()) == ends.end();
        };
        holds(rises(all.sentences) && rises(all.documents), "nothing is empty");
        holds(all.sentences.back() == int64_t(all.tokens.size()) &&
                  all.documents.back() == all.sentenceCount(),
              "nothing is outside");
        for (const int32_t id : all.tokens)
            holds(id >= 0 && id < tokenizer.vocabulary().size(), "an id");
        const workloads::SplitCorpus split = workloads::holdOut(all, 0.1);
        holds(split.training.documentCount() + split.evaluation.documentCount() + split.repeated ==
                  all.documentCount(),
              "each document once");
    });
}

} // namespace

const QList<NamedParser>& dataParsers()
{
    static const QList<NamedParser> kAll{
        {"interactions", interactions}, {"picture", picture},     {"language", language},
        {"annotations", annotations},   {"clicks", clicks},       {"cifar", cifar},
        {"picture_tar", pictureTar},    {"documents", documents},
    };
    return kAll;
}

} // namespace scalebench::fuzz
