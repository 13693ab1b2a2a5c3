// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_cells.h"

#include "base/translated.h"
#include "study/dimensions.h"

#include <QCryptographicHash>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The settings that one workload's runs differ in, its precisions among them.
QList<std::pair<QString, QList<QJsonValue>>> dimensionsOf(const StudySpec& spec)
{
    QList<std::pair<QString, QList<QJsonValue>>> dimensions;
    if (!spec.settings.contains(u"precision"_s)) {
        QList<QJsonValue> precisions;
        for (const QString& precision : spec.precisions.isEmpty()
                                            ? defaultPrecisions(spec.workload, spec.scale)
                                            : spec.precisions)
            precisions << precision;
        dimensions << std::pair(u"precision"_s, precisions);
    }
    for (auto it = spec.settings.begin(); it != spec.settings.end(); ++it)
        dimensions << std::pair(it.key(), it.value());
    return dimensions;
}

void put(Combination& combination, const QString& path, const QJsonValue& value)
{
    const Dimension* known = findDimension(path);
    if (known && known->apply) {
        known->apply(combination.spec, value);
        combination.spec.settings.remove(path);
    } else {
        combination.spec.settings.insert(path, {value});
    }
}

QList<Combination> combinationsOfOne(const StudySpec& spec)
{
    QList<Combination> all{{spec, {}}};
    for (const auto& [path, values] : dimensionsOf(spec)) {
        QList<Combination> more;
        for (const Combination& before : std::as_const(all))
            for (const QJsonValue& value : values) {
                Combination with = before;
                put(with, path, value);
                if (values.size() > 1)
                    with.chosen << Choice{path, value};
                more << with;
            }
        all = more;
    }
    return all;
}

} // namespace

qint64 countOfRuns(const StudySpec& spec)
{
    double runs = 0;
    for (const StudySpec& one : spec.split()) {
        double cells = double(std::max<qsizetype>(1, onePerShape(one).size())) * one.repeats;
        for (const auto& [path, values] : dimensionsOf(one))
            cells *= double(values.size());
        runs += cells;
    }
    return qint64(std::min(runs, 9e15)); // not what no number holds
}

Result<QList<Combination>> combinationsOf(const StudySpec& spec)
{
    if (const qint64 runs = countOfRuns(spec); runs > kMostRuns)
        return Failure{
            u"plan_too_large"_s,
            Launcher::tr(
                "This plan stands for %L1 runs; %L2 is the most. Give fewer values, shapes "
                "or repeats.")
                .arg(runs)
                .arg(kMostRuns)};
    QList<Combination> all;
    for (const StudySpec& one : spec.split())
        all += combinationsOfOne(one);
    return all;
}

QList<StudySpec> onePerShape(const StudySpec& spec)
{
    QList<StudySpec> list;
    StudySpec one = spec;
    for (const Shape& shape : spec.shapes) {
        one.shapes = {shape};
        list << one;
    }
    if (list.isEmpty())
        for (const int workers : spec.workers) {
            one.workers = {workers};
            list << one;
        }
    return list;
}

QString idPart(const QList<Choice>& chosen)
{
    static constexpr int kLongest = 90;
    QString text, exact;
    for (const Choice& choice : chosen) {
        if (choice.path == "precision"_L1 || choice.path == "global_batch"_L1)
            continue; // every id has them
        QString value = valueText(choice.path, choice.value);
        if (choice.value.isArray()) // "[512 256]" is "512+256", and no other list is
            value = value.sliced(1, value.size() - 2).replace(u' ', u'+');
        const QString part = dimensionKey(choice.path) + u'=' + value.remove(u' ');
        exact += choice.path + u'=' + valueText(choice.path, choice.value) + u'\n';
        text += u'-';
        for (const QChar c : part) {
            const bool plain =
                (c.isLetterOrNumber() && c.unicode() < 128) || u"._+=,-"_s.contains(c);
            text += plain ? c : QChar(u'_');
        }
    }
    if (text.size() <= kLongest)
        return text;
    const QByteArray hash =
        QCryptographicHash::hash(exact.toUtf8(), QCryptographicHash::Sha256).toHex().first(12);
    return text.first(kLongest - 13) + u'-' + QString::fromLatin1(hash);
}

} // namespace scalebench
