// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/marks.h"

#include "base/translated.h"
#include "run/disturbance.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// English texts of marks by their keys. Tables that were exported have the texts.
static const QHash<QString, QString>& knownMarks()
{
    static const QHash<QString, QString> marks{
        {u"oversubscribed"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "oversubscribed"))},
        {u"resumed"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "resumed"))},
        {u"run_again"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "run again"))},
        {u"disturbed"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "disturbed"))},
        {u"records_lost"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "records lost"))},
        {u"contradictory"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "contradictory"))},
        {u"synthetic"_s, QString::fromLatin1(QT_TRANSLATE_NOOP("Launcher", "synthetic data"))}};
    return marks;
}

static QStringList conditionKeys(const RunRecord& run)
{
    QStringList keys;
    if (run.config.oversubscribed)
        keys << u"oversubscribed"_s;
    if (run.resumes > 0)
        keys << u"resumed"_s;
    else if (run.attempts > 0)
        keys << u"run_again"_s;
    if (isDisturbed(run))
        keys << u"disturbed"_s;
    if (hasLostRecords(run))
        keys << u"records_lost"_s;
    if (!contradiction(run).isEmpty())
        keys << u"contradictory"_s;
    if (run.config.dataSource == "synthetic"_L1)
        keys << u"synthetic"_s;
    if (const QString computed = run.setup.value("compute_precision"_L1).toString();
        !computed.isEmpty() && computed != run.config.precision)
        keys << u"computed="_s + computed;
    for (const QString& told : run.marksTold)
        if (const QString key = knownMarks().key(told, told); !keys.contains(key))
            keys << key;
    return keys;
}

QStringList markKeys(const RunRecord& run)
{
    const QStringList keys = conditionKeys(run);
    return run.origin.isEmpty() ? keys : QStringList{u"origin="_s + run.origin} + keys;
}

QString markText(const QString& key)
{
    const QString value = key.section(u'=', 1);
    if (key.startsWith("origin="_L1))
        return value;
    if (key.startsWith("computed="_L1))
        return Launcher::tr("computed in %1").arg(value);
    const auto known = knownMarks().constFind(key);
    return known == knownMarks().cend() ? key : Launcher::tr(known->toUtf8());
}

static QStringList markTexts(QStringList keys)
{
    std::transform(keys.begin(), keys.end(), keys.begin(), markText);
    return keys;
}

QStringList conditionMarks(const RunRecord& run)
{
    return markTexts(conditionKeys(run));
}

QStringList runMarks(const RunRecord& run)
{
    return markTexts(markKeys(run));
}

QStringList runRemarks(const RunRecord& run)
{
    QStringList remarks = streamFaults(run) + disturbances(run);
    for (const Failure& warning : run.warnings)
        if (warning.code == "import_remark"_L1)
            remarks << warning.message;
    return remarks;
}

QString withMarks(const QString& sentence, QStringList marks)
{
    marks.removeDuplicates();
    marks.removeIf([&](const QString& mark) { return sentence.contains(mark); });
    return marks.isEmpty() ? sentence
                           : sentence + u' ' + Launcher::tr("Marked: %1.").arg(marks.join(u", "_s));
}

} // namespace scalebench
