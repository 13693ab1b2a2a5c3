// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recommendation with DLRM: trained on clicks, measured by the area under the ROC curve. Keys of
// its own:
//   model.dim, bottom, top      sizes of the network (DlrmConfig)
//   model.sparse_gradients      of the tables: only the rows that a batch touches
//   model.tables                "owned": shared out over the workers, whole, or by rows where a
//                               worker may not hold as much; "replicated": on all
//   data.table_rows             rows of the 26 tables, or one number for all
//   data.max_rows               tables are cut to it and ids of binary logs divided by it; 0: none
//   data.shuffle_block          rows that stay together in the shuffle (click_batches.h)
// options.hot_rows: so many rows of owned tables, the most frequent of the training data, are on
// all workers. Generated and synthetic data have data.train_samples and data.eval_samples rows.

#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct DlrmRecipe final : Recipe {
    int64_t dim = 128;
    std::vector<int64_t> bottom = {512, 256};
    std::vector<int64_t> top = {1024, 1024, 512, 256};
    bool sparseGradients = true;
    bool ownedTables = true;
    std::vector<int64_t> tableRows; ///< 26
    int64_t maxRows = 0;
    int64_t shuffleBlock = 1;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
