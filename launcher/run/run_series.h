// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which runs belong together. A series is a set of runs that agree in every path of run.json but
// the number and spread of the workers, seed and repeat; runs that differ elsewhere are never
// averaged and never compared as a speedup. What a batch policy derives from the workers (the
// batch, and the rate that follows it) is part of a series' way along the workers.

#include "run/marks.h"
#include "run/run_record.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace scalebench {

class RunSeries
{
public:
    explicit RunSeries(const QList<RunRecord>& runs);

    int count() const { return int(m_series.size()); }
    /// -1, which has no name and no parts: the run cannot be read, so nothing is known of it.
    int seriesOf(int run) const { return m_seriesOf[run]; }
    /// What the series differs in from the others, "bf16, overlap on"; the precision where there is
    /// nothing else to say. Each series has its own.
    QString label(int series) const { return at(series).label; }
    /// The same without that: empty where nothing differs.
    QString difference(int series) const { return at(series).difference; }
    /// The same without the workload, where that is told elsewhere: "bf16, overlap on".
    QString variant(int series) const { return at(series).variant; }
    /// Texts by path of what a series has in common; "schedule.base_lr" is left out where it
    /// follows the batch.
    const QMap<QString, QString>& parts(int series) const { return at(series).parts; }
    /// Every path in which series of the same workload and scale differ.
    const QStringList& differingPaths() const { return m_differing; }

private:
    struct Series {
        QMap<QString, QString> parts; ///< path to exact text: the identity
        QMap<QString, QString> shown; ///< the same for people
        int rateBatch = 0;            ///< batch of the shown rate, where that follows it
        QString difference, variant, label;
    };
    const Series& at(int series) const;
    void nameSeries();
    void tellNamesakesApart();
    void addToNames(int series, const QString& text);
    QMap<QString, QList<int>> byLabel() const;

    QList<Series> m_series;
    QList<int> m_seriesOf;
    QStringList m_differing;
};

/// "bf16", or "bf16 (computed in fp32)" where the processor has none.
QString precisionText(const RunRecord& run);

} // namespace scalebench
