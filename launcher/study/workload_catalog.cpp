// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/workload_catalog.h"

#include "base/ordinary_file.h"
#include "base/per_language.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "study/recipe_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

static void initResources()
{
    Q_INIT_RESOURCE(workloads); // a static library's resources are not registered by themselves
    Q_INIT_RESOURCE(schemas);
}

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qsizetype kMostRecipes = 256; ///< of one folder

const WorkloadScale* Workload::scale(const QString& scaleId) const
{
    for (const WorkloadScale& scale : scales)
        if (scale.id == scaleId)
            return &scale;
    return nullptr;
}

const WorkloadModel* Workload::model(const QString& modelId) const
{
    for (const WorkloadModel& model : models)
        if (model.id == modelId)
            return &model;
    return nullptr;
}

const MetricInfo* Workload::metricInfo(const QString& metricId) const
{
    for (const MetricInfo& info : metrics)
        if (info.id == metricId)
            return &info;
    return nullptr;
}

MetricUnit Workload::unit() const
{
    return metrics.isEmpty() ? MetricUnit::Share : metrics.first().unit;
}

/// A compiled-in recipe is a workload by itself.
static Workload wholeWorkload(const QByteArray& json, const QString& name)
{
    const Result<Workload> recipe = readRecipe(json, name);
    if (!recipe)
        qFatal("%s", qPrintable(recipe.failure().message));
    Workload workload = recipe.value();
    if (workload.metrics.isEmpty())
        qFatal("%s: no metrics", qPrintable(name));
    workload.models.clear();
    workload.scales.clear();
    if (const Result<void> added = addRecipe(workload, recipe.value(), name); !added)
        qFatal("%s", qPrintable(added.failure().message));
    return workload;
}

const WorkloadCatalog& WorkloadCatalog::builtin()
{
    static PerLanguage<WorkloadCatalog> catalogs;
    return catalogs.get([] {
        initResources();
        WorkloadCatalog c;
        const QDir folder(u":/workloads"_s);
        for (const QString& name : folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            if (file.open(QIODevice::ReadOnly))
                c.m_workloads << wholeWorkload(file.readAll(), name);
        }
        std::sort(c.m_workloads.begin(), c.m_workloads.end(),
                  [](const Workload& a, const Workload& b) { return a.title < b.title; });
        return c;
    });
}

QString WorkloadCatalog::userFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           u"/scalebench/workloads"_s;
}

const WorkloadCatalog& WorkloadCatalog::instance()
{
    static PerLanguage<WorkloadCatalog> catalogs;
    return catalogs.get([] {
        WorkloadCatalog c = builtin();
        if (!QFileInfo::exists(userFolder()))
            return c;
        if (const Result<void> added = c.addFolder(userFolder()); !added)
            c.m_problems << added.failure();
        return c;
    });
}

Result<void> WorkloadCatalog::addFolder(const QString& folder)
{
    const QDir dir(folder);
    if (!QFileInfo(folder).isDir() || !dir.isReadable())
        return Failure{u"not_readable"_s,
                       Launcher::tr("%1 is no folder that can be read.").arg(folder)};
    // Not only ordinary files: one that is a link or a pipe is told of.
    const QStringList names =
        dir.entryList({u"*.json"_s}, QDir::Files | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    for (const QString& name : names.first(std::min<qsizetype>(names.size(), kMostRecipes))) {
        if (name.endsWith(".schema.json"_L1))
            continue;
        if (const Result<void> added = addFile(dir.absolutePath(), name); !added)
            m_problems << added.failure();
    }
    if (names.size() > kMostRecipes)
        m_problems << Failure{u"recipe_invalid"_s,
                              Launcher::tr("%1: only the first %2 of %3 recipes are read.")
                                  .arg(folder)
                                  .arg(kMostRecipes)
                                  .arg(names.size())};
    return {};
}

Result<void> WorkloadCatalog::addFile(const QString& folder, const QString& name)
{
    const QString path = visibleLine(folder + u'/' + name); // for messages
    const Result<QByteArray> bytes = readFileBelow(folder, name);
    if (!bytes)
        return bytes.failure();
    const Result<Workload> recipe = readRecipe(bytes.value(), path);
    if (!recipe)
        return recipe.failure();
    for (Workload& workload : m_workloads)
        if (workload.id == recipe.value().id)
            return addRecipe(workload, recipe.value(), path);
    return Failure{u"recipe_invalid"_s,
                   Launcher::tr("%1: $.id is \"%2\", which the engine does not train. Known: %3.")
                       .arg(path, recipe.value().id, ids().join(u", "_s))};
}

const Workload* WorkloadCatalog::find(const QString& id) const
{
    for (const Workload& workload : m_workloads)
        if (workload.id == id)
            return &workload;
    return nullptr;
}

QStringList WorkloadCatalog::ids() const
{
    QStringList ids;
    for (const Workload& workload : m_workloads)
        ids << workload.id;
    return ids;
}

} // namespace scalebench
