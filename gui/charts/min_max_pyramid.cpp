// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/min_max_pyramid.h"

#include <algorithm>
#include <cmath>

namespace scalebench {

void MinMaxPyramid::merge(Block& block, qsizetype index, const QVector<double>& y)
{
    if (index < 0 || std::isnan(y[index]))
        return;
    if (block.low < 0 || y[index] < y[block.low])
        block.low = index;
    if (block.high < 0 || y[index] > y[block.high])
        block.high = index;
}

void MinMaxPyramid::grow(const QVector<double>& y)
{
    while (m_size < y.size())
        append(y);
}

void MinMaxPyramid::append(const QVector<double>& y)
{
    const qsizetype index = m_size++;
    qsizetype span = kFanOut;
    for (int level = 0; index >= span || level == 0 || level < m_levels.size(); ++level) {
        if (level == m_levels.size()) {
            // A new storey: its first block sums up what the storey below holds so far.
            m_levels.append(QVector<Block>{});
            Block first;
            for (const Block& below : std::as_const(m_levels[level ? level - 1 : 0])) {
                merge(first, below.low, y);
                merge(first, below.high, y);
            }
            if (level > 0)
                m_levels[level].append(first);
        }
        const qsizetype blockIndex = index / span;
        if (blockIndex >= m_levels[level].size())
            m_levels[level].append(Block{});
        merge(m_levels[level][blockIndex], index, y);
        span *= kFanOut;
    }
}

void MinMaxPyramid::addRange(qsizetype begin, qsizetype end, int level,
                             QVector<qsizetype>& out) const
{
    if (begin >= end)
        return;
    if (level < 0) {
        for (qsizetype i = begin; i < end; ++i)
            out.append(i);
        return;
    }
    qsizetype span = kFanOut;
    for (int i = 0; i < level; ++i)
        span *= kFanOut;
    const qsizetype firstBlock = (begin + span - 1) / span;
    const qsizetype lastBlock = end / span; // exclusive: whole blocks only
    if (firstBlock >= lastBlock) {
        addRange(begin, end, level - 1, out);
        return;
    }
    addRange(begin, firstBlock * span, level - 1, out);
    for (qsizetype b = firstBlock; b < lastBlock; ++b) {
        const Block& block = m_levels[level][b];
        if (block.low < 0)
            continue;
        out.append(std::min(block.low, block.high));
        if (block.low != block.high)
            out.append(std::max(block.low, block.high));
    }
    addRange(lastBlock * span, end, level - 1, out);
}

QVector<qsizetype> MinMaxPyramid::visible(const QVector<double>& x, double from, double to,
                                          int columns) const
{
    QVector<qsizetype> out;
    if (m_size == 0)
        return out;
    const auto last = x.begin() + m_size;
    const auto lower = std::lower_bound(x.begin(), last, from) - x.begin();
    const auto upper = std::upper_bound(x.begin(), last, to) - x.begin();
    const qsizetype begin = std::max<qsizetype>(0, lower - 1);
    const qsizetype end = std::min<qsizetype>(m_size, upper + 1);
    if (begin >= end)
        return out;
    const qsizetype wanted = std::max(columns, 16);
    int level = -1;
    qsizetype span = 1;
    while ((end - begin) / (span * kFanOut) >= wanted && level + 1 < m_levels.size()) {
        span *= kFanOut;
        ++level;
    }
    if (end - begin <= 4 * wanted)
        level = -1;
    out.append(begin);
    addRange(begin + 1, end - 1, level, out);
    if (end - 1 > begin)
        out.append(end - 1);
    return out;
}

} // namespace scalebench
