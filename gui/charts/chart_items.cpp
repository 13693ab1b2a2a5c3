// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_items.h"

#include <cmath>

namespace scalebench {

QString PercentTicker::getTickLabel(double tick, const QLocale& locale, QChar, int)
{
    const double percent = tick * 100;
    const bool whole = std::abs(percent - std::round(percent)) < 1e-6;
    return locale.toString(percent, 'f', whole ? 0 : 1) + QStringLiteral(" %");
}

double WholeNumberTicker::getTickStep(const QCPRange& range)
{
    return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
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

} // namespace scalebench
