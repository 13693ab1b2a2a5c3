// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws of very long series: a pyramid of minima and maxima over blocks of 16, 256, … points, grown
// by appending. A range is answered with at most a few points per pixel column, and none of its
// extremes is ever left out. The points themselves stay with whoever has them: it takes an eighth
// of their room.

#include <QVector>

namespace scalebench {

class MinMaxPyramid
{
public:
    /// Takes in what `y` has beyond size(); what it had before is as it was.
    void grow(const QVector<double>& y);
    qsizetype size() const { return m_size; }

    /// Indices (ascending, no doubles) of points that draw the x range [from, to] faithfully in
    /// about `columns` columns: first and last of the range with one neighbour each side, and the
    /// lowest and highest of every block. All points if there are few. `x` does not decrease.
    QVector<qsizetype> visible(const QVector<double>& x, double from, double to, int columns) const;

private:
    static constexpr qsizetype kFanOut = 16;
    struct Block {
        qsizetype low = -1;
        qsizetype high = -1;
    };
    void addRange(qsizetype begin, qsizetype end, int level, QVector<qsizetype>& out) const;
    void append(const QVector<double>& y);
    static void merge(Block& block, qsizetype index, const QVector<double>& y);

    qsizetype m_size = 0;
    QVector<QVector<Block>> m_levels; ///< m_levels[k]: blocks of 16^(k+1) points
};

} // namespace scalebench
