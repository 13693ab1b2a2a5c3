// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The progress of one run as text: one live line in a terminal, a line every few seconds into a
// pipe or file.

#include "run/run_record.h"

#include <QElapsedTimer>
#include <QString>

namespace scalebench::cli {

/// "[1/2] 2 workers fp32 [####----] epoch 3.4/12 …", cut to `width` by leaving out the least
/// important parts. A pure function.
QString progressLine(const RunRecord& run, int number, int total, int width);

class ProgressDisplay
{
public:
    explicit ProgressDisplay(bool quiet);

    /// Shows the state of the run; limits itself to what a reader can follow.
    void update(const RunRecord& run, int number, int total);
    /// A line that stays.
    void note(const QString& text);
    /// Nobody reads any more (the terminal is gone).
    void silence() { m_quiet = true; }

private:
    int width() const;

    bool m_quiet;
    bool m_terminal;
    bool m_lineOpen = false;
    QElapsedTimer m_lastShown;
};

} // namespace scalebench::cli
