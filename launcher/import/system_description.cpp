// SPDX-License-Identifier: GPL-3.0-or-later
#include "system_description.h"

#include "base/json_fields.h"
#include "base/ordinary_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kMostDescriptionBytes = 1 << 20;
constexpr int kMostCount = 1'000'000;

/// Numbers are written as numbers, as texts, as "-" or "N/A".
int countOf(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number =
        value.isString() ? value.toString().trimmed().toDouble(&ok) : value.toDouble();
    return ok && number >= 0 && number <= kMostCount ? int(number) : 0;
}

QString textOf(const QJsonValue& value)
{
    const QString text = value.toString().trimmed().left(200);
    static const QStringList kNothing{u"-"_s,    u"N/A"_s,  u"NA"_s,   u"n/a"_s,
                                      u"None"_s, u"none"_s, u"null"_s, u"unknown"_s};
    return kNothing.contains(text) ? QString() : text;
}

/// Some count all accelerators of the machine and name them so: "tpuv3-512".
bool namesTheTotal(const SystemDescription& s)
{
    static const QRegularExpression kTotal(u"-(\\d+)$"_s);
    const auto match = kTotal.match(s.accelerator);
    return s.nodes > 1 && match.hasMatch() && match.captured(1).toInt() == s.acceleratorsPerNode;
}

void readEntry(const QJsonObject& entry, SystemDescription& s)
{
    s.division = textOf(entry.value("division"_L1));
    s.status = textOf(entry.value("status"_L1));
    s.system = textOf(entry.value("hardware"_L1));
    s.framework = textOf(entry.value("framework"_L1));
    const QJsonValue list = entry.value("nodes"_L1);
    const QJsonObject node = list.isArray() ? list.toArray().at(0).toObject() : list.toObject();
    s.nodes = countOf(node.value("num_nodes"_L1));
    s.acceleratorsPerNode = countOf(node.value("num_accelerators"_L1));
    s.accelerator = textOf(node.value("accelerator"_L1));
    if (namesTheTotal(s))
        s.nodes = 1;
}

void readSystem(const QJsonObject& system, SystemDescription& s)
{
    s.submitter = textOf(system.value("submitter"_L1));
    s.division = textOf(system.value("division"_L1));
    s.status = textOf(system.value("status"_L1));
    s.system = textOf(system.value("system_name"_L1));
    s.framework = textOf(system.value("framework"_L1));
    s.accelerator = textOf(system.value("accelerator_model_name"_L1));
    s.nodes = countOf(system.value("number_of_nodes"_L1));
    s.acceleratorsPerNode = countOf(system.value("accelerators_per_node"_L1));
    s.processors = countOf(system.value("host_processors_per_node"_L1));
}

/// v0.6 of some: the lines that go into the log, with a printed Python dictionary in them.
bool readLines(const QByteArray& bytes, SystemDescription& s)
{
    const QString text = QString::fromUtf8(bytes);
    const auto find = [&text](const QString& pattern) {
        const auto match = QRegularExpression(pattern).match(text);
        return match.hasMatch() ? match.captured(1) : QString();
    };
    s.submitter = textOf(find(u"(?m)^org: \\{\"value\": \"([^\"]*)\""_s));
    s.division = textOf(find(u"(?m)^division: \\{\"value\": \"([^\"]*)\""_s));
    s.system = textOf(find(u"(?m)^platform: \\{\"value\": \"([^\"]*)\""_s));
    s.framework = textOf(find(u"'framework': '([^']*)'"_s));
    s.accelerator = textOf(find(u"'accelerator': '([^']*)'"_s));
    s.nodes = countOf(find(u"'num_nodes': '(\\d+)'"_s));
    s.acceleratorsPerNode = countOf(find(u"'num_accelerators': '(\\d+)'"_s));
    return !s.submitter.isEmpty() && s.nodes > 0;
}

/// The folders above a log: benchmark, system, "results". A few of one benchmark have none for it.
struct Layout {
    QString benchmark, system, submitterDir;
};
std::optional<Layout> layoutOf(const QString& path)
{
    const QStringList parts = QFileInfo(path).absoluteFilePath().split(u'/');
    const qsizetype results = parts.lastIndexOf(u"results"_s), below = parts.size() - results;
    const QString dir = QStringList(parts.first(std::max<qsizetype>(results, 0))).join(u'/');
    if (results < 1 || below < 3 || (below == 3 && !QFileInfo(dir + u"/systems"_s).isDir()))
        return {};
    return Layout{below == 3 ? QString() : parts[results + 2], parts[results + 1], dir};
}

} // namespace

static int product(int nodes, int each)
{
    const qint64 all = qint64(std::max(nodes, 1)) * each;
    return all <= kMostCount ? int(all) : 0;
}

int SystemDescription::accelerators() const
{
    return product(nodes, acceleratorsPerNode);
}

int SystemDescription::processorsInAll() const
{
    return acceleratorsPerNode == 0 && nodes > 0 ? product(nodes, std::max(processors, 1)) : 0;
}

SystemDescription parseSystemDescription(const QByteArray& bytes, const QString& file)
{
    SystemDescription s;
    s.file = file;
    if (readLines(bytes, s))
        return s;
    s = {};
    s.file = file;
    const Result<QJsonObject> json = parseJsonObject(bytes, file);
    if (!json) {
        s.problem = json.failure().message;
        return s;
    }
    if (json.value().contains("nodes"_L1))
        readEntry(json.value(), s);
    else
        readSystem(json.value(), s);
    return s;
}

std::optional<SystemDescription> findSystemDescription(const QString& path)
{
    const std::optional<Layout> layout = layoutOf(path);
    if (!layout)
        return {};
    const QString systems = u"systems/%1.json"_s.arg(layout->system);
    const QString entry = u"results/%1/entry.json"_s.arg(layout->system);
    for (const QString& name : {systems, entry}) {
        const Result<QByteArray> bytes =
            readFileBelow(layout->submitterDir, name, kMostDescriptionBytes);
        const QString file = layout->submitterDir + u'/' + name;
        if (!bytes) {
            if (bytes.failure().code == "not_found"_L1)
                continue;
            SystemDescription damaged;
            damaged.file = file;
            damaged.problem = bytes.failure().message;
            return damaged;
        }
        SystemDescription s = parseSystemDescription(bytes.value(), file);
        if (name == entry) {
            s.wholeCluster = s.nodes > 1 && layout->system.contains(u"multi"_s);
            const Result<QByteArray> submission =
                readFileBelow(layout->submitterDir, u"submission.json"_s, kMostDescriptionBytes);
            if (submission)
                s.submitter =
                    textOf(QJsonDocument::fromJson(submission.value()).object().value("org"_L1));
        }
        return s;
    }
    return {};
}

QString submitterInPath(const QString& path)
{
    const std::optional<Layout> layout = layoutOf(path);
    if (!layout)
        return {};
    const QStringList parts = layout->submitterDir.split(u'/', Qt::SkipEmptyParts);
    // v0.5.0/SUBMITTER/PACKAGE/results
    static const QRegularExpression kRound(u"^v\\d\\.\\d(\\.0)?$"_s);
    if (parts.size() >= 3 && kRound.match(parts[parts.size() - 3]).hasMatch())
        return parts[parts.size() - 2];
    return parts.isEmpty() ? QString() : parts.last();
}

QString benchmarkInPath(const QString& path)
{
    const std::optional<Layout> layout = layoutOf(path);
    return layout ? layout->benchmark : QString();
}

QString systemInPath(const QString& path)
{
    const std::optional<Layout> layout = layoutOf(path);
    return layout ? layout->system : QString();
}

} // namespace scalebench::imports
