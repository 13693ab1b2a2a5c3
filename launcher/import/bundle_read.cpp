// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_io.h"
#include "base/staged_folder.h"
#include "bundle.h"
#include "bundle_unpack.h"
#include "import_store.h"
#include "run/imported_study.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <memory>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Runs that were imported there are imported here: into the studies where such runs are kept.
Result<BundleRead> storeRecord(const QString& dir, Library& library)
{
    const Result<QByteArray> bytes = readFileBelow(dir, u"record.json"_s, kMostFileBytes);
    if (!bytes)
        return bytes.failure();
    const Result<ImportedStudy> study = parseImportedStudy(bytes.value(), u"record.json"_s);
    if (!study)
        return study.failure();
    ImportReport report;
    ImportedFile file;
    file.kind = study.value().kind;
    file.runs = study.value().runs;
    report.files << file;
    const Result<StoreOutcome> stored = storeImports(library, report);
    if (!stored)
        return stored.failure();
    return BundleRead{stored.value().studies.value(0, study.value().id), int(file.runs.size()),
                      stored.value().stored == 0};
}

} // namespace

bool isZipFile(const QString& path)
{
    QFile file;
    return openOrdinaryFile(file, QFileInfo(path).canonicalFilePath()) &&
           file.read(4) == QByteArray("PK\x03\x04", 4);
}

Result<BundleRead> readBundle(const QString& zipFile, Library& library)
{
    const QString path = QFileInfo(zipFile).canonicalFilePath();
    Result<BundleFile> zip = BundleFile::open(path);
    if (!zip)
        return zip.failure();
    const QByteArray& manifestBytes = zip.value().manifestBytes();
    const QString sum = QString::fromLatin1(
        QCryptographicHash::hash(manifestBytes, QCryptographicHash::Sha256).toHex());
    const QString imported = library.dir() + u"/imported"_s;
    const QString id = zip.value().manifest().study.left(150) + u"-"_s + sum.left(8);
    const QString target = imported + u'/' + id;
    if (QFileInfo::exists(target))
        return BundleRead{id, 0, true};
    if (Result<void> made = makeFolder(imported); !made)
        return made.failure();
    const Result<std::unique_ptr<StagedFolder>> staged = StagedFolder::in(imported);
    if (!staged)
        return staged.failure();
    StagedFolder& unpacked = *staged.value();
    if (Result<void> whole = zip.value().unpackTo(unpacked.path()); !whole)
        return unpacked.told(whole.failure());
    if (isImportedStudy(unpacked.path()))
        return storeRecord(unpacked.path(), library);
    const Result<Study> study = loadStudy(unpacked.path());
    if (!study) { // the file is named as the person knows it
        Failure failure = study.failure();
        failure.message.replace(unpacked.path() + u'/', path + u':');
        return failure;
    }
    // Tells the library, and people, where the folder is from.
    if (Result<void> noted =
            writeFileAtomically(unpacked.path() + u"/bundle.json"_s, manifestBytes);
        !noted)
        return noted.failure();
    const int error = unpacked.becomes(id);
    if (error == ENOTEMPTY || error == EEXIST) // another import of it was first
        return BundleRead{id, 0, true};
    if (error != 0)
        return writeFailure(target, error);
    if (Result<void> listed = library.updateIndex(target); !listed)
        return listed.failure();
    return BundleRead{id, int(study.value().runs.size()), false};
}

} // namespace scalebench::imports
