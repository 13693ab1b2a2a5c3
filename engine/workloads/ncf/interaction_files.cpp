// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/interaction_files.h"

#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace scalebench::workloads {
namespace {

constexpr const char* kTrain = ".train.rating";
constexpr const char* kTest = ".test.rating";
constexpr const char* kNegative = ".test.negative";
constexpr std::array<const char*, 3> kParts = {kTrain, kTest, kNegative};

constexpr const char* kLookedFor =
    "looked for u.data, ratings.csv, or X.train.rating with X.test.rating and X.test.negative";

bool isFile(const std::string& path)
{
    std::error_code failed;
    return fs::is_regular_file(path, failed);
}

/// The name without the ending of a triplet's file; false when it has none of them.
bool cutTripletEnding(std::string& name)
{
    for (const char* part : kParts)
        if (name.ends_with(part)) {
            name.resize(name.size() - std::string_view(part).size());
            return true;
        }
    return false;
}

bool isStem(const std::string& path)
{
    return std::ranges::any_of(kParts, [&](const char* part) { return isFile(path + part); });
}

InteractionFiles tripletAt(const std::string& stem)
{
    for (const char* part : kParts)
        if (!isFile(stem + part))
            throw InvalidArgument(stem + part +
                                      " is missing: a set in the format of the NCF paper "
                                      "is three files, X.train.rating, X.test.rating "
                                      "and X.test.negative.",
                                  "data_missing");
    return {InteractionFormat::Triplet, stem + kTrain, stem + kTest, stem + kNegative};
}

/// A set by its file, or by the stem of its files. `path` ends with a known name.
InteractionFiles setAt(const std::string& path)
{
    if (path.ends_with(".data") && isFile(path))
        return {InteractionFormat::MovieLens100K, path, {}, {}};
    if (path.ends_with(".csv") && isFile(path))
        return {InteractionFormat::MovieLensCsv, path, {}, {}};
    return tripletAt(path);
}

/// u.data, ratings.csv and the stems of triplets, sorted.
std::set<std::string> setsIn(const std::string& folder)
{
    std::set<std::string> sets;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::string name = at->path().filename().string();
        if (!isFile(at->path().string()))
            continue;
        if (name == "u.data" || name == "ratings.csv" || cutTripletEnding(name))
            sets.insert(name);
    }
    if (failed)
        throw InvalidArgument("cannot read the folder " + folder + ": " + failed.message(),
                              "data_missing");
    return sets;
}

InteractionFiles onlySetIn(const std::string& folder)
{
    const std::set<std::string> sets = setsIn(folder);
    if (sets.empty())
        throw InvalidArgument(folder + " holds no interactions: " + kLookedFor +
                                  "; found none of them.",
                              "data_empty");
    const std::string first = (fs::path(folder) / *sets.begin()).string();
    if (sets.size() == 1)
        return setAt(first);
    std::string names;
    for (const std::string& name : sets)
        names += (names.empty() ? "" : ", ") + name;
    throw InvalidArgument(folder + " holds several sets (" + names +
                              "): give the file of one, or the stem of its files, as in " + first +
                              ".",
                          "data_missing");
}

} // namespace

InteractionFiles findInteractions(const std::string& path)
{
    std::error_code failed;
    std::string stem = path;
    if (fs::is_directory(path, failed))
        return onlySetIn(path);
    if (cutTripletEnding(stem) || isStem(path))
        return tripletAt(stem);
    if (!fs::exists(path, failed))
        throw InvalidArgument("there is no data at " + path +
                                  ". Check the path; on a cluster it must exist on every node.",
                              "data_missing");
    if (isFile(path) && (path.ends_with(".data") || path.ends_with(".csv")))
        return setAt(path);
    throw InvalidArgument(path + " is no set of interactions by its name: " + kLookedFor + ".",
                          "data_empty");
}

const char* nameOf(InteractionFormat format)
{
    switch (format) {
    case InteractionFormat::MovieLens100K:
        return "MovieLens u.data";
    case InteractionFormat::MovieLensCsv:
        return "MovieLens ratings.csv";
    case InteractionFormat::Triplet:
        break;
    }
    return "NCF rating files";
}

} // namespace scalebench::workloads
