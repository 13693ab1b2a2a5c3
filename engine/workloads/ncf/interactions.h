// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who took what: the data of a recommender trained on implicit feedback (NeuMF, He et al. 2017,
// arXiv 1708.05031). A rating, whatever its value, means that the user took the item; one item a
// user is held out as the test.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scalebench::workloads {

/// Users are 0 ... users - 1, items 0 ... items - 1. Const calls are thread-safe.
struct Interactions {
    int64_t users = 0;
    int64_t items = 0;
    /// [users + 1]: the positives of user u are [firstOfUser[u], firstOfUser[u + 1]).
    std::vector<int64_t> firstOfUser;
    std::vector<int32_t> trainUsers; ///< [positives], ascending
    std::vector<int32_t> trainItems; ///< [positives], ascending within a user, no item twice
    std::vector<int32_t> testUsers;  ///< [tests], each at most once
    std::vector<int32_t> testItems;  ///< [tests]
    /// [tests, negativesPerTest]: what the set says to rank the test item against. May hold an item
    /// twice, a training positive or the test item: kept, as published figures include them.
    std::vector<int32_t> negatives;
    int64_t negativesPerTest = 0; ///< 0: the set brings none
    std::string format;
    std::string source;           ///< the file of the training lines, for messages; may be empty
    std::vector<int32_t> userIds; ///< [users]: as the file has them; empty: the same
    std::vector<std::string> remarks; ///< what a person should know
    int64_t bytesRead = 0;

    int64_t positives() const { return int64_t(trainItems.size()); }
    int64_t tests() const { return int64_t(testItems.size()); }
    /// "FILE: user 7", by the number that the file has.
    std::string describeUser(int64_t user) const
    {
        const int64_t id = userIds.empty() ? user : userIds[size_t(user)];
        return (source.empty() ? std::string() : source + ": ") + "user " + std::to_string(id);
    }
    /// Training positives of a user, ascending.
    std::span<const int32_t> itemsOf(int64_t user) const
    {
        const auto first = size_t(firstOfUser[size_t(user)]);
        return {trainItems.data() + first, size_t(firstOfUser[size_t(user) + 1]) - first};
    }
    bool isTrainPositive(int64_t user, int32_t item) const
    {
        return std::ranges::binary_search(itemsOf(user), item);
    }
    std::span<const int32_t> negativesOf(int64_t test) const
    {
        return {negatives.data() + test * negativesPerTest, size_t(negativesPerTest)};
    }
};

struct InteractionOptions {
    /// Users with fewer items are left out of u.data and ratings.csv, with a remark, as MLPerf
    /// does. At least 2 are always needed: one to train on and one to test with.
    int64_t minimumRatings = 20;
};

/// Reads what lies at `path` (see findInteractions).
/// - u.data (`user TAB item TAB rating TAB time`) and ratings.csv (the same with commas, and a
///   header): ids are numbered anew in their order, repeated pairs become one, the latest item of
///   each user (of equal times the later line) becomes the test and leaves training.
/// - A triplet in the format of the NCF paper: taken as it is; as in the paper's code a training
///   line counts when its rating is above 0. Test items may be among the training positives or
///   their own negatives, and test users below the largest of training may have no training lines:
///   remarks.
/// CR LF and blank lines are accepted. Throws InvalidArgument, one sentence with file and line:
/// `data_missing`, `data_empty`, `data_damaged`.
Interactions readInteractions(const std::string& path, const InteractionOptions& options = {});

} // namespace scalebench::workloads
