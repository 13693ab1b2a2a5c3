// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the keys of one object of run.json with their types and ranges; what nobody asked for is
// refused. Every refusal is an InvalidArgument (`usage`) that names the key, what it holds and what
// is expected.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace scalebench {

/// Throws InvalidArgument: "run.json: " and the message.
[[noreturn]] void refuseSetting(const std::string& message, const char* code = "usage");

class SettingsReader
{
public:
    using Json = nlohmann::json;

    /// `path`: of the object in the document ("data.augment"), empty for the document itself. The
    /// object must outlive the reader.
    SettingsReader(const Json& object, std::string path);

    /// The value as it is, or null; it counts as read.
    const Json* find(const char* key);
    void text(const char* key, std::string& out);
    void flag(const char* key, bool& out);
    void number(const char* key, double& out, double lowest, double highest);
    void number(const char* key, std::optional<double>& out, double lowest, double highest);
    void integers(const char* key, std::vector<int64_t>& out, int64_t lowest, int64_t highest);
    void texts(const char* key, std::vector<std::string>& out);
    template <typename Int>
    void integer(const char* key, Int& out, int64_t lowest,
                 int64_t highest = std::numeric_limits<int32_t>::max())
    {
        if (const Json* value = find(key))
            out = static_cast<Int>(wholeNumber(key, *value, lowest, highest));
    }

    /// The key with the path before it: "optimizer.name".
    std::string full(const std::string& key) const;
    [[noreturn]] void wrong(const char* key, const std::string& expected, const Json& value) const;
    void require(const char* key) const;
    /// Refuses the keys that nobody asked for.
    void finish() const;

private:
    int64_t wholeNumber(const char* key, const Json& value, int64_t lowest, int64_t highest) const;

    const Json& object_;
    std::string path_;
    std::set<std::string> used_;
};

} // namespace scalebench
