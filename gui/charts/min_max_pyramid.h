// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws of very long series: a pyramid of minima and maxima over blocks of 16, 256, … points, grown
// by appending. A range is answered with at most a few points per pixel column, and none of its
// extremes is ever left out.

#include <QVector>

namespace scalebench {

class MinMaxPyramid
{
public:
    void clear();
    /// x must not decrease.
    void append(double x, double y);
    qsizetype size() const { return m_x.size(); }
    const QVector<double>& x() const { return m_x; }
    const QVector<double>& y() const { return m_y; }

    /// Indices (ascending, no doubles) of points that draw the x range [from, to] faithfully in
    /// about `columns` columns: first and last of the range with one neighbour each side, and the
    /// lowest and highest of every block. All points if there are few.
    QVector<qsizetype> visible(double from, double to, int columns) const;

private:
    static constexpr qsizetype kFanOut = 16;
    struct Block {
        qsizetype low = -1;
        qsizetype high = -1;
    };
    void addRange(qsizetype begin, qsizetype end, int level, QVector<qsizetype>& out) const;
    void merge(Block& block, qsizetype index) const;

    QVector<double> m_x, m_y;
    QVector<QVector<Block>> m_levels; ///< m_levels[k]: blocks of 16^(k+1) points
};

} // namespace scalebench
