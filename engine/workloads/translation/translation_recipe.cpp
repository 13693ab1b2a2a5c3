// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_recipe.h"

#include <algorithm>
#include <initializer_list>

namespace scalebench::workloads {
namespace {

void oneOf(SettingsReader& keys, const char* key, std::string& value,
           std::initializer_list<const char*> allowed)
{
    keys.text(key, value);
    std::string list;
    for (const char* name : allowed) {
        if (value == name)
            return;
        list.append(list.empty() ? "" : ", ").append(name);
    }
    refuseSetting("\"data." + std::string(key) + "\" is \"" + value + "\", expected one of " +
                  list);
}

/// Part of a file's name, so that it stays in the folder.
void fileName(SettingsReader& keys, const char* key, std::string& value)
{
    keys.text(key, value);
    const bool plain = std::ranges::all_of(value, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '_' || c == '-' || c == '.';
    });
    if (value.empty() || !plain || value.front() == '.')
        refuseSetting("\"data." + std::string(key) + "\" is \"" + value +
                      "\", expected the beginning or ending of a file's name: letters, digits, "
                      "'_', '-' and '.'");
}

} // namespace

void TranslationRecipe::parseCommon(const RunConfig& config, RecipeKeys& keys)
{
    requireSampleCounts(config.data);
    keys.model.integer("vocabulary", vocabulary, 0, 1 << 24);
    if (vocabulary > 0 && vocabulary < 8)
        refuseSetting("\"model.vocabulary\" must be 0 (as the text has it) or at least 8");
    keys.model.number("dropout", dropout, 0, 0.9);
    keys.model.integer("beam", beam, 1, 64);
    keys.model.number("length_norm", lengthNorm, 0, 4);
    keys.model.number("coverage", coverage, 0, 4);

    if (config.data.source == DataSource::Generated)
        sourceLanguage = "xa", targetLanguage = "xb";
    languagesNamed = keys.data.find("source_language") || keys.data.find("target_language");
    fileName(keys.data, "source_language", sourceLanguage);
    fileName(keys.data, "target_language", targetLanguage);
    fileName(keys.data, "train", train);
    fileName(keys.data, "eval", eval);
    std::string words = "reversible", tooLong = "drop", oneSided = "refuse", unit = "sentences",
                bleuCase = "mixed";
    oneOf(keys.data, "words", words, {"reversible", "blanks"});
    blanks = words == "blanks";
    keys.data.flag("lower_case", lowerCase);
    keys.data.integer("nouns", nouns, 30, 900);
    keys.data.integer("merges", merges, 1, 1 << 20);
    keys.data.integer("max_tokens", maxTokens, 2, 1 << 16);
    oneOf(keys.data, "too_long", tooLong, {"drop", "truncate"});
    truncate = tooLong == "truncate";
    oneOf(keys.data, "one_sided", oneSided, {"refuse", "drop"});
    dropOneSided = oneSided == "drop";
    oneOf(keys.data, "batch_unit", unit, {"sentences", "tokens"});
    batchTokens = unit == "tokens";
    keys.data.integer("bucket_pool", bucketPool, 1, 1 << 20);
    oneOf(keys.data, "bleu", bleu, {"13a", "intl", "none"});
    oneOf(keys.data, "bleu_case", bleuCase, {"mixed", "lower"});
    bleuLowerCase = bleuCase == "lower";
}

} // namespace scalebench::workloads
