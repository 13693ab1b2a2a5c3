// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Mean parts of each run's steps, kept as they come: each point is looked at once, however often
// the mean is asked for.

#include "run/study.h"

#include <QList>

namespace scalebench {

class StepMeans
{
public:
    /// The study with one step in place of each run's: their mean, weighted by how many steps each
    /// stands for. The first, which warms up, counts only while it is alone.
    Study summary(const Study& study);
    /// How many points were looked at, altogether.
    qsizetype looked() const { return m_looked; }

private:
    struct Sum {
        QString runId;
        int attempts = 0;
        qsizetype counted = 0;
        double weight = 0;
        StepPoint parts; ///< weighted sums
    };
    void count(Sum& sum, const RunRecord& run);

    QString m_study;
    QList<Sum> m_sums;
    qsizetype m_looked = 0;
};

} // namespace scalebench
