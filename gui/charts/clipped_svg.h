// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// QSvgGenerator writes whatever is painted, clipped or not: what leaves a chart's axes would run
// over its title. Here only what lies inside the clip gets there.

#include <QSvgGenerator>

#include <memory>

namespace scalebench {

class ClippedSvg : public QSvgGenerator
{
public:
    ClippedSvg();
    ~ClippedSvg() override;

protected:
    QPaintEngine* paintEngine() const override;

private:
    class Engine;
    std::unique_ptr<Engine> m_engine;
};

} // namespace scalebench
