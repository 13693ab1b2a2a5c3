// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chart_files.h"

#include <QDir>
#include <QSet>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// "accuracy_vs_epoch", "throughput", of several workloads "throughput_ncf".
static bool isChart(const QString& stem)
{
    static const QStringList kOfAll{u"time_to_target"_s,
                                    u"speedup"_s,
                                    u"speedup_table"_s,
                                    u"efficiency"_s,
                                    u"speedup_parts"_s,
                                    u"loss_split"_s,
                                    u"cost"_s,
                                    u"energy"_s,
                                    u"scale_up_scale_out"_s,
                                    u"storage_demand"_s,
                                    u"speedup_of_an_epoch"_s,
                                    u"efficiency_of_an_epoch"_s};
    static const QStringList kOfWorkload{u"step_split"_s, u"throughput"_s, u"training_loss"_s};
    return kOfAll.contains(stem) || stem.contains("_vs_epoch"_L1) ||
           std::any_of(kOfWorkload.begin(), kOfWorkload.end(), [&stem](const QString& name) {
               return stem == name || stem.startsWith(name + u'_');
           });
}

QStringList chartFilesIn(const QString& dir)
{
    const QStringList names = QDir(dir).entryList(QDir::Files | QDir::NoSymLinks, QDir::Name);
    const QSet<QString> there(names.begin(), names.end());
    QStringList found;
    for (const QString& name : names) {
        if (!name.endsWith(".svg"_L1) || !isChart(name.chopped(4)))
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
