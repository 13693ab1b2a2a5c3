// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_edits.h"

#include "study/dimensions.h"
#include "study/workload_catalog.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A field of its own for one entry. Where it wants the recipe's value (empty) and the study has
/// one, the study's goes to the other entries instead.
template <class T>
void give(StudySpec& spec, int entry, T StudySpec::*ofStudy, T WorkloadPlan::*own, const T& value)
{
    WorkloadPlan& plan = spec.workloads[entry];
    if (value == spec.*ofStudy) {
        plan.*own = T{};
        return;
    }
    if (value == T{}) {
        for (WorkloadPlan& other : spec.workloads)
            if (other.*own == T{})
                other.*own = spec.*ofStudy;
        spec.*ofStudy = T{};
    }
    plan.*own = value;
}

void giveTarget(StudySpec& spec, int entry, const StudySpec& view)
{
    WorkloadPlan& plan = spec.workloads[entry];
    plan.target.reset();
    plan.noTarget = false;
    if (view.target == spec.target && view.noTarget == spec.noTarget)
        return;
    if (!view.target && !view.noTarget) {
        for (int i = 0; i < spec.workloads.size(); ++i) {
            WorkloadPlan& other = spec.workloads[i];
            if (i != entry && !other.target && !other.noTarget) {
                other.target = spec.target;
                other.noTarget = spec.noTarget;
            }
        }
        spec.target.reset();
        spec.noTarget = false;
    }
    plan.target = view.target;
    plan.noTarget = view.noTarget;
}

template <class T>
void copyIfChanged(StudySpec& spec, const StudySpec& before, const StudySpec& after,
                   T StudySpec::*member)
{
    if (!(before.*member == after.*member))
        spec.*member = after.*member;
}

/// A study of one entry as one of a list, which says all that is its own.
void makeList(StudySpec& spec)
{
    WorkloadPlan first;
    first.workload = spec.workload;
    first.data = std::exchange(spec.data, {});
    first.model = std::exchange(spec.model, {});
    first.globalBatch = std::exchange(spec.globalBatch, 0);
    first.batchTable = std::exchange(spec.batchTable, {});
    first.epochs = std::exchange(spec.epochs, 0);
    first.target = std::exchange(spec.target, {});
    first.noTarget = std::exchange(spec.noTarget, false);
    first.learningRate = std::exchange(spec.learningRate, {});
    if (spec.precisions != defaultPrecisions(spec.workload, spec.scale))
        first.precisions = spec.precisions;
    spec.precisions.clear();
    spec.workloads = {first};
}

/// Values of another workload's recipe stay with the entries that know them.
void keepKnownSettings(StudySpec& spec)
{
    const QStringList paths = spec.settings.keys();
    for (const QString& path : paths) {
        if (isForAll(spec, path))
            continue;
        const QList<QJsonValue> values = spec.settings.take(path);
        for (WorkloadPlan& plan : spec.workloads) {
            const Workload* workload = WorkloadCatalog::instance().find(plan.workload);
            if (workload && pathsOf(*workload).contains(path) && !plan.settings.contains(path))
                plan.settings.insert(path, values);
        }
    }
}

} // namespace

int entryCount(const StudySpec& spec)
{
    return std::max(1, int(spec.workloads.size()));
}

int entryOf(const StudySpec& spec, const QString& workload, const QString& scale)
{
    const QList<StudySpec> entries = spec.split();
    for (int i = 0; i < entries.size(); ++i)
        if (entries[i].workload == workload && (scale.isEmpty() || entries[i].scale == scale))
            return i;
    return -1;
}

StudySpec entrySpec(const StudySpec& spec, int entry)
{
    if (spec.workloads.isEmpty())
        return spec;
    return spec.only(spec.workloads[std::clamp(entry, 0, int(spec.workloads.size()) - 1)]);
}

StudySpec withWorkload(StudySpec spec, const QString& workload, const QString& scale)
{
    if (spec.workloads.isEmpty())
        makeList(spec);
    WorkloadPlan plan;
    plan.workload = workload;
    if (scale != spec.scale)
        plan.scale = scale;
    spec.workloads << plan;
    spec.workload = spec.workloads.first().workload;
    keepKnownSettings(spec);
    return spec;
}

StudySpec withoutEntry(const StudySpec& spec, int entry)
{
    if (spec.workloads.size() < 2 || entry < 0 || entry >= spec.workloads.size())
        return spec;
    StudySpec less = spec;
    less.workloads.removeAt(entry);
    if (less.workloads.size() == 1) {
        less = less.only(less.workloads.first());
        if (less.precisions.isEmpty() && !less.settings.contains(u"precision"_s))
            less.precisions = defaultPrecisions(less.workload, less.scale);
    }
    less.workload = less.workloadIds().first();
    return less;
}

StudySpec withEntryEdit(StudySpec spec, int entry, const StudySpec& before, const StudySpec& after)
{
    const auto copy = [&](auto member) { copyIfChanged(spec, before, after, member); };
    copy(&StudySpec::name);
    copy(&StudySpec::machine);
    copy(&StudySpec::device);
    copy(&StudySpec::workers);
    copy(&StudySpec::shapes);
    copy(&StudySpec::order);
    copy(&StudySpec::exclusive);
    copy(&StudySpec::retries);
    copy(&StudySpec::seed);
    copy(&StudySpec::repeats);
    copy(&StudySpec::threadsPerWorker);
    copy(&StudySpec::oversubscribe);
    copy(&StudySpec::options);
    copy(&StudySpec::maxMinutes);
    copy(&StudySpec::stopAfterTarget);
    if (spec.workloads.isEmpty()) {
        copy(&StudySpec::workload);
        copy(&StudySpec::scale);
        copy(&StudySpec::data);
        copy(&StudySpec::model);
        copy(&StudySpec::precisions);
        copy(&StudySpec::batchPolicy);
        copy(&StudySpec::globalBatch);
        copy(&StudySpec::epochs);
        copy(&StudySpec::target);
        copy(&StudySpec::noTarget);
        copy(&StudySpec::learningRate);
        return spec;
    }
    const auto own = [&](auto ofStudy, auto ofEntry) {
        if (!(before.*ofStudy == after.*ofStudy))
            give(spec, entry, ofStudy, ofEntry, after.*ofStudy);
    };
    own(&StudySpec::scale, &WorkloadPlan::scale);
    own(&StudySpec::data, &WorkloadPlan::data);
    own(&StudySpec::model, &WorkloadPlan::model);
    own(&StudySpec::precisions, &WorkloadPlan::precisions);
    own(&StudySpec::batchPolicy, &WorkloadPlan::batchPolicy);
    own(&StudySpec::globalBatch, &WorkloadPlan::globalBatch);
    own(&StudySpec::epochs, &WorkloadPlan::epochs);
    own(&StudySpec::learningRate, &WorkloadPlan::learningRate);
    if (before.target != after.target || before.noTarget != after.noTarget)
        giveTarget(spec, entry, after);
    return spec;
}

StudySpec withSetting(StudySpec spec, int entry, bool wholeStudy, const QString& path,
                      const QList<QJsonValue>& values)
{
    const Dimension* known = findDimension(path);
    if (spec.workloads.isEmpty() || wholeStudy) {
        spec.settings.insert(path, values);
        if (known && known->clear) // it would be told twice
            known->clear(spec);
        return spec;
    }
    WorkloadPlan& plan = spec.workloads[entry];
    plan.settings.insert(path, values);
    if (known && known->clearOwn)
        known->clearOwn(plan);
    return spec;
}

StudySpec withoutSetting(StudySpec spec, int entry, bool wholeStudy, const QString& path)
{
    if (!spec.workloads.isEmpty() && !wholeStudy) {
        spec.workloads[entry].settings.remove(path);
        return spec;
    }
    spec.settings.remove(path);
    if (path == "precision"_L1 && spec.workloads.isEmpty() && spec.precisions.isEmpty())
        spec.precisions = defaultPrecisions(spec.workload, spec.scale);
    return spec;
}

bool isForAll(const StudySpec& spec, const QString& path)
{
    const QStringList ids = spec.workloadIds();
    return std::all_of(ids.begin(), ids.end(), [&](const QString& id) {
        const Workload* workload = WorkloadCatalog::instance().find(id);
        return workload && pathsOf(*workload).contains(path);
    });
}

StudySpec allWorkloadsStudy(const QString& name, int cores)
{
    StudySpec spec;
    spec.name = name;
    spec.precisions.clear();
    spec.workers = cores == 1 ? QList<int>{1} : QList<int>{1, 2};
    for (const Workload& workload : WorkloadCatalog::instance().workloads()) {
        if (!workload.scale(spec.scale))
            continue;
        WorkloadPlan plan;
        plan.workload = workload.id;
        spec.workloads << plan;
    }
    if (!spec.workloads.isEmpty())
        spec.workload = spec.workloads.first().workload;
    return spec;
}

static void addChanges(const QJsonObject& a, const QJsonObject& b, const QString& prefix,
                       QStringList& keys)
{
    QMap<QString, QJsonValue> before = leavesOf(a);
    QMap<QString, QJsonValue> after = leavesOf(b);
    for (auto it = before.begin(); it != before.end(); ++it)
        if (after.value(it.key(), QJsonValue::Undefined) != it.value())
            keys << prefix + it.key();
    for (auto it = after.begin(); it != after.end(); ++it)
        if (!before.contains(it.key()))
            keys << prefix + it.key();
}

QStringList changedKeys(const StudySpec& before, const StudySpec& after)
{
    QStringList keys;
    QJsonObject a = before.toJson(), b = after.toJson();
    const QJsonArray entriesA = a.take(u"workloads"_s).toArray();
    const QJsonArray entriesB = b.take(u"workloads"_s).toArray();
    addChanges(a, b, {}, keys);
    if (entriesA.size() != entriesB.size()) {
        keys << u"workloads"_s;
    } else {
        const auto object = [](const QJsonValue& entry) {
            return entry.isObject() ? entry.toObject() : QJsonObject{{u"workload"_s, entry}};
        };
        for (int i = 0; i < entriesA.size(); ++i)
            addChanges(object(entriesA[i]), object(entriesB[i]), u"workloads[%1]."_s.arg(i), keys);
    }
    return keys;
}

} // namespace scalebench
