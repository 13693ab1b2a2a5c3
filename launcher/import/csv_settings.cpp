// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_settings.h"

#include "study/dimensions.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kMostSettings = 100;
const QString kSeriesPath = u"table.series"_s;

/// Names of runs, and what is said of them or was measured.
bool tellsNoSetting(const QString& name)
{
    static const QSet<QString> names{
        u"study"_s, u"repeat"_s, u"error_code"_s, u"error_message"_s, u"resumed"_s,  u"note"_s,
        u"notes"_s, u"remark"_s, u"remarks"_s,    u"comment"_s,       u"date"_s,     u"comments"_s,
        u"url"_s,   u"link"_s,   u"source"_s,     u"chart"_s,         u"elapsed_s"_s};
    return names.contains(name);
}

/// A path of run.json, by itself or by what options and charts call it; empty: none.
QString knownPath(const QString& name)
{
    static const QRegularExpression kPath(
        u"^(options|schedule|optimizer|model|data|table)(\\.[a-z0-9_]+)+$"_s);
    if (kPath.match(name).hasMatch())
        return name == "table.file"_L1 ? u"table.earlier_file"_s : name;
    if (name == "epochs_at_most"_L1)
        return u"epochs"_s;
    if (name == "optimizer"_L1)
        return u"optimizer.name"_s;
    for (const Dimension& d : knownDimensions())
        if (name == d.key.toLower() || name == d.option || name == d.studyKey ||
            name == d.title.toLower())
            return d.path;
    return {};
}

bool isWords(const CsvTable& table, qsizetype column)
{
    QSet<QString> seen;
    bool again = false;
    for (qsizetype row = 0; row < table.rows.size(); ++row) {
        const QString& text = table.rows[row][column];
        if (text.isEmpty())
            continue;
        if (table.number(row, column))
            return false;
        again = again || seen.contains(text);
        seen << text;
    }
    return again;
}

QString tablePath(const QString& name)
{
    static const QRegularExpression kOther(u"[^a-z0-9]+"_s);
    QString plain = name.left(60);
    plain.replace(kOther, u"_"_s);
    return u"table."_s + plain;
}

} // namespace

CsvSettings::CsvSettings(const CsvTable& table, const CsvMapping& mapping) : m_table(table)
{
    for (qsizetype i = 0; i < table.header.size() && m_paths.size() < kMostSettings; ++i) {
        const QString name = table.header[i].simplified().toLower();
        const bool isField =
            std::any_of(mapping.begin(), mapping.end(), [&](const QString& column) {
                return column.compare(table.header[i], Qt::CaseInsensitive) == 0;
            });
        if (name.isEmpty() || isField || tellsNoSetting(name))
            continue;
        QString path = knownPath(name);
        if (path.isEmpty() && isWords(table, i))
            path = tablePath(name);
        if (!path.isEmpty() && !m_paths.values().contains(path))
            m_paths.insert(i, path);
    }
    if (const auto series = mapping.constFind(u"series"_s); series != mapping.cend())
        m_paths.insert(table.column(series.value()), kSeriesPath);
}

QMap<QString, QString> CsvSettings::of(qsizetype row) const
{
    QMap<QString, QString> settings;
    for (auto it = m_paths.begin(); it != m_paths.end(); ++it) {
        const QString text = m_table.rows[row][it.key()].simplified().left(200);
        const std::optional<double> number = m_table.number(row, it.key());
        if (!text.isEmpty()) // 0.1 is 1e-1
            settings.insert(it.value(), number ? exactText(*number) : text);
    }
    return settings;
}

void dropToldSeries(QList<ImportedRun>& runs)
{
    QMap<QString, QSet<QString>> seriesOf; // by all else that makes a series
    for (const ImportedRun& run : runs) {
        QStringList rest{run.workload,  run.scale,       run.model,           run.accelerator,
                         run.precision, run.dataSource,  run.system,          run.submitter,
                         run.round,     run.batchPolicy, run.computePrecision};
        rest << QString::number(run.threads);
        for (auto it = run.settings.begin(); it != run.settings.end(); ++it)
            if (it.key() != kSeriesPath)
                rest << it.key() + u'=' + it.value();
        const bool follows = run.followsBatch(); // their ratio counts
        rest << (follows ? QString::number(run.learningRate / double(run.globalBatch), 'g', 6)
                         : QString());
        seriesOf[rest.join(u'\n')] << run.settings.value(kSeriesPath);
    }
    const bool told = std::all_of(seriesOf.begin(), seriesOf.end(),
                                  [](const QSet<QString>& set) { return set.size() < 2; });
    for (ImportedRun& run : runs)
        if (told)
            run.settings.remove(kSeriesPath);
}

} // namespace scalebench::imports
