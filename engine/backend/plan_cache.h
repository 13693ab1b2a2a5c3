// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Prepared vendor plans by problem, bounded: what has not been used for longest goes first. Graphs
// captured from plans repeat launches whose code a plan may own, so the bound is far above what one
// network of fixed shapes needs; networks of changing shapes are not captured.

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace scalebench {

template <class Key, class Plan>
class PlanCache
{
public:
    explicit PlanCache(std::size_t limit = 2048) : limit_(limit) {}

    /// Null where there is none. Valid until the next add().
    Plan* find(const Key& key)
    {
        const auto it = places_.find(key);
        if (it == places_.end())
            return nullptr;
        plans_.splice(plans_.begin(), plans_, it->second);
        return &it->second->second;
    }

    /// The plan of `key`, made by make() where there is none.
    template <class Make>
    Plan& get(const Key& key, const Make& make)
    {
        Plan* found = find(key);
        return found != nullptr ? *found : add(key, make());
    }

    Plan& add(const Key& key, Plan plan)
    {
        plans_.emplace_front(key, std::move(plan));
        places_[key] = plans_.begin();
        if (plans_.size() > limit_) {
            places_.erase(plans_.back().first);
            plans_.pop_back();
        }
        return plans_.front().second;
    }

    std::size_t size() const { return plans_.size(); }

private:
    using Plans = std::list<std::pair<Key, Plan>>;
    std::size_t limit_;
    Plans plans_; ///< the last used one first
    std::map<Key, typename Plans::iterator> places_;
};

} // namespace scalebench
