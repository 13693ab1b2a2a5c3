// SPDX-License-Identifier: GPL-3.0-or-later
// X.train.rating, X.test.rating and X.test.negative: the format of the NCF paper's own data.

#include "engine/workloads/ncf/interaction_readers.h"
#include "engine/workloads/ncf/line_reader.h"
#include "kernels/check.h"

#include <numeric>

namespace scalebench::workloads {
namespace {

constexpr const char* kRatingLine = "user TAB item TAB rating, and perhaps TAB time";

struct Pair {
    int32_t user;
    int32_t item;
    bool operator==(const Pair&) const = default;
};

std::string shown(const Pair& pair)
{
    return std::string("(")
        .append(std::to_string(pair.user))
        .append(",")
        .append(std::to_string(pair.item))
        .append(")");
}

/// Reads one rating line; whether it counts as taken goes to `taken`.
Pair readRating(const LineReader& reader, std::string_view line, IdRange& users, IdRange& items,
                bool& taken)
{
    const auto fields = reader.split(line, '\t', 3, 4);
    const Pair pair{reader.id(fields.text[0], users), reader.id(fields.text[1], items)};
    taken = reader.number(fields.text[2], "rating") > 0;
    if (fields.count == 4)
        reader.wholeNumber(fields.text[3], "time");
    return pair;
}

/// Sorts the items of every user and drops repeated ones.
void sortUsers(Interactions& set)
{
    auto out = set.trainItems.begin();
    for (int64_t user = 0; user < set.users; ++user) {
        const auto first = set.trainItems.begin() + set.firstOfUser[size_t(user)];
        const auto last = set.trainItems.begin() + set.firstOfUser[size_t(user) + 1];
        set.firstOfUser[size_t(user)] = out - set.trainItems.begin();
        std::sort(first, last);
        const auto kept = std::unique(first, last);
        out = out == first ? kept : std::move(first, kept, out);
        set.trainUsers.resize(size_t(out - set.trainItems.begin()), int32_t(user));
    }
    set.trainItems.erase(out, set.trainItems.end());
    set.firstOfUser.back() = set.positives();
}

void groupByUser(const std::vector<Pair>& pairs, Interactions& set)
{
    set.firstOfUser.assign(size_t(set.users) + 1, 0);
    for (const Pair& pair : pairs)
        ++set.firstOfUser[size_t(pair.user) + 1];
    std::partial_sum(set.firstOfUser.begin(), set.firstOfUser.end(), set.firstOfUser.begin());
    std::vector<int64_t> next(set.firstOfUser.begin(), set.firstOfUser.end() - 1);
    set.trainItems.resize(pairs.size());
    for (const Pair& pair : pairs)
        set.trainItems[size_t(next[size_t(pair.user)]++)] = pair.item;
    sortUsers(set);
}

void readTraining(const std::string& path, Interactions& set)
{
    LineReader reader(path, kRatingLine);
    IdRange users{"user"}, items{"item"};
    std::vector<Pair> pairs;
    std::string_view line;
    while (reader.next(line)) {
        bool taken = false;
        const Pair pair = readRating(reader, line, users, items, taken);
        if (taken)
            pairs.push_back(pair);
    }
    reader.checkRange(users);
    reader.checkRange(items);
    if (pairs.empty())
        throw InvalidArgument(path + " holds no interactions.", "data_empty");
    set.users = users.largest + 1;
    set.items = items.largest + 1;
    set.bytesRead += reader.bytesRead();
    set.source = path;
    groupByUser(pairs, set);
    remarkOnRepeats(int64_t(pairs.size()) - set.positives(), path, set);
}

void checkTestUser(const LineReader& reader, int32_t user, const Interactions& set,
                   std::vector<bool>& seen)
{
    // One of the known users without training lines is no damage: the public AMusic set has 43.
    if (user >= set.users)
        reader.damaged("the user " + std::to_string(user) +
                       " is not in the training file, whose last user is " +
                       std::to_string(set.users - 1));
    if (seen[size_t(user)])
        reader.damaged("the user " + std::to_string(user) + " has a test item already");
    seen[size_t(user)] = true;
}

void readTests(const std::string& path, Interactions& set)
{
    LineReader reader(path, kRatingLine);
    IdRange users{"user"}, items{"item"};
    std::vector<bool> seen(size_t(set.users), false);
    int64_t untrained = 0, firstLine = 0, firstUser = 0;
    std::string_view line;
    while (reader.next(line)) {
        bool taken = false;
        const Pair pair = readRating(reader, line, users, items, taken);
        checkTestUser(reader, pair.user, set, seen);
        if (set.itemsOf(pair.user).empty() && untrained++ == 0)
            firstLine = reader.line(), firstUser = pair.user;
        set.testUsers.push_back(pair.user);
        set.testItems.push_back(pair.item);
    }
    reader.checkRange(items);
    if (set.testItems.empty())
        throw InvalidArgument(path + " holds no test items.", "data_empty");
    if (untrained > 0)
        set.remarks.push_back(path + ":" + std::to_string(firstLine) + ": the user " +
                              std::to_string(firstUser) +
                              " has no line in the training file; test users of that kind: " +
                              std::to_string(untrained) +
                              ". Their tests count, though nothing is learned about them.");
    set.items = std::max(set.items, items.largest + 1);
    set.bytesRead += reader.bytesRead();
}

/// Python writes pairs as "(user, item)", the published files have no space.
Pair readPair(const LineReader& reader, std::string_view text)
{
    const size_t comma = text.find(',');
    if (!text.starts_with('(') || !text.ends_with(')') || comma == std::string_view::npos)
        reader.damaged("the line does not begin with (user,item)");
    std::string_view item = text.substr(comma + 1, text.size() - comma - 2);
    if (item.starts_with(' '))
        item.remove_prefix(1);
    IdRange users{"user"}, items{"item"};
    return {reader.id(text.substr(1, comma - 1), users), reader.id(item, items)};
}

/// Appends the line's negatives and returns how many there are.
int64_t addNegatives(const LineReader& reader, std::string_view line, IdRange& items,
                     std::vector<int32_t>& negatives)
{
    int64_t count = 0;
    for (size_t tab = line.find('\t'); tab != std::string_view::npos; ++count) {
        line.remove_prefix(tab + 1);
        tab = line.find('\t');
        negatives.push_back(reader.id(line.substr(0, tab), items));
    }
    return count;
}

void readNegativeLine(const LineReader& reader, std::string_view line, size_t test, IdRange& items,
                      Interactions& set)
{
    const Pair pair = readPair(reader, line.substr(0, line.find('\t')));
    if (test >= set.testItems.size())
        reader.damaged("there are more lines than in the test file, which has " +
                       std::to_string(set.tests()));
    const Pair expected{set.testUsers[test], set.testItems[test]};
    if (pair != expected)
        reader.damaged("the line is for " + shown(pair) + ", the same line of the test file for " +
                       shown(expected));
    const int64_t count = addNegatives(reader, line, items, set.negatives);
    if (count == 0)
        reader.damaged("the line has no negatives");
    if (test == 0)
        set.negativesPerTest = count;
    if (count != set.negativesPerTest)
        reader.damaged("the line has " + std::to_string(count) +
                       (count == 1 ? " negative" : " negatives") + ", the lines before have " +
                       std::to_string(set.negativesPerTest));
}

void readNegatives(const std::string& path, Interactions& set)
{
    LineReader reader(path, "(user,item) TAB id TAB id ..., as many ids on every line and one line "
                            "per line of the test file");
    IdRange items{"item"};
    size_t tests = 0;
    std::string_view line;
    while (reader.next(line))
        readNegativeLine(reader, line, tests++, items, set);
    reader.checkRange(items);
    if (int64_t(tests) < set.tests())
        reader.damaged("the file ends after " + std::to_string(tests) +
                       (tests == 1 ? " line" : " lines") + ", the test file has " +
                       std::to_string(set.tests()));
    set.items = std::max(set.items, items.largest + 1);
    set.bytesRead += reader.bytesRead();
}

/// Tests that measure something else than what is new to the user.
class OddTests
{
public:
    void add(const Interactions& set, int64_t test)
    {
        if (count_++ == 0)
            first_ = "user " + std::to_string(set.testUsers[size_t(test)]) + ", item " +
                     std::to_string(set.testItems[size_t(test)]);
    }
    void remark(const std::string& path, const char* what, const char* meaning,
                Interactions& set) const
    {
        if (count_ > 0)
            set.remarks.push_back(path + ": " + what + ": " + std::to_string(count_) + " of " +
                                  std::to_string(set.tests()) + ", the first: " + first_ + ". " +
                                  meaning);
    }

private:
    int64_t count_ = 0;
    std::string first_;
};

void remarkOnOddTests(const InteractionFiles& files, Interactions& set)
{
    OddTests trained, amongNegatives;
    for (int64_t test = 0; test < set.tests(); ++test) {
        const int32_t item = set.testItems[size_t(test)];
        if (set.isTrainPositive(set.testUsers[size_t(test)], item))
            trained.add(set, test);
        if (std::ranges::count(set.negativesOf(test), item) > 0)
            amongNegatives.add(set, test);
    }
    trained.remark(files.test, "test items that are also trained on for the same user",
                   "The result will look better than it is.", set);
    amongNegatives.remark(files.negative, "test items among their own negatives",
                          "They are ranked among fewer items than the others.", set);
}

} // namespace

Interactions readTriplet(const InteractionFiles& files)
{
    Interactions set;
    readTraining(files.train, set);
    readTests(files.test, set);
    readNegatives(files.negative, set);
    remarkOnOddTests(files, set);
    return set;
}

} // namespace scalebench::workloads
