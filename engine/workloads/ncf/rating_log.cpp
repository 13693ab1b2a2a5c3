// SPDX-License-Identifier: GPL-3.0-or-later
// u.data and ratings.csv: a log of ratings with their times, split here into training and test.

#include "engine/workloads/ncf/interaction_readers.h"
#include "engine/workloads/ncf/line_reader.h"
#include "kernels/check.h"

#include <bit>

namespace scalebench::workloads {
namespace {

constexpr const char* kCsvHeader = "userId,movieId,rating,timestamp";

struct Rating {
    int32_t user;
    int32_t item;
    int64_t time;
};

/// Numbers ids by their order, in a few bits per possible id: ids may be sparse.
class DenseNumbers
{
public:
    explicit DenseNumbers(int64_t largest)
        : words_(size_t(largest / 64 + 1)), before_(words_.size())
    {
    }
    void add(int32_t id) { words_[size_t(id) / 64] |= bit(id); }
    /// After the last add(): how many there are.
    int64_t count()
    {
        int32_t sum = 0;
        for (size_t w = 0; w < words_.size(); ++w) {
            before_[w] = sum;
            sum += std::popcount(words_[w]);
        }
        return sum;
    }
    /// After count(): the place of `id` among all that were added.
    int32_t number(int32_t id) const
    {
        const size_t w = size_t(id) / 64;
        return before_[w] + std::popcount(words_[w] & (bit(id) - 1));
    }

private:
    static uint64_t bit(int32_t id) { return uint64_t{1} << (id % 64); }
    std::vector<uint64_t> words_;
    std::vector<int32_t> before_;
};

void skipHeader(LineReader& reader)
{
    std::string_view line;
    if (reader.next(line) && line != kCsvHeader)
        reader.damaged("the file does not begin with its header");
}

std::vector<Rating> readRatings(LineReader& reader, char separator)
{
    std::vector<Rating> ratings;
    IdRange users{"user"}, items{"item"};
    std::string_view line;
    while (reader.next(line)) {
        const auto fields = reader.split(line, separator, 4, 4);
        const int32_t user = reader.id(fields.text[0], users);
        const int32_t item = reader.id(fields.text[1], items);
        reader.checkNumber(fields.text[2], "rating");
        ratings.push_back({user, item, reader.wholeNumber(fields.text[3], "time")});
    }
    reader.checkRange(users);
    reader.checkRange(items);
    return ratings;
}

/// Adds the next user; false where it took too few items. `scratch`: the items, each once; the same
/// for all users, which saves allocations.
bool addUser(std::span<const Rating> ratings, int64_t least, std::vector<int32_t>& scratch,
             Interactions& set)
{
    const Rating* latest = &ratings.front();
    scratch.clear();
    for (const Rating& rating : ratings) {
        scratch.push_back(rating.item);
        if (rating.time >= latest->time)
            latest = &rating;
    }
    std::ranges::sort(scratch);
    scratch.erase(std::unique(scratch.begin(), scratch.end()), scratch.end());
    if (int64_t(scratch.size()) < least)
        return false;
    for (const int32_t item : scratch)
        if (item != latest->item)
            set.trainItems.push_back(item);
    const auto user = int32_t(set.users++);
    set.userIds.push_back(ratings.front().user);
    set.trainUsers.resize(set.trainItems.size(), user);
    set.firstOfUser.push_back(set.positives());
    set.testUsers.push_back(user);
    set.testItems.push_back(latest->item);
    return true;
}

/// `ratings`: sorted by user.
Interactions splitByUser(const std::vector<Rating>& ratings, int64_t least, const std::string& path)
{
    Interactions set;
    int64_t usersLeftOut = 0, ratingsLeftOut = 0, repeated = 0;
    set.firstOfUser.push_back(0);
    std::vector<int32_t> scratch;
    for (size_t first = 0, last = 0; first < ratings.size(); first = last) {
        while (last < ratings.size() && ratings[last].user == ratings[first].user)
            ++last;
        if (!addUser({ratings.data() + first, last - first}, least, scratch, set)) {
            ++usersLeftOut;
            ratingsLeftOut += int64_t(last - first);
        }
        repeated += int64_t(last - first) - int64_t(scratch.size());
    }
    remarkOnRepeats(repeated, path, set);
    if (usersLeftOut > 0)
        set.remarks.push_back(
            std::to_string(usersLeftOut) + " of " + std::to_string(set.users + usersLeftOut) +
            " users (" + std::to_string(ratingsLeftOut) + " of " + std::to_string(ratings.size()) +
            " ratings) have fewer than " + std::to_string(least) +
            " items and are left out (\"data.minimum_ratings\").");
    return set;
}

void numberItems(Interactions& set)
{
    DenseNumbers numbers(std::max(*std::ranges::max_element(set.trainItems),
                                  *std::ranges::max_element(set.testItems)));
    for (const auto* items : {&set.trainItems, &set.testItems})
        for (const int32_t item : *items)
            numbers.add(item);
    set.items = numbers.count();
    for (auto* items : {&set.trainItems, &set.testItems})
        for (int32_t& item : *items)
            item = numbers.number(item);
}

} // namespace

void remarkOnRepeats(int64_t repeated, const std::string& path, Interactions& set)
{
    if (repeated > 0)
        set.remarks.push_back(path + ": " + std::to_string(repeated) +
                              (repeated == 1 ? " line repeats" : " lines repeat") +
                              " an item of the same user, which counts once.");
}

Interactions readRatingLog(const InteractionFiles& files, const InteractionOptions& options)
{
    const bool csv = files.format == InteractionFormat::MovieLensCsv;
    LineReader reader(files.train, csv ? std::string(kCsvHeader) + " and lines of four numbers"
                                       : "user TAB item TAB rating TAB time");
    if (csv)
        skipHeader(reader);
    std::vector<Rating> ratings = readRatings(reader, csv ? ',' : '\t');
    if (ratings.empty())
        throw InvalidArgument(files.train + " holds no ratings.", "data_empty");
    // ratings.csv lies in the order of users, u.data does not.
    if (!std::ranges::is_sorted(ratings, {}, &Rating::user))
        std::ranges::stable_sort(ratings, {}, &Rating::user);
    const int64_t least = std::max<int64_t>(2, options.minimumRatings);
    Interactions set = splitByUser(ratings, least, files.train);
    if (set.users == 0)
        throw InvalidArgument(files.train + " has no user with at least " + std::to_string(least) +
                                  " items: nothing is left to train on.",
                              "data_empty");
    numberItems(set);
    set.bytesRead = reader.bytesRead();
    set.source = files.train;
    return set;
}

} // namespace scalebench::workloads
