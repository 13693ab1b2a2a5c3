// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated set `scalebench-clicks-v1`: displays whose categories attract or repel each other
// pair by pair, so that a sum over single features sees only a part of it; few categories are
// common, most are rare. Learnable, not trivial: meant to train on where no log is at hand. Written
// in the binary layout of MLPerf's click logs and labelled.

#include "engine/data/generated_set.h"
#include "engine/workloads/dlrm/clicks.h"

#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

inline constexpr const char* kClicksName = "scalebench-clicks-v1";
inline constexpr uint64_t kClicksSeed = 1; ///< of the set; a run's own seed does not touch it

struct ClicksSpec {
    std::vector<int64_t> tableRows; ///< of the 26 categories
    int64_t trainRows = 0;
    int64_t evalRows = 0;
    uint64_t seed = kClicksSeed;
};

/// The model behind the set, a pure function of the specification on every platform: whole numbers
/// only.
class ClickModel
{
public:
    /// InvalidArgument for another number of tables than 26 or an empty one.
    explicit ClickModel(const ClicksSpec& spec);

    enum class Part : uint64_t { Training = 81, Evaluation = 82 };
    Click row(Part part, int64_t index) const;
    /// Chance in 2^32 parts that a row with these features is clicked: the best that can be known.
    uint32_t chance(const Click& click) const;

private:
    int32_t liking(int table, uint32_t id) const;
    void taste(int table, uint32_t id, int32_t* out) const;

    ClicksSpec spec_;
};

/// Makes sure that the set lies at `path` (a folder), writing it where it is missing or follows
/// another specification; see ensureGenerated(). openClicks(path) reads it.
/// Throws Error (`not_writable`, `disk_full`), InvalidArgument as ClickModel.
std::unique_ptr<data::GeneratedSetLock> ensureClicks(const std::string& path,
                                                     const ClicksSpec& spec,
                                                     const std::function<void()>& tick = {});

} // namespace scalebench::workloads
