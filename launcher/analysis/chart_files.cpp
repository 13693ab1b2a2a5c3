// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chart_files.h"

#include <QDir>
#include <QSet>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

struct ChartStem {
    QString name;
    bool ofWorkload = false; ///< of several workloads one each: "throughput_ncf"
};

/// As a reader asks: how long does it take, what do more workers bring, and why.
const QList<ChartStem>& chartStems()
{
    static const QList<ChartStem> stems{{u"time_to_target"_s},
                                        {u"speedup"_s},
                                        {u"speedup_of_an_epoch"_s},
                                        {u"throughput_ratio"_s},
                                        {u"speedup_table"_s},
                                        {u"efficiency"_s},
                                        {u"efficiency_of_an_epoch"_s},
                                        {u"throughput_efficiency"_s},
                                        {u"speedup_parts"_s},
                                        {u"loss_split"_s},
                                        {u"scale_up_scale_out"_s},
                                        {u"step_split"_s, true},
                                        {u"throughput"_s, true},
                                        {u"training_loss"_s, true},
                                        {u"storage_demand"_s},
                                        {u"cost"_s},
                                        {u"energy"_s}};
    return stems;
}

} // namespace

std::optional<qsizetype> chartPlace(const QString& stem)
{
    const QList<ChartStem>& stems = chartStems();
    if (stem.contains("_vs_epoch"_L1)) // is it right?
        return -1;
    for (qsizetype i = 0; i < stems.size(); ++i)
        if (stem == stems[i].name)
            return i;
    for (qsizetype i = 0; i < stems.size(); ++i)
        if (stems[i].ofWorkload && stem.startsWith(stems[i].name + u'_'))
            return i;
    return std::nullopt;
}

QStringList chartFilesIn(const QString& dir)
{
    const QStringList names = QDir(dir).entryList(QDir::Files | QDir::NoSymLinks, QDir::Name);
    const QSet<QString> there(names.begin(), names.end());
    QStringList found;
    for (const QString& name : names) {
        if (!name.endsWith(".svg"_L1) || !chartPlace(name.chopped(4)))
            continue;
        const QString stem = name.chopped(4);
        QStringList formats{name, stem + u".png"_s, stem + u".pdf"_s};
        if (stem != "speedup"_L1 && stem != "speedup_table"_L1) // speedup.csv is the whole table
            formats << stem + u".csv"_s;
        if (std::all_of(formats.begin(), formats.end(),
                        [&there](const QString& file) { return there.contains(file); }))
            found += formats;
    }
    return found;
}

} // namespace scalebench
