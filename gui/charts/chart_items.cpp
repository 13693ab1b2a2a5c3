// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_items.h"

#include <algorithm>
#include <cmath>

namespace scalebench {

/// With as many decimals as tell all of them apart.
QVector<QString> PercentTicker::createLabelVector(const QVector<double>& ticks,
                                                  const QLocale& locale, QChar, int)
{
    constexpr int kMostDecimals = 6;
    const auto isWhole = [](double value) { return std::abs(value - std::round(value)) < 1e-6; };
    int decimals = 0;
    for (double scale = 100; decimals < kMostDecimals; ++decimals, scale *= 10)
        if (std::all_of(ticks.begin(), ticks.end(),
                        [&](double tick) { return isWhole(tick * scale); }))
            break;
    QVector<QString> labels;
    for (const double tick : ticks)
        labels << locale.toString(tick * 100, 'f', decimals) + QStringLiteral(" %");
    return labels;
}

double WholeNumberTicker::getTickStep(const QCPRange& range)
{
    const double step = QCPAxisTicker::getTickStep(range);
    if (std::floor(range.upper) < std::ceil(range.lower))
        return step; // between two whole numbers an axis without labels says nothing
    return std::max(1.0, std::round(step));
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range)
{
    if (!(range.lower > 0) || !std::isfinite(range.upper))
        return QCPAxisTicker::createTickVector(tickStep, range);
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::floor(std::log10(range.upper)));
    const auto within = [&](const QVector<double>& mantissas, int every) {
        QVector<double> ticks;
        for (int power = first; power <= last; ++power)
            for (const double mantissa : mantissas)
                if (const double tick = mantissa * std::pow(10.0, power);
                    power % every == 0 && range.contains(tick))
                    ticks << tick;
        return ticks;
    };
    const int most = std::max(2, tickCount()) + 1;
    const QVector<double> fine = within({1, 2, 5}, 1);
    QVector<double> powers = within({1}, 1);
    if (fine.size() < 3)
        return QCPAxisTicker::createTickVector(tickStep, range);
    if (fine.size() <= most || powers.size() < 2)
        return fine;
    for (int every = 2; powers.size() > most; ++every)
        powers = within({1}, every);
    return powers;
}

QPainterPath flagPath()
{
    QPainterPath flag;
    flag.moveTo(0, 0);
    flag.lineTo(0, -15);
    flag.lineTo(9, -11.5);
    flag.lineTo(0, -8);
    return flag;
}

void FlagGraph::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const
{
    painter->save();
    painter->setAntialiasing(true);
    painter->setPen(scatterStyle().pen());
    painter->setBrush(scatterStyle().brush());
    painter->translate(rect.center().x() - 3, rect.bottom());
    painter->scale(0.8, 0.8);
    painter->drawPath(flagPath());
    painter->restore();
}

LegendText::LegendText(QCPLegend* legend, const QString& text)
    : QCPAbstractLegendItem(legend), m_text(text)
{
}

void LegendText::draw(QCPPainter* painter)
{
    painter->setFont(font());
    painter->setPen(QPen(textColor()));
    painter->drawText(mRect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, m_text);
}

QSize LegendText::minimumOuterSizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(m_text) + mMargins.left() + mMargins.right(),
            std::max(metrics.height(), mParentLegend->iconSize().height()) + mMargins.top() +
                mMargins.bottom()};
}

} // namespace scalebench
