// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/data_run.h"

#include "base/translated.h"
#include "study/run_config.h"
#include "study/workload_catalog.h"

#include <QDir>
#include <QFileInfo>

#include <optional>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QString usualScale(const DataRequest& request)
{
    const Workload* workload = WorkloadCatalog::instance().find(request.workload);
    const bool files = request.action != "make"_L1 && workload && workload->scale(u"lab"_s) &&
                       !QFileInfo::exists(QDir(request.path).filePath(u"GENERATED.txt"_s));
    return files ? u"lab"_s : u"desk"_s;
}

/// The words that `run --data` takes in place of a path, unless a folder has that name.
static std::optional<Failure> refuseWord(const DataRequest& request)
{
    if (QFileInfo::exists(request.path))
        return std::nullopt;
    if (request.path == "synthetic"_L1)
        return Failure{u"usage"_s, Launcher::tr("Synthetic data is made in memory during a run: it "
                                                "has nothing to check. Give the path of a data "
                                                "set.")};
    if (request.path == "generated"_L1)
        return Failure{
            u"usage"_s,
            Launcher::tr("A generated set is made when a run needs it. \"scalebench data "
                         "make %1 FOLDER\" writes one into a folder: give that.")
                .arg(request.workload)};
    return std::nullopt;
}

Result<QJsonObject> dataRun(const DataRequest& request, const MachineInfo& machine)
{
    const bool make = request.action == "make"_L1;
    if (!make)
        if (const std::optional<Failure> refusal = refuseWord(request))
            return *refusal;
    // Only a scale that trains on a generated set says how large that is.
    if (const Workload* known = WorkloadCatalog::instance().find(request.workload); make && known)
        if (const WorkloadScale* scale = known->scale(request.scale);
            scale && scale->dataSource != "generated"_L1)
            return Failure{
                u"usage"_s,
                Launcher::tr("The scale \"%1\" of %2 trains on files (%3), and no set of its size "
                             "is generated. Leave the scale out for the set of \"%4\", and give "
                             "settings of data for another size.")
                    .arg(scale->id, known->id, scale->dataHint, known->scales.first().id)};
    StudySpec spec;
    spec.workload = request.workload;
    spec.scale = request.scale.isEmpty() ? usualScale(request) : request.scale;
    spec.precisions = defaultPrecisions(spec.workload, spec.scale);
    spec.workers = {1};
    spec.settings = request.settings;
    spec.data = make ? u"generated"_s : QFileInfo(request.path).absoluteFilePath();
    const Result<QList<RunConfig>> runs = planRuns(spec, machine, u"data"_s, request.path);
    if (!runs)
        return runs.failure();
    const RunConfig& run = runs.value().constFirst();
    return make ? withDataPath(run, QDir(request.path).absolutePath()) : run.json;
}

} // namespace scalebench
