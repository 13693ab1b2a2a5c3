// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/clipped_svg.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <optional>
#include <utility>

namespace scalebench {

namespace {

/// The part of a line inside `clip` (Liang and Barsky).
std::optional<QLineF> lineInside(const QLineF& line, const QRectF& clip)
{
    double from = 0, to = 1;
    const std::pair<double, double> sides[] = {{-line.dx(), line.x1() - clip.left()},
                                               {line.dx(), clip.right() - line.x1()},
                                               {-line.dy(), line.y1() - clip.top()},
                                               {line.dy(), clip.bottom() - line.y1()}};
    for (const auto& [step, room] : sides) {
        if (step == 0 && room < 0)
            return std::nullopt;
        if (step < 0)
            from = std::max(from, room / step);
        else if (step > 0)
            to = std::min(to, room / step);
    }
    if (from > to)
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

} // namespace

/// Hands on to the generator's own engine.
class ClippedSvg::Engine : public QPaintEngine
{
public:
    explicit Engine(QPaintEngine* svg) : QPaintEngine(AllFeatures), m_svg(svg)
    {
        gccaps = m_svg->*(&Engine::gccaps); // what it cannot draw QPainter makes simpler
    }

    bool begin(QPaintDevice* device) override
    {
        m_svg->setPaintDevice(device);
        setActive(m_svg->begin(device));
        m_svg->setActive(isActive());
        return isActive();
    }
    bool end() override
    {
        setActive(false);
        m_svg->setActive(false);
        return m_svg->end();
    }
    Type type() const override { return m_svg->type(); }
    void updateState(const QPaintEngineState& now) override
    {
        if (now.state() & (DirtyClipRegion | DirtyClipPath | DirtyClipEnabled | DirtyTransform))
            m_clip = painter()->hasClipping() ? std::optional(painter()->clipBoundingRect())
                                              : std::nullopt;
        lend();
        m_svg->updateState(now);
    }
    void drawPath(const QPainterPath& path) override
    {
        lend();
        const QRectF bounds = path.controlPointRect();
        if (!m_clip || m_clip->contains(bounds)) {
            m_svg->drawPath(path);
        } else if (painter()->brush().style() == Qt::NoBrush) {
            for (const QPolygonF& piece : path.toSubpathPolygons())
                drawLine(piece);
        } else {
            QPainterPath inside;
            inside.addRect(*m_clip);
            m_svg->drawPath(path.intersected(inside));
        }
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        const QPolygonF polygon(QList<QPointF>(points, points + count));
        lend();
        if (!m_clip || m_clip->contains(polygon.boundingRect())) {
            m_svg->drawPolygon(points, count, mode);
        } else if (mode == PolylineMode) {
            drawLine(polygon);
        } else {
            QPainterPath path;
            path.addPolygon(polygon);
            path.closeSubpath();
            drawPath(path);
        }
    }
    void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override
    {
        lend();
        m_svg->drawPixmap(to, pixmap, from);
    }
    void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags flags) override
    {
        lend();
        m_svg->drawImage(to, image, from, flags);
    }
    void drawTextItem(const QPointF& at, const QTextItem& text) override
    {
        lend();
        m_svg->drawTextItem(at, text);
    }

private:
    /// The other engine looks up pen and font while it draws.
    void lend() { m_svg->*(&Engine::state) = state; }
    /// In as many pieces as are inside.
    void drawLine(const QPolygonF& line)
    {
        QPolygonF piece;
        const auto flush = [&] {
            if (piece.size() > 1)
                m_svg->drawPolygon(piece.constData(), int(piece.size()), PolylineMode);
            piece.clear();
        };
        for (qsizetype i = 1; i < line.size(); ++i) {
            const auto inside = lineInside(QLineF(line[i - 1], line[i]), *m_clip);
            if (!inside)
                continue;
            if (piece.isEmpty() || piece.last() != inside->p1()) {
                flush();
                piece << inside->p1();
            }
            piece << inside->p2();
        }
        flush();
    }

    QPaintEngine* m_svg;
    std::optional<QRectF> m_clip; ///< as the painter counts
};

ClippedSvg::ClippedSvg() : m_engine(std::make_unique<Engine>(QSvgGenerator::paintEngine())) {}

ClippedSvg::~ClippedSvg() = default;

QPaintEngine* ClippedSvg::paintEngine() const
{
    return m_engine.get();
}

} // namespace scalebench
