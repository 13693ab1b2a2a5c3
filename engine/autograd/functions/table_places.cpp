// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/table_places.h"

#include <bit>

namespace scalebench::autograd {

HotRows::HotRows(std::vector<Row> rows) : rows_(std::move(rows))
{
    slots_.resize(std::bit_ceil(2 * rows_.size() + 2));
    mask_ = slots_.size() - 1;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::uint64_t key = keyOf(rows_[i].table, rows_[i].row);
        std::size_t at = slotOf(key);
        while (slots_[at].number >= 0)
            at = (at + 1) & mask_;
        slots_[at] = {key, std::int32_t(i)};
    }
}

} // namespace scalebench::autograd
