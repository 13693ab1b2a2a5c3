// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What two runs may differ in. A dimension is a path in run.json ("schedule.base_lr"); one table
// says what is known of each: how people call it, its type, range and unit, and where the study
// keeps it. A path that is not in the table, a setting of a workload's recipe, works under its own
// name; the recipe's schema says what it may be.

#include "base/result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace scalebench {

struct StudySpec;
struct WorkloadPlan;
struct Workload;

struct Dimension {
    enum class Kind { Flag, Whole, Number, Word };

    QString path;  ///< "options.overlap"
    QString title; ///< "Overlap", for charts and chips
    QString key;   ///< in run ids: "overlap"
    Kind kind = Kind::Word;
    double least = 0, most = 0; ///< of numbers
    QStringList words;          ///< of a word; empty: any
    QString unit = {};          ///< "MB"; empty: none
    QString onlyDevice = {};    ///< where alone it makes a difference; empty: everywhere
    bool byWorkload = false;    ///< makes one only in workloads that say so (Workload::switches)
    QString studyKey = {};      ///< the key of study.json that holds it: "learning_rate"
    QString option = {};        ///< of `scalebench run`, without dashes: "lr"
    /// Puts a value into a study whose runs all have it; null: it goes into run.json as it is.
    void (*apply)(StudySpec& study, const QJsonValue& value) = nullptr;
    /// Takes the study's, or one workload's own, value away: the recipe's, or the study's, is there
    /// again. Null where they have none.
    void (*clear)(StudySpec& study) = nullptr;
    void (*clearOwn)(WorkloadPlan& plan) = nullptr;
};

const QList<Dimension>& knownDimensions();
const Dimension* findDimension(const QString& path);

/// Whether the path makes a difference in this workload on this device.
bool makesDifference(const QString& path, const Workload& workload, const QString& device);
/// The words of a path that can be used on a device ("cpu", "cuda").
QStringList wordsOn(const QString& path, const QString& device);

/// "Overlap"; the path itself where nothing is known of it.
QString dimensionTitle(const QString& path);
/// What a run id calls it: "overlap", "momentum".
QString dimensionKey(const QString& path);
/// "on", "0.1", "4 MB", "bf16".
QString valueText(const QString& path, const QJsonValue& value);

/// The same without its unit, lists with their items: what tells values apart.
QString exactText(const QJsonValue& value);

/// What stands between the commas of a text; those within brackets belong to a list.
QStringList valuesInText(const QString& text);
/// A value as typed ("on", "0.1", "bf16", "[512,256]" or "[512 256]").
QJsonValue valueFromText(const QString& path, const QString& text);

/// Every path that a study of this workload may set: the table's and its recipe's.
QStringList pathsOf(const Workload& workload);
/// The paths that are most like what was typed, by their whole name, their last word, or what ids,
/// options and charts call them: the best, and those as good but for a letter; three at most.
QStringList nearestPaths(const Workload& workload, const QString& typed);
/// Why the path cannot have this value in this workload: "path_unknown" with the nearest ones,
/// "value_invalid" with what is expected.
Result<void> checkSetting(const Workload& workload, const QString& path, const QJsonValue& value);

/// The value at "a.b.c"; undefined where there is none.
QJsonValue valueAt(const QJsonObject& object, const QString& path);
QJsonObject withValueAt(QJsonObject object, const QString& path, const QJsonValue& value);
QJsonObject withoutValueAt(QJsonObject object, const QString& path);
/// All leaves by path; a list is a leaf.
QMap<QString, QJsonValue> leavesOf(const QJsonObject& object);

} // namespace scalebench
