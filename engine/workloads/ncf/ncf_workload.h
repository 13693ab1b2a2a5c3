// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recommendation with NeuMF: trained on what users took and on items drawn for contrast, measured
// by the rank of each user's held-out item. Keys of its own:
//   model.factors, model.layers        sizes of the network (NcfConfig)
//   model.sparse_gradients             of the tables: only the rows that a batch touches
//   data.negatives                     items drawn per positive, anew in each epoch
//   data.top                           length K of the list: HR@K and NDCG@K
//   data.ranking                       "sampled": against data.test_negatives items, or the set's
//                                      own where it brings some; "full": against all others
//   data.minimum_ratings               users with fewer are left out (not of triplets)
//   data.users, items, ratings_per_user  generated and synthetic data
// A training sample is a positive or a drawn item, an evaluation sample a test user.

#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct NcfRecipe final : Recipe {
    int64_t factors = 64;
    std::vector<int64_t> layers = {256, 256, 128, 64};
    bool sparseGradients = false;
    int negatives = 4;
    int top = 10;
    bool fullRanking = false;
    int testNegatives = 99;
    int minimumRatings = 20;
    int64_t users = 1500, items = 1200, ratingsPerUser = 40;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
