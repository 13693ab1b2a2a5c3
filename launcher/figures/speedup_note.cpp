// SPDX-License-Identifier: GPL-3.0-or-later
// What to say where a study has no speedup, or not of all its runs.
#include "figures/run_charts.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace scalebench {

namespace {

class SpeedupNoteTexts
{
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};

/// In a sentence nothing breaks between a number and its unit.
QString unbroken(QString text)
{
    return text.replace(QLatin1String(" %"), QStringLiteral("\u00a0%"));
}

QString targetText(const Study& study)
{
    for (const RunRecord& run : study.runs) {
        if (run.config.hasTarget())
            return unbroken(targetText(run.config, -1));
    }
    return {};
}

bool neverBegan(const RunRecord& run)
{
    return run.state == RunState::Cancelled && run.startedMs <= 0 && run.steps.isEmpty();
}

/// "1 worker and 2 workers", each once; of those that began, where any did.
QString notedNames(const Study& study, RunState state)
{
    const bool any = std::any_of(study.runs.begin(), study.runs.end(), [state](const auto& run) {
        return run.state == state && !neverBegan(run);
    });
    const QStringList labels = runLabels(study.runs);
    QStringList names;
    for (int i = 0; i < study.runs.size(); ++i) {
        if (study.runs[i].state == state && !names.contains(labels[i]) &&
            !(any && neverBegan(study.runs[i])))
            names << labels[i];
    }
    if (names.size() > 3)
        return SpeedupNoteTexts::tr("%n run(s)", nullptr, static_cast<int>(names.size()));
    const QString last = names.takeLast();
    return names.isEmpty()
               ? last
               : SpeedupNoteTexts::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

int countOf(const Study& study, RunState state)
{
    return static_cast<int>(
        std::count_if(study.runs.begin(), study.runs.end(),
                      [state](const RunRecord& r) { return r.state == state; }));
}

/// What the best run reached, by its leading metric.
QString bestText(const Study& study)
{
    const auto best = std::max_element(
        study.runs.begin(), study.runs.end(),
        [](const RunRecord& a, const RunRecord& b) { return a.bestQuality() < b.bestQuality(); });
    return best == study.runs.end() ? QString() : unbroken(bestText(*best));
}

} // namespace

QString speedupNote(const Study& study)
{
    QSet<int> counts;
    bool going = study.runs.isEmpty();
    for (const RunRecord& run : study.runs) {
        counts.insert(run.config.workers);
        going |= !isFinal(run.state);
    }
    if (study.runs.isEmpty())
        return {};
    QStringList sentences;
    const int missed = countOf(study, RunState::NotConverged);
    if (missed > 0) {
        const QString target = targetText(study);
        const bool all = missed == study.runs.size();
        if (studyWorkloads(study).size() > 1) // each has a target of its own
            sentences << (all ? SpeedupNoteTexts::tr(
                                    "No run reached its target, so there is no time to train to "
                                    "compare.")
                              : SpeedupNoteTexts::tr(
                                    "%1 did not reach the target: no time to train to compare.")
                                    .arg(notedNames(study, RunState::NotConverged)));
        else
            sentences
                << (all ? SpeedupNoteTexts::tr(
                              "No run reached the target of %1 (best: %2), so there is no time to "
                              "train to compare.")
                              .arg(target, bestText(study))
                        : SpeedupNoteTexts::tr(
                              "%1 did not reach the target of %2: no time to train to compare.")
                              .arg(notedNames(study, RunState::NotConverged), target));
        sentences << SpeedupNoteTexts::tr(
            "Plan it again with more epochs or a lower target, or tick \u201ctrain all "
            "epochs\u201d.");
    }
    if (countOf(study, RunState::Failed) > 0)
        sentences << SpeedupNoteTexts::tr(
                         "%1 failed: nothing to compare with. The log tells why; \u201cRun "
                         "again\u201d on "
                         "the Results page plans it anew.")
                         .arg(notedNames(study, RunState::Failed));
    if (countOf(study, RunState::Cancelled) > 0)
        sentences << SpeedupNoteTexts::tr("%1 stopped before the end: nothing to compare with.")
                         .arg(notedNames(study, RunState::Cancelled));
    if (counts.size() < 2)
        sentences << SpeedupNoteTexts::tr(
            "A speedup needs at least two worker counts: tick 1 and 2 on the Plan page.");
    else if (going && missed > 0)
        sentences << SpeedupNoteTexts::tr("The speedup appears as further runs end.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace scalebench
