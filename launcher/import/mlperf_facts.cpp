// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlperf_facts.h"

#include <QDate>
#include <QDateTime>
#include <QMap>
#include <QRegularExpression>
#include <QStringList>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Round {
    const char* name;
    QDate published;
};
/// The days on which MLCommons published the results.
const QList<Round>& rounds()
{
    static const QList<Round> kRounds{
        {"v0.5", {2018, 12, 12}}, {"v0.6", {2019, 7, 10}},  {"v0.7", {2020, 7, 29}},
        {"v1.0", {2021, 6, 30}},  {"v1.1", {2021, 12, 1}},  {"v2.0", {2022, 6, 29}},
        {"v2.1", {2022, 11, 9}},  {"v3.0", {2023, 6, 27}},  {"v3.1", {2023, 11, 8}},
        {"v4.0", {2024, 6, 12}},  {"v4.1", {2024, 11, 13}}, {"v5.0", {2025, 6, 4}},
        {"v5.1", {2025, 11, 12}}};
    return kRounds;
}

/// Position in the list above; -1 for others.
qsizetype roundIndex(const QString& name)
{
    for (qsizetype i = 0; i < rounds().size(); ++i)
        if (name == QLatin1StringView(rounds()[i].name))
            return i;
    return -1;
}

bool isFrom(const QString& round, const char* first)
{
    return roundIndex(round) >= roundIndex(QString::fromLatin1(first));
}

QString known(const QString& name)
{
    return roundIndex(name) >= 0 ? name : QString();
}

QList<MetricValue> one(double target)
{
    return {{QString(), target}};
}

BenchmarkFacts translation(const QString& title, const QString& workload, const QString& round,
                           double first, double later)
{
    // BLEU of 100 until v0.6, a share of 1 from v0.7 on.
    const double target = round == "v0.5"_L1 ? first : isFrom(round, "v0.7") ? later / 100 : later;
    return {title, workload, u"bleu"_s, MetricUnit::Bleu, one(target)};
}

} // namespace

QList<QString> mlperfRounds()
{
    QList<QString> names;
    for (const Round& round : rounds())
        names << QString::fromLatin1(round.name);
    return names;
}

QString roundInPath(const QString& path)
{
    static const QRegularExpression kRepository(u"training_results_(v\\d\\.\\d)(?![\\d])"_s);
    static const QRegularExpression kFolder(u"^(v\\d\\.\\d)(?:\\.0)?$"_s);
    static const QRegularExpression kFile(u"^(v\\d\\.\\d)[_-]"_s);
    const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        if (const auto match = kRepository.match(*part); match.hasMatch())
            if (const QString round = known(match.captured(1)); !round.isEmpty())
                return round;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        for (const auto* expression : {&kFolder, &kFile})
            if (const auto match = expression->match(*part);
                match.hasMatch() && (expression == &kFolder || part == parts.rbegin()))
                if (const QString round = known(match.captured(1)); !round.isEmpty())
                    return round;
    return {};
}

QString roundAt(double timeMs)
{
    const QDate day = QDateTime::fromMSecsSinceEpoch(qint64(timeMs)).toUTC().date();
    if (day < QDate(2018, 1, 1))
        return {};
    for (const Round& round : rounds())
        if (day <= round.published)
            return QString::fromLatin1(round.name);
    return QString::fromLatin1(rounds().last().name);
}

QString canonicalBenchmark(const QString& name)
{
    static const QMap<QString, QString> kNames{
        {u"mask"_s, u"maskrcnn"_s},       {u"mask_rcnn"_s, u"maskrcnn"_s},
        {u"resnet50"_s, u"resnet"_s},     {u"resnet-50"_s, u"resnet"_s},
        {u"ssd-resnet34"_s, u"ssd"_s},    {u"nmt"_s, u"gnmt"_s},
        {u"rnn_translator"_s, u"gnmt"_s}, {u"single_stage_detector"_s, u"ssd"_s}};
    const QString lower = name.trimmed().toLower();
    return kNames.value(lower, lower);
}

BenchmarkFacts benchmarkFacts(const QString& benchmark, const QString& round, qint64 globalBatch)
{
    const QString name = canonicalBenchmark(benchmark);
    if (name == "resnet"_L1)
        return {u"ResNet-50"_s, u"resnet"_s, u"top1_accuracy"_s, MetricUnit::Share,
                one(round == "v0.5"_L1 ? 0.749 : 0.759)};
    if (name == "retinanet"_L1 || (name == "ssd"_L1 && isFrom(round, "v2.0")))
        return {u"RetinaNet"_s, u"retinanet"_s, u"box_map"_s, MetricUnit::Share, one(0.34)};
    if (name == "ssd"_L1)
        return {u"SSD-ResNet34"_s, u"ssd"_s, u"box_map"_s, MetricUnit::Share,
                one(round == "v0.5"_L1 ? 0.212 : 0.23)};
    if (name == "maskrcnn"_L1)
        return {u"Mask R-CNN"_s,
                u"maskrcnn"_s,
                u"box_map"_s,
                MetricUnit::Share,
                {{u"BBOX"_s, 0.377}, {u"SEGM"_s, 0.339}}};
    if (name == "gnmt"_L1)
        return translation(u"GNMT"_s, u"gnmt"_s, round, 21.8, 24);
    if (name == "transformer"_L1)
        return translation(u"Transformer"_s, u"transformer"_s, round, 25, 25);
    if (name == "ncf"_L1)
        return {u"NCF"_s, u"ncf"_s, u"hit_rate"_s, MetricUnit::Share, one(0.635)};
    if (name == "bert"_L1)
        return {u"BERT"_s, u"bert"_s, u"masked_lm_accuracy"_s, MetricUnit::Share,
                one(isFrom(round, "v1.0")                    ? 0.72
                    : globalBatch > 0 && globalBatch >= 8192 ? 0.706
                                                             : 0.712)};
    if (name == "dlrm"_L1)
        return {u"DLRM"_s, u"dlrm"_s, u"auc"_s, MetricUnit::Share, one(0.8025)};
    if (name == "dlrm_dcnv2"_L1)
        return {u"DLRM-DCNv2"_s, u"dlrm_dcnv2"_s, u"auc"_s, MetricUnit::Share, one(0.80275)};
    if (name == "unet3d"_L1)
        return {u"3D U-Net"_s, name, u"mean_dice"_s, MetricUnit::Share, one(0.908)};
    return {benchmark, name, u"quality"_s, MetricUnit::Score, {}};
}

bool isBatchPerAccelerator(const QString& benchmark, qint64 inputBatchSize)
{
    // More than this no accelerator of 2018 held: the submitter wrote the global batch.
    static const QMap<QString, qint64> kMost{
        {u"resnet"_s, 1024}, {u"ssd"_s, 512}, {u"maskrcnn"_s, 16}, {u"transformer"_s, 32'768}};
    const auto most = kMost.find(canonicalBenchmark(benchmark));
    return most != kMost.end() && inputBatchSize <= most.value();
}

int acceleratorsInName(const QString& platform)
{
    struct Known {
        const char* pattern;
        int accelerators;
    };
    static const Known kKnown[] = {{"DGX[ -]?2", 16},   {"DGX[ -]?1", 8},    {"DGX[ -]?A100", 8},
                                   {"DGX[ -]?H100", 8}, {"DGX[ -]?H200", 8}, {"DGX[ -]?B200", 8}};
    for (const Known& system : kKnown)
        if (platform.contains(QRegularExpression(QString::fromLatin1(system.pattern),
                                                 QRegularExpression::CaseInsensitiveOption)))
            return system.accelerators;
    // "2xXE8545x4A100-SXM-80GB", "R4900G5x1A100-PCIE-80GB", "8xV100".
    static const QRegularExpression kCount(
        u"(?:^|[x_])(\\d{1,3})x?(?:A100|A30|A40|H100|H200|V100|B200|L40S?)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const auto match = kCount.match(platform);
    return match.hasMatch() ? match.captured(1).toInt() : 0;
}

int nodesInName(const QString& platform)
{
    static const QRegularExpression kNodes(u"^(\\d{1,6})x(?!\\d*(?:A100|H100|V100))"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    const auto match = kNodes.match(platform);
    return match.hasMatch() ? qMax(1, match.captured(1).toInt()) : 1;
}

} // namespace scalebench::imports
