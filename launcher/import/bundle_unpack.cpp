// SPDX-License-Identifier: GPL-3.0-or-later
#include "bundle_unpack.h"
#include "base/translated.h"

#include "base/file_io.h"
#include "base/plain_text.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QHash>

#include <archive.h>
#include <archive_entry.h>

#include <memory>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kMostManifestBytes = 64 << 20;
constexpr size_t kPiece = 1 << 20;

Failure refused(const QString& zip, const QString& why)
{
    return {u"bundle_refused"_s,
            Launcher::tr(
                "%1 is not unpacked: %2. A bundle that Scalebench wrote has nothing of the kind.")
                .arg(zip, why)};
}

Failure damaged(const QString& zip, const QString& why)
{
    return {u"bundle_damaged"_s,
            Launcher::tr("%1 is damaged: %2. Get it again from where it came.").arg(zip, why)};
}

class ZipReader
{
public:
    Result<void> open(const QString& path)
    {
        m_path = path;
        // Only zip, nothing packed in it by another program: libarchive knows dozens of formats.
        m_archive.reset(archive_read_new());
        if (!openOrdinaryFile(m_file, path))
            return Failure{u"not_readable"_s, Launcher::tr("%1 could not be read.").arg(path)};
        if (archive_read_support_format_zip_seekable(m_archive.get()) != ARCHIVE_OK ||
            archive_read_open_fd(m_archive.get(), m_file.handle(), 64 << 10) != ARCHIVE_OK)
            return damaged(path, Launcher::tr("it is no zip file that can be read"));
        return {};
    }

    /// The name of the next entry, which must be an ordinary file; empty at the end.
    Result<QString> next()
    {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(m_archive.get(), &entry);
        if (result == ARCHIVE_EOF)
            return QString();
        if (result != ARCHIVE_OK)
            return damaged(m_path, said());
        const char* raw = archive_entry_pathname(entry);
        const QString name = QString::fromUtf8(raw ? raw : "");
        const QString shown = visibleLine(name.left(200));
        if (name.isEmpty() || archive_entry_filetype(entry) != AE_IFREG ||
            archive_entry_symlink(entry) || archive_entry_hardlink(entry) ||
            archive_entry_is_encrypted(entry))
            return refused(
                m_path,
                Launcher::tr("\"%1\" in it is a link, a folder or a device, or is encrypted")
                    .arg(shown));
        if (name != "manifest.json"_L1 && !isBundleFile(name))
            return refused(m_path, Launcher::tr("it holds \"%1\"").arg(shown));
        return name;
    }

    /// What the entry holds, to `out` if there is one; no more than `most`.
    Result<BundleEntry> read(const QString& name, qint64 most, QIODevice& out)
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        QByteArray piece(qsizetype(kPiece), Qt::Uninitialized);
        qint64 bytes = 0;
        for (;;) {
            const la_ssize_t n = archive_read_data(m_archive.get(), piece.data(), kPiece);
            if (n == 0)
                break;
            if (n < 0)
                return damaged(m_path,
                               Launcher::tr("\"%1\" cannot be unpacked (%2)").arg(name, said()));
            bytes += n;
            if (bytes > most)
                return refused(m_path,
                               Launcher::tr("\"%1\" is larger than its manifest says").arg(name));
            hash.addData(QByteArrayView(piece.constData(), n));
            if (out.write(piece.constData(), n) != n)
                return Failure{u"disk_full"_s,
                               Launcher::tr("%1 could not be unpacked: %2. Free some space.")
                                   .arg(m_path, systemText(out.errorString()))};
        }
        return BundleEntry{name, bytes, QString::fromLatin1(hash.result().toHex())};
    }

private:
    QString said() const
    {
        return visibleLine(QString::fromUtf8(archive_error_string(m_archive.get())));
    }
    struct Free {
        void operator()(archive* a) const { archive_read_free(a); }
    };
    QString m_path;
    QFile m_file;
    std::unique_ptr<archive, Free> m_archive;
};

Result<BundleManifest> readManifest(ZipReader& zip, const QString& path, QByteArray& bytes)
{
    const Result<QString> name = zip.next();
    if (!name && name.failure().code != "bundle_refused"_L1)
        return name.failure();
    if (!name || name.value() != "manifest.json"_L1)
        return Failure{u"bundle_refused"_s,
                       Launcher::tr("%1 is a zip file, but no bundle of Scalebench, which begins "
                                    "with manifest.json. To import logs in it, unpack it and give "
                                    "the folder.")
                           .arg(path)};
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const Result<BundleEntry> entry = zip.read(name.value(), kMostManifestBytes, buffer);
    if (!entry)
        return entry.failure();
    return parseManifest(bytes, path + u":manifest.json"_s);
}

/// Every file of the manifest, with its size and checksum, into the new folder `dir`.
Result<void> unpack(ZipReader& zip, const QString& path, const BundleManifest& manifest,
                    const QString& dir)
{
    QHash<QString, BundleEntry> missing;
    for (const BundleEntry& file : manifest.files)
        missing.insert(file.path, file);
    for (;;) {
        const Result<QString> name = zip.next();
        if (!name)
            return name.failure();
        if (name.value().isEmpty())
            break;
        if (!missing.contains(name.value()))
            return refused(
                path,
                Launcher::tr("\"%1\" is not in its manifest, or is in it twice").arg(name.value()));
        const BundleEntry expected = missing.take(name.value());
        const QString target = dir + u'/' + expected.path;
        if (Result<void> made = makeFolder(QFileInfo(target).absolutePath()); !made)
            return made;
        QFile out(target);
        if (!out.open(QIODevice::WriteOnly | QIODevice::NewOnly))
            return Failure{u"not_writable"_s, Launcher::tr("%1 could not be written: %2.")
                                                  .arg(target, systemText(out.errorString()))};
        const Result<BundleEntry> read = zip.read(expected.path, expected.bytes, out);
        if (!read)
            return read.failure();
        if (read.value().bytes != expected.bytes || read.value().sha256 != expected.sha256)
            return damaged(
                path, Launcher::tr("\"%1\" has another size or checksum than its manifest says")
                          .arg(expected.path));
    }
    if (!missing.isEmpty())
        return damaged(
            path,
            Launcher::tr("\"%1\" is in its manifest but not in it").arg(missing.begin().key()));
    return {};
}

} // namespace

struct BundleFile::Private {
    QString path;
    ZipReader zip;
    BundleManifest manifest;
    QByteArray manifestBytes;
};

BundleFile::BundleFile() : d(std::make_unique<Private>()) {}
BundleFile::~BundleFile() = default;
BundleFile::BundleFile(BundleFile&&) noexcept = default;
BundleFile& BundleFile::operator=(BundleFile&&) noexcept = default;

Result<BundleFile> BundleFile::open(const QString& path)
{
    BundleFile file;
    file.d->path = path;
    if (Result<void> opened = file.d->zip.open(path); !opened)
        return opened.failure();
    const Result<BundleManifest> manifest = readManifest(file.d->zip, path, file.d->manifestBytes);
    if (!manifest)
        return manifest.failure();
    file.d->manifest = manifest.value();
    return file;
}

const BundleManifest& BundleFile::manifest() const
{
    return d->manifest;
}

const QByteArray& BundleFile::manifestBytes() const
{
    return d->manifestBytes;
}

Result<void> BundleFile::unpackTo(const QString& dir)
{
    return unpack(d->zip, d->path, d->manifest, dir);
}

} // namespace scalebench::imports
