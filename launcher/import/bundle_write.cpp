// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/result_files.h"
#include "anonymise.h"
#include "base/file_io.h"
#include "base/translated.h"
#include "bundle.h"
#include "run/imported_study.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <unistd.h>
#include <utility>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

struct File {
    QString name;
    QByteArray bytes;
};

/// One entry after the other into a new file beside the target, renamed at the end.
class ZipWriter
{
public:
    ~ZipWriter()
    {
        m_archive.reset();
        if (m_fd >= 0)
            ::close(m_fd);
        if (!m_temporary.isEmpty())
            ::unlink(m_temporary.constData());
    }

    Result<void> open(const QString& path)
    {
        m_path = path;
        m_temporary = QFile::encodeName(path) + ".tmp" + QByteArray::number(qint64(::getpid()));
        m_fd = ::open(m_temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      0666);
        if (m_fd < 0) {
            const int error = errno;
            m_temporary.clear();
            return writeFailure(path, error);
        }
        m_archive.reset(archive_write_new());
        if (archive_write_set_format_zip(m_archive.get()) != ARCHIVE_OK ||
            archive_write_open_fd(m_archive.get(), m_fd) != ARCHIVE_OK)
            return failure();
        return {};
    }

    Result<void> add(const File& file)
    {
        const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                             archive_entry_free);
        archive_entry_set_pathname(entry.get(), file.name.toUtf8().constData());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), file.bytes.size());
        if (archive_write_header(m_archive.get(), entry.get()) != ARCHIVE_OK ||
            archive_write_data(m_archive.get(), file.bytes.constData(),
                               size_t(file.bytes.size())) != la_ssize_t(file.bytes.size()))
            return failure();
        return {};
    }

    Result<void> close()
    {
        if (archive_write_close(m_archive.get()) != ARCHIVE_OK)
            return failure();
        m_archive.reset();
        if (::close(std::exchange(m_fd, -1)) != 0 ||
            ::rename(m_temporary.constData(), QFile::encodeName(m_path).constData()) != 0)
            return writeFailure(m_path, errno);
        m_temporary.clear();
        return {};
    }

private:
    Failure failure() const { return writeFailure(m_path, archive_errno(m_archive.get())); }

    struct Free {
        void operator()(archive* a) const { archive_write_free(a); }
    };
    std::unique_ptr<archive, Free> m_archive;
    QString m_path;
    QByteArray m_temporary;
    int m_fd = -1;
};

/// The files of a study that a bundle holds, read one at a time.
QStringList filesOf(const Study& study, bool imported)
{
    if (imported)
        return {u"record.json"_s};
    QStringList names{u"study.json"_s, u"plan.json"_s};
    for (const RunRecord& run : study.runs)
        for (const char* name : {"run.json", "status.json", "system.json", "result_0.txt"}) {
            const QString path = u"runs/%1/%2"_s.arg(run.config.runId, QString::fromLatin1(name));
            if (isBundleFile(path) && QFileInfo::exists(study.dir + u'/' + path))
                names << path;
        }
    return names;
}

QByteArray manifestJson(const BundleManifest& manifest)
{
    QJsonArray files;
    for (const BundleEntry& file : manifest.files)
        files << QJsonObject{
            {u"path"_s, file.path}, {u"bytes"_s, file.bytes}, {u"sha256"_s, file.sha256}};
    return QJsonDocument(QJsonObject{{u"format"_s, u"scalebench.bundle"_s},
                                     {u"version"_s, 1},
                                     {u"study"_s, manifest.study},
                                     {u"created_ms"_s, manifest.createdMs},
                                     {u"anonymous"_s, manifest.anonymous},
                                     {u"files"_s, files}})
        .toJson();
}

QString sha256Of(const QByteArray& bytes)
{
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

} // namespace

Result<BundleWritten> writeBundle(const QString& studyDir, const QString& outFile, bool anonymous)
{
    if (QFileInfo::exists(outFile))
        return Failure{u"file_exists"_s,
                       Launcher::tr("%1 is there already. Choose another name.").arg(outFile)};
    const Result<Study> study = loadStudy(studyDir);
    if (!study)
        return study.failure();
    const bool imported = isImportedStudy(studyDir);
    Anonymiser anonymiser(study.value());
    BundleManifest manifest;
    manifest.study = anonymous ? anonymiser.studyId() : study.value().id;
    manifest.createdMs = QDateTime::currentMSecsSinceEpoch();
    manifest.anonymous = anonymous;
    // Twice over the files: the manifest comes first, so that a reader knows what must follow.
    const auto content = [&](const QString& name) -> Result<File> {
        const Result<QByteArray> bytes = readFileBelow(studyDir, name, qint64(1) << 30);
        if (!bytes)
            return bytes.failure();
        return File{name, anonymous ? anonymiser.file(name, bytes.value()) : bytes.value()};
    };
    BundleWritten written{outFile, 0, 0};
    const QStringList names = filesOf(study.value(), imported);
    for (const QString& name : names) {
        const Result<File> file = content(name);
        if (!file)
            return file.failure();
        manifest.files << BundleEntry{name, file.value().bytes.size(),
                                      sha256Of(file.value().bytes)};
        written.bytes += file.value().bytes.size();
    }
    written.files = int(names.size());
    ZipWriter zip;
    if (Result<void> r = zip.open(outFile); !r)
        return r.failure();
    if (Result<void> r = zip.add({u"manifest.json"_s, manifestJson(manifest)}); !r)
        return r.failure();
    for (qsizetype i = 0; i < names.size(); ++i) {
        const Result<File> file = content(names[i]);
        if (!file)
            return file.failure();
        if (sha256Of(file.value().bytes) != manifest.files[i].sha256)
            return Failure{
                u"bundle_changed"_s,
                Launcher::tr("%1 changed while it was packed. Wait for the study to end.")
                    .arg(names[i])};
        if (Result<void> r = zip.add(file.value()); !r)
            return r.failure();
    }
    if (Result<void> r = zip.close(); !r)
        return r.failure();
    return written;
}

} // namespace scalebench::imports
