// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/prose_generator.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <array>
#include <cctype>
#include <string_view>

namespace scalebench::workloads {
namespace {

using data::HashRandom;

constexpr uint64_t kDocumentStream = 71;

constexpr uint32_t kTopics = 16, kNouns = 12, kVerbs = 8, kAdjectives = 6;
constexpr uint32_t kStems = kNouns + kVerbs + kAdjectives; ///< of a topic

constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
/// Names have consonants of their own, so that no name begins with a stem.
constexpr std::string_view kNameConsonants = "hjwyc";

/// [gender][plural]
constexpr const char* kArticles[2][2] = {{"lo", "los"}, {"la", "las"}};
constexpr const char* kEndings[2][2] = {{"o", "os"}, {"a", "as"}};
/// [past][plural]
constexpr const char* kVerbEndings[2][2] = {{"it", "unt"}, {"avit", "erunt"}};
constexpr std::array<const char*, 4> kPrepositions = {"de", "per", "con", "ab"};
constexpr std::array<const char*, 8> kAdverbs = {"nunc", "sic",  "iam",   "tum",
                                                 "quoq", "modo", "saepe", "olim"};

/// Consonant, vowel, consonant, vowel, consonant; another one for each number below 68,600.
std::string stem(uint32_t number)
{
    constexpr uint32_t kCount = 14 * 5 * 14 * 5 * 14;
    uint32_t n = uint32_t((uint64_t{number} * 7919 + 13) % kCount);
    std::string text;
    for (int i = 0; i < 5; ++i) {
        const std::string_view letters = i % 2 == 0 ? kConsonants : kVowels;
        text += letters[n % letters.size()];
        n /= uint32_t(letters.size());
    }
    return text;
}

struct NounPhrase {
    uint32_t noun = 0;
    bool plural = false;
};

class Writer
{
public:
    Writer(uint64_t seed, int64_t index)
        : random_({seed, kDocumentStream, uint64_t(index)}),
          topic_(random_.below(kTopics)),
          past_(random_.chance(0.5))
    {
        for (int i = 0; i < 3; ++i) {
            name_ += kNameConsonants[random_.below(uint32_t(kNameConsonants.size()))];
            name_ += kVowels[random_.below(uint32_t(kVowels.size()))];
        }
        subject_ = any();
    }

    std::string sentence()
    {
        std::string text;
        const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
        if (random_.chance(0.2))
            add(kAdverbs[(topic_ + random_.below(2)) % kAdverbs.size()]);
        const bool person = random_.chance(0.25);
        NounPhrase subject = random_.chance(0.7) ? subject_ : any();
        subject.plural = subject.plural && !person;
        add(person ? name_ : phrase(subject));
        const uint32_t verb = random_.below(kVerbs);
        add(stem(topic_ * kStems + kNouns + verb) + kVerbEndings[past_][subject.plural]);
        // A verb takes three of the nouns, told by its number.
        const NounPhrase object{verb % 4 + 4 * random_.below(3), random_.chance(0.4)};
        add(phrase(object));
        if (random_.chance(0.3)) {
            const NounPhrase place = any();
            add(kPrepositions[place.noun % 4]);
            add(phrase(place));
        }
        subject_ = object;
        text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
        return text + ".";
    }
    uint32_t below(uint32_t n) { return random_.below(n); }

private:
    NounPhrase any() { return {random_.below(kNouns), random_.chance(0.4)}; }

    std::string phrase(const NounPhrase& p)
    {
        const uint32_t gender = p.noun % 2;
        const char* ending = kEndings[gender][p.plural];
        std::string text = kArticles[gender][p.plural];
        text += ' ' + stem(topic_ * kStems + p.noun) + ending;
        if (random_.chance(0.4)) { // one of the two adjectives that go with the noun
            const uint32_t adjective = p.noun % 3 + 3 * random_.below(2);
            text += ' ' + stem(topic_ * kStems + kNouns + kVerbs + adjective) + ending;
        }
        return text;
    }

    HashRandom random_;
    uint32_t topic_;
    bool past_;
    std::string name_;
    NounPhrase subject_;
};

std::string documentsText(uint64_t seed, int64_t first, int64_t count,
                          const std::function<void()>& tick)
{
    std::string text;
    for (int64_t i = first; i < first + count; ++i) {
        if (tick && i % 256 == 0)
            tick();
        for (const std::string& sentence : proseDocument(seed, i))
            text += sentence + '\n';
        text += '\n';
    }
    return text;
}

} // namespace

std::vector<std::string> proseDocument(uint64_t seed, int64_t index)
{
    Writer writer(seed, index);
    std::vector<std::string> sentences(8 + writer.below(17));
    for (std::string& sentence : sentences)
        sentence = writer.sentence();
    return sentences;
}

std::vector<std::string> prosePieces()
{
    std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "."};
    for (const auto& list : {kArticles, kEndings, kVerbEndings})
        for (int i = 0; i < 4; ++i)
            pieces.push_back((list == kArticles ? "" : "##") + std::string(list[i / 2][i % 2]));
    for (const char* word : kPrepositions)
        pieces.emplace_back(word);
    for (const char* word : kAdverbs)
        pieces.emplace_back(word);
    for (const char consonant : kNameConsonants)
        for (const char vowel : kVowels)
            for (const char* begin : {"", "##"})
                pieces.push_back(begin + std::string{consonant, vowel});
    for (uint32_t i = 0; i < kTopics * kStems; ++i)
        pieces.push_back(stem(i));
    return pieces;
}

std::unique_ptr<data::GeneratedSetLock> ensureProse(const std::string& path, const ProseSpec& spec,
                                                    const std::function<void()>& tick)
{
    SB_REQUIRE(spec.documents >= 2 && spec.evalDocuments >= 2,
               "generated prose needs two documents to train on and two to evaluate");
    const std::string label =
        "This text was GENERATED by Scalebench; it is no public data set.\ngenerator: " +
        std::string(kProseName) + "\nseed: " + std::to_string(spec.seed) +
        "\ndocuments: " + std::to_string(spec.documents) +
        "\neval_documents: " + std::to_string(spec.evalDocuments) +
        "\nformat: a sentence a line, a blank line between documents\n";
    return data::ensureGenerated(
        path, label, data::drawsOnly({"vocab.txt", "train.txt", "eval.txt"}),
        [&](const std::filesystem::path& folder) {
            const auto write = [&](const char* name, const std::string& text) {
                data::writeGenerated(folder / name, text.data(), text.size());
            };
            std::string vocabulary;
            for (const std::string& piece : prosePieces())
                vocabulary += piece + '\n';
            write("vocab.txt", vocabulary);
            write("train.txt", documentsText(spec.seed, 0, spec.documents, tick));
            write("eval.txt", documentsText(spec.seed, spec.documents, spec.evalDocuments, tick));
        },
        tick);
}

} // namespace scalebench::workloads
