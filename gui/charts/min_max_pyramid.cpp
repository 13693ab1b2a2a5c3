// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/min_max_pyramid.h"

#include <algorithm>
#include <cmath>

namespace scalebench {

void MinMaxPyramid::clear()
{
    m_x.clear();
    m_y.clear();
    m_levels.clear();
}

void MinMaxPyramid::merge(Block& block, qsizetype index) const
{
    if (index < 0 || std::isnan(m_y[index]))
        return;
    if (block.low < 0 || m_y[index] < m_y[block.low])
        block.low = index;
    if (block.high < 0 || m_y[index] > m_y[block.high])
        block.high = index;
}

void MinMaxPyramid::append(double x, double y)
{
    m_x.append(x);
    m_y.append(y);
    const qsizetype index = m_x.size() - 1;
    qsizetype span = kFanOut;
    for (int level = 0; index >= span || level == 0 || level < m_levels.size(); ++level) {
        if (level == m_levels.size()) {
            // A new storey: its first block sums up what the storey below holds so far.
            m_levels.append(QVector<Block>{});
            Block first;
            for (const Block& below : std::as_const(m_levels[level ? level - 1 : 0])) {
                merge(first, below.low);
                merge(first, below.high);
            }
            if (level > 0)
                m_levels[level].append(first);
        }
        const qsizetype blockIndex = index / span;
        if (blockIndex >= m_levels[level].size())
            m_levels[level].append(Block{});
        merge(m_levels[level][blockIndex], index);
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

QVector<qsizetype> MinMaxPyramid::visible(double from, double to, int columns) const
{
    QVector<qsizetype> out;
    if (m_x.isEmpty())
        return out;
    const auto lower = std::lower_bound(m_x.begin(), m_x.end(), from) - m_x.begin();
    const auto upper = std::upper_bound(m_x.begin(), m_x.end(), to) - m_x.begin();
    const qsizetype begin = std::max<qsizetype>(0, lower - 1);
    const qsizetype end = std::min<qsizetype>(m_x.size(), upper + 1);
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
