// SPDX-License-Identifier: GPL-3.0-or-later
// What a bundle may hold.
#include "base/translated.h"
#include "bundle.h"

#include "base/checked_names.h"
#include "base/json_fields.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

static constexpr int kMostFiles = 400'000;
static constexpr qint64 kMostBytes = qint64(8) << 30;
static constexpr qint64 kMostOfOne = qint64(2) << 30;

bool isBundleFile(const QString& path)
{
    static const QStringList kTop{u"study.json"_s, u"plan.json"_s,  u"record.json"_s,
                                  u"runs.csv"_s,   u"curves.csv"_s, u"speedup.csv"_s};
    static const QStringList kOfRun{u"run.json"_s, u"status.json"_s, u"system.json"_s,
                                    u"result_0.txt"_s};
    const QStringList parts = path.split(u'/');
    if (parts.size() == 1)
        return kTop.contains(path);
    return parts.size() == 3 && parts[0] == "runs"_L1 && RunId::parse(parts[1]).ok() &&
           kOfRun.contains(parts[2]);
}

Result<BundleManifest> parseManifest(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), fileName);
    f.checkFormat(u"scalebench.bundle"_s, 1);
    BundleManifest manifest;
    manifest.study = f.text(u"study"_s, {});
    if (const Result<StudyId> id = StudyId::parse(manifest.study); !id)
        f.fail(id.failure().code, u"%1: \"study\": %2"_s.arg(fileName, id.failure().message));
    manifest.createdMs = f.integer(u"created_ms"_s, 0);
    manifest.anonymous = f.boolean(u"anonymous"_s, false);
    const QJsonArray files = f.object().value("files"_L1).toArray();
    if (files.isEmpty() || files.size() > kMostFiles)
        f.fail(
            u"out_of_range"_s,
            Launcher::tr("%1: \"files\" must list 1 to %2 files.").arg(fileName).arg(kMostFiles));
    static const QRegularExpression kSum(u"^[0-9a-f]{64}$"_s);
    QSet<QString> seen;
    qint64 total = 0;
    for (const QJsonValue& value : files) {
        JsonFields entry(value.toObject(), fileName, u"files"_s);
        const BundleEntry file{entry.line(u"path"_s, {}), entry.integer(u"bytes"_s, -1),
                               entry.line(u"sha256"_s, {})};
        f.take(entry);
        if (!isBundleFile(file.path) || seen.contains(file.path))
            f.fail(u"bundle_refused"_s,
                   Launcher::tr("%1: \"%2\" is no file of a bundle, or is listed twice.")
                       .arg(fileName, file.path.left(200)));
        else if (file.bytes < 0 || file.bytes > kMostOfOne || total + file.bytes > kMostBytes)
            f.fail(u"bundle_refused"_s,
                   Launcher::tr("%1: the files are larger than a bundle's may be (%2 GiB).")
                       .arg(fileName)
                       .arg(kMostBytes >> 30));
        else if (!kSum.match(file.sha256).hasMatch())
            f.fail(u"wrong_type"_s,
                   Launcher::tr("%1: \"%2\" has no SHA-256 checksum.").arg(fileName, file.path));
        if (f.failed())
            break;
        total += file.bytes;
        seen.insert(file.path);
        manifest.files << file;
    }
    if (f.failed())
        return f.failure();
    return manifest;
}

} // namespace scalebench::imports
