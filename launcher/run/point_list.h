// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Points that only become more, stored once however many hold them: who reads a stream, who follows
// it, the window and its pages. A copy shares all that there is. An append goes on behind the end
// of the shared piece; where another copy has gone on there already, into a piece of its own.
// One thread may append to its copy while others read theirs.

#include <QList>

#include <algorithm>
#include <atomic>
#include <bit>
#include <initializer_list>
#include <iterator>
#include <memory>

namespace scalebench {

template <typename T>
class PointList
{
public:
    class const_iterator
    {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = qptrdiff;
        using pointer = const T*;
        using reference = const T&;

        const_iterator() = default;
        const_iterator(const PointList* list, qsizetype at) : m_list(list), m_at(at) {}
        reference operator*() const { return (*m_list)[m_at]; }
        pointer operator->() const { return &(*m_list)[m_at]; }
        reference operator[](difference_type by) const { return (*m_list)[m_at + by]; }
        const_iterator& operator++() { return *this += 1; }
        const_iterator operator++(int) { return {m_list, m_at++}; }
        const_iterator& operator--() { return *this -= 1; }
        const_iterator operator--(int) { return {m_list, m_at--}; }
        const_iterator& operator+=(difference_type by)
        {
            m_at += by;
            return *this;
        }
        const_iterator& operator-=(difference_type by) { return *this += -by; }
        friend const_iterator operator+(const_iterator it, difference_type by) { return it += by; }
        friend const_iterator operator+(difference_type by, const_iterator it) { return it += by; }
        friend const_iterator operator-(const_iterator it, difference_type by) { return it -= by; }
        friend difference_type operator-(const const_iterator& a, const const_iterator& b)
        {
            return a.m_at - b.m_at;
        }
        bool operator==(const const_iterator& other) const { return m_at == other.m_at; }
        auto operator<=>(const const_iterator& other) const { return m_at <=> other.m_at; }

    private:
        const PointList* m_list = nullptr;
        qsizetype m_at = 0;
    };
    using value_type = T;
    using iterator = const_iterator;

    PointList() = default;
    PointList(std::initializer_list<T> points)
    {
        for (const T& point : points)
            append(point);
    }

    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    const T& operator[](qsizetype at) const
    {
        Q_ASSERT(at >= 0 && at < m_size);
        const Place place = placeOf(at);
        return m_pieces[place.piece]->points[place.offset];
    }
    const T& first() const { return (*this)[0]; }
    const T& last() const { return (*this)[m_size - 1]; }
    const_iterator begin() const { return {this, 0}; }
    const_iterator end() const { return {this, m_size}; }

    void clear() { *this = {}; }
    void append(const T& point)
    {
        const T kept = point; // it may be one of ours
        const Place place = placeOf(m_size);
        if (place.piece == m_pieces.size())
            m_pieces.append(std::make_shared<Piece>(capacityOf(place.piece)));
        qsizetype used = place.offset;
        if (!m_pieces[place.piece]->used.compare_exchange_strong(used, place.offset + 1))
            takeApart(place, place.offset + 1);
        m_pieces[place.piece]->points[place.offset] = kept;
        ++m_size;
    }
    PointList& operator<<(const T& point)
    {
        append(point);
        return *this;
    }
    /// Changes one point of this copy alone.
    T& edit(qsizetype at)
    {
        const Place place = placeOf(at);
        takeApart(place, std::min(capacityOf(place.piece), m_size - at + place.offset));
        return m_pieces[place.piece]->points[place.offset];
    }

private:
    static constexpr qsizetype kLeast = 16; ///< points of the first piece; each next has twice
    static constexpr int kDoublings = 6;    ///< as many; then all have the same

    struct Piece {
        explicit Piece(qsizetype capacity) : points(std::make_unique<T[]>(size_t(capacity))) {}
        std::atomic<qsizetype> used = 0;
        std::unique_ptr<T[]> points;
    };
    struct Place {
        qsizetype piece = 0, offset = 0;
    };

    static qsizetype capacityOf(qsizetype piece)
    {
        return kLeast << std::min<qsizetype>(piece, kDoublings);
    }
    static Place placeOf(qsizetype at)
    {
        constexpr qsizetype kLargest = kLeast << kDoublings, kBefore = kLargest - kLeast;
        if (at >= kBefore)
            return {kDoublings + (at - kBefore) / kLargest, (at - kBefore) % kLargest};
        const int piece = std::bit_width(size_t(at / kLeast + 1)) - 1;
        return {piece, at - kLeast * ((qsizetype(1) << piece) - 1)};
    }

    /// The piece becomes this copy's own, of which `used` points count.
    void takeApart(const Place& place, qsizetype used)
    {
        const std::shared_ptr<Piece> shared = m_pieces[place.piece];
        auto own = std::make_shared<Piece>(capacityOf(place.piece));
        const qsizetype there = std::min(used, m_size - (startOf(place.piece)));
        std::copy_n(shared->points.get(), there, own->points.get());
        own->used = used;
        m_pieces[place.piece] = own;
    }
    static qsizetype startOf(qsizetype piece)
    {
        qsizetype start = 0;
        for (qsizetype before = 0; before < std::min<qsizetype>(piece, kDoublings); ++before)
            start += capacityOf(before);
        return start + std::max<qsizetype>(0, piece - kDoublings) * (kLeast << kDoublings);
    }

    QList<std::shared_ptr<Piece>> m_pieces;
    qsizetype m_size = 0;
};

} // namespace scalebench
