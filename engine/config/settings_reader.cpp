// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/settings_reader.h"

#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace scalebench {
namespace {

std::string inQuotes(const std::string& text)
{
    std::string out;
    out.append(1, '"').append(text).append(1, '"');
    return out;
}

std::string trim(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

std::string wholeRange(int64_t lowest, int64_t highest)
{
    return "from " + std::to_string(lowest) + " to " + std::to_string(highest);
}

} // namespace

void refuseSetting(const std::string& message, const char* code)
{
    throw InvalidArgument("run.json: " + message, code);
}

SettingsReader::SettingsReader(const Json& object, std::string path)
    : object_(object), path_(std::move(path))
{
    if (!object.is_object())
        refuseSetting((path_.empty() ? std::string("the document") : inQuotes(path_)) +
                      " must be an object");
}

const SettingsReader::Json* SettingsReader::find(const char* key)
{
    used_.insert(key);
    const auto it = object_.find(key);
    return it == object_.end() ? nullptr : &*it;
}

void SettingsReader::text(const char* key, std::string& out)
{
    if (const Json* value = find(key)) {
        if (!value->is_string())
            wrong(key, "a text", *value);
        out = value->get<std::string>();
    }
}

void SettingsReader::flag(const char* key, bool& out)
{
    if (const Json* value = find(key)) {
        if (!value->is_boolean())
            wrong(key, "true or false", *value);
        out = value->get<bool>();
    }
}

void SettingsReader::number(const char* key, double& out, double lowest, double highest)
{
    if (const Json* value = find(key)) {
        if (!value->is_number() || !(value->get<double>() >= lowest) ||
            !(value->get<double>() <= highest))
            wrong(key, "a number from " + trim(lowest) + " to " + trim(highest), *value);
        out = value->get<double>();
    }
}

void SettingsReader::number(const char* key, std::optional<double>& out, double lowest,
                            double highest)
{
    if (find(key) != nullptr) {
        double value = 0;
        number(key, value, lowest, highest);
        out = value;
    }
}

void SettingsReader::integers(const char* key, std::vector<int64_t>& out, int64_t lowest,
                              int64_t highest)
{
    const Json* value = find(key);
    if (value == nullptr)
        return;
    if (!value->is_array())
        wrong(key, "a list of whole numbers " + wholeRange(lowest, highest), *value);
    out.clear();
    for (const Json& item : *value)
        out.push_back(wholeNumber(key, item, lowest, highest));
}

void SettingsReader::texts(const char* key, std::vector<std::string>& out)
{
    const Json* value = find(key);
    if (value == nullptr)
        return;
    if (!value->is_array())
        wrong(key, "a list of texts", *value);
    out.clear();
    for (const Json& item : *value) {
        if (!item.is_string())
            wrong(key, "a list of texts", *value);
        out.push_back(item.get<std::string>());
    }
}

int64_t SettingsReader::wholeNumber(const char* key, const Json& value, int64_t lowest,
                                    int64_t highest) const
{
    // Above the largest int64_t a number would come out negative.
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() &&
                        value.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max()));
    if (!fits || value.get<int64_t>() < lowest || value.get<int64_t>() > highest)
        wrong(key, "a whole number " + wholeRange(lowest, highest), value);
    return value.get<int64_t>();
}

void SettingsReader::wrong(const char* key, const std::string& expected, const Json& value) const
{
    refuseSetting(inQuotes(full(key)) + " is " + value.dump().substr(0, 80) + ", expected " +
                  expected);
}

void SettingsReader::require(const char* key) const
{
    if (!object_.contains(key))
        refuseSetting(inQuotes(full(key)) + " is missing");
}

void SettingsReader::finish() const
{
    for (const auto& [key, value] : object_.items()) {
        if (used_.contains(key))
            continue;
        std::string known;
        for (const std::string& name : used_)
            known.append(known.empty() ? "" : ", ").append(name);
        refuseSetting("unknown key " + inQuotes(full(key)) + ", expected " + known);
    }
}

std::string SettingsReader::full(const std::string& key) const
{
    return path_.empty() ? key : path_ + "." + key;
}

} // namespace scalebench
