// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress_display.h"

#include "base/plain_text.h"
#include "cli.h"
#include "run/run_metrics.h"
#include "text_table.h"

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static constexpr int kTerminalMs = 200;
static constexpr int kPipeMs = 5000;

static QString bar(double fraction, int width)
{
    const int done = std::clamp(int(std::lround(fraction * width)), 0, width);
    return u'[' + QString(done, u'#') + QString(width - done, u'-') + u']';
}

/// What is going on where there is no epoch to show.
static QString phaseText(const RunRecord& run)
{
    if (run.state == RunState::Stopping)
        return u"stopping"_s;
    if (run.phase == "eval"_L1)
        return u"evaluating"_s;
    if (!run.steps.isEmpty())
        return {};
    QString text = run.phase == "data"_L1   ? u"preparing data"_s
                   : run.phase == "init"_L1 ? u"initialising"_s
                                            : u"starting"_s;
    if (run.phaseTotal > 0)
        text += u" %1 %"_s.arg(100 * run.phaseDone / run.phaseTotal);
    return text;
}

QString progressLine(const RunRecord& run, int number, int total, int width)
{
    struct Part {
        QString text;
        int importance; ///< the smaller, the sooner left out
    };
    QList<Part> parts;
    const RunConfig& c = run.config;
    parts << Part{u"[%1/%2] %3, %4 %5, %6"_s.arg(number)
                      .arg(total)
                      .arg(c.workload)
                      .arg(c.workers)
                      .arg(c.workers == 1 ? u"worker"_s : u"workers"_s, c.precision),
                  100};
    parts << Part{bar(run.progress(), 20), 30};
    if (const QString phase = phaseText(run); !phase.isEmpty())
        parts << Part{phase, 90};
    if (!run.steps.isEmpty()) {
        const StepPoint& step = run.steps.last();
        parts << Part{u"epoch %1/%2"_s.arg(formatNumber(step.epoch, 1)).arg(c.epochs), 80};
        parts << Part{u"step %1"_s.arg(step.step), 20};
        parts << Part{u"%1 samples/s"_s.arg(formatNumber(step.samplesPerSecond, 0)), 50};
    }
    if (!run.evals.isEmpty()) {
        QString quality = u"quality "_s + qualityText(c.workload, run.lastQuality());
        if (c.hasTarget())
            quality += u" of "_s + targetText(c);
        parts << Part{quality, 70};
    }
    if (const double eta = run.etaSeconds(); eta > 0 && run.state == RunState::Running)
        parts << Part{(c.hasTarget() ? u"ETA < "_s : u"ETA "_s) + formatDuration(eta), 60};

    const auto length = [&] {
        qsizetype sum = -2;
        for (const Part& part : parts)
            sum += part.text.size() + 2;
        return sum;
    };
    while (parts.size() > 1 && length() > width)
        parts.erase(std::min_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
            return a.importance < b.importance;
        }));
    QStringList texts;
    for (const Part& part : parts)
        texts << part.text;
    return texts.join(u"  "_s).left(std::max(1, width));
}

ProgressDisplay::ProgressDisplay(bool quiet)
    : m_quiet(quiet), m_terminal(::isatty(STDOUT_FILENO) != 0)
{
}

int ProgressDisplay::width() const
{
    winsize size{};
    if (m_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10)
        return size.ws_col - 1;
    return m_terminal ? 79 : 160;
}

void ProgressDisplay::update(const RunRecord& run, int number, int total)
{
    if (m_quiet ||
        (m_lastShown.isValid() && m_lastShown.elapsed() < (m_terminal ? kTerminalMs : kPipeMs)))
        return;
    m_lastShown.start();
    const QString line = progressLine(run, number, total, width());
    if (m_terminal) {
        outRaw(u"\r"_s + visibleLine(line) + u"\x1b[K"_s);
        m_lineOpen = true;
    } else {
        out(line + u'\n');
    }
}

void ProgressDisplay::note(const QString& text)
{
    if (m_quiet)
        return;
    outRaw((m_lineOpen ? u"\r\x1b[K"_s : QString()) + visibleText(text) + u'\n');
    m_lineOpen = false;
}

} // namespace scalebench::cli
