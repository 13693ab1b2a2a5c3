// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One column of numbers of a data set: made here, or in a file that is mapped and so shared by all
// processes of a host (prepared_set.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace scalebench::data {

template <class T>
class Column
{
public:
    Column() = default;
    Column(std::initializer_list<T> values) : own_(values) {}
    /// `elsewhere` lives as long as `owner`. Nothing may be appended.
    Column(std::span<const T> elsewhere, std::shared_ptr<const void> owner)
        : elsewhere_(elsewhere), owner_(std::move(owner))
    {
    }

    std::span<const T> all() const { return owner_ ? elsewhere_ : std::span<const T>(own_); }
    std::size_t size() const { return all().size(); }
    const T& operator[](std::size_t i) const { return all()[i]; }
    const T& back() const { return all().back(); }
    auto begin() const { return all().begin(); }
    auto end() const { return all().end(); }

    friend bool operator==(const Column& a, const Column& b)
    {
        return std::ranges::equal(a.all(), b.all());
    }

    void push_back(T value) { own_.push_back(value); }
    void append(std::span<const T> values)
    {
        own_.insert(own_.end(), values.begin(), values.end());
    }

private:
    std::vector<T> own_;
    std::span<const T> elsewhere_;
    std::shared_ptr<const void> owner_;
};

} // namespace scalebench::data
