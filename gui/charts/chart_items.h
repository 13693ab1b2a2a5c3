// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The few parts of a chart that QCustomPlot does not bring: tickers for per cent, whole numbers and
// logarithmic axes, the flags of "target reached", and what a legend has no room for.

#include "charts/qcp.h"

#include <QPainterPath>

namespace scalebench {

/// 0..1 as "25 %".
class PercentTicker : public QCPAxisTicker
{
protected:
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar,
                                       int) override;
};

class WholeNumberTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double) override { return 0; }
};

/// 1, 2 and 5 of every power of ten, the powers alone where these are many, and equal steps where
/// they are few.
class LogTicker : public QCPAxisTicker
{
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    int getSubTickCount(double) override { return 0; }
};

/// A pennant whose foot stands on the point.
QPainterPath flagPath();

/// The flags of "target reached"; in the legend the whole flag shows, not its foot alone.
class FlagGraph : public QCPGraph
{
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;
};

/// A text alone: "+3 more".
class LegendText : public QCPAbstractLegendItem
{
public:
    LegendText(QCPLegend* legend, const QString& text);
    const QString& text() const { return m_text; }

protected:
    void draw(QCPPainter* painter) override;
    QSize minimumOuterSizeHint() const override;

private:
    QString m_text;
};

/// With line breaks so that no line is wider: text elements and items do not make room for lines
/// that they wrap themselves.
QString wrapped(const QString& text, const QFont& font, int width);

} // namespace scalebench
