// SPDX-License-Identifier: GPL-3.0-or-later
#include "preflight/bundle_archive.h"

#include "base/file_io.h"
#include "base/json_fields.h"
#include "base/translated.h"
#include "preflight/bundle_archive.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <cstring>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure bad(const QString& path, const QString& reason)
{
    return {u"bundle_invalid"_s,
            Launcher::tr("%1 is no usable engine bundle: %2").arg(path, reason)};
}

constexpr qint64 kMostUnpackedBytes = qint64(64) << 30;
constexpr int kMostEntries = 1'000'000;

/// Reads a tar stream as it comes: names, kinds and link targets of all entries, and the content of
/// the manifest.
class TarReader
{
public:
    explicit TarReader(QString path) : m_path(std::move(path)) {}

    /// False when something is wrong.
    bool feed(const QByteArray& bytes)
    {
        m_pending += bytes;
        qsizetype at = 0;
        while (!m_failed) {
            if (m_left > 0) { // content of the entry
                const qint64 n = std::min<qint64>(m_left, m_pending.size() - at);
                if (n == 0)
                    break;
                if (m_keep)
                    m_content += m_pending.mid(at, std::min(n, m_wanted - m_content.size()));
                m_left -= n;
                at += n;
                if (m_left == 0)
                    endOfEntry();
                continue;
            }
            if (m_pending.size() - at < 512)
                break;
            readHeader(m_pending.constData() + at);
            at += 512;
        }
        m_pending.remove(0, at);
        return !m_failed;
    }
    Failure failure() const { return m_failure; }
    QByteArray manifest() const { return m_manifest; }
    QString topFolder() const { return m_top; }
    qint64 unpackedBytes() const { return m_unpacked; }
    int entries() const { return m_entries; }

private:
    void fail(const QString& reason)
    {
        m_failed = true;
        m_failure = bad(m_path, reason);
    }

    static QString field(const char* at, int size)
    {
        return QString::fromUtf8(at, qsizetype(qstrnlen(at, size_t(size))));
    }

    void readHeader(const char* header)
    {
        if (std::all_of(header, header + 512, [](char c) { return c == 0; }))
            return; // the end, or padding after it
        if (std::memcmp(header + 257, "ustar", 5) != 0)
            return fail(Launcher::tr("it is not a tar archive."));
        bool ok = false;
        const qint64 size = field(header + 124, 12).trimmed().toLongLong(&ok, 8);
        if (!ok || size < 0)
            return fail(Launcher::tr("an entry has no proper size."));
        const char kind = header[156] == 0 ? '0' : header[156];
        m_kind = kind;
        m_left = (size + 511) / 512 * 512;
        m_wanted = size;
        m_content.clear();
        m_keep = false;
        if (kind == 'L' || kind == 'K') { // GNU: the next entry's long name or link target
            if (size > 4096)
                return fail(Launcher::tr("it has a name longer than 4096 bytes."));
            m_keep = true;
            return;
        }
        if (kind == 'x' || kind == 'g')
            return fail(
                Launcher::tr("it holds extended headers, which Scalebench's own bundles do not."));
        QString name = field(header, 100);
        // GNU tars keep other things where POSIX ones have the first half of a long name.
        if (std::memcmp(header + 257, "ustar\0", 6) == 0 && header[345] != 0)
            name = field(header + 345, 155) + u'/' + name;
        if (!m_longName.isEmpty())
            name = m_longName;
        const QString link = m_longLink.isEmpty() ? field(header + 157, 100) : m_longLink;
        m_longName.clear();
        m_longLink.clear();
        ++m_entries;
        if (kind == '0')
            m_unpacked += size;
        if (m_unpacked > kMostUnpackedBytes || m_entries > kMostEntries)
            return fail(Launcher::tr("it unpacks to more than any engine has."));
        checkEntry(kind, name, link);
        if (!m_failed && kind == '0' && name == m_top + u"/manifest.json"_s && size < (8 << 20))
            m_keep = true;
    }

    static bool leaves(const QString& path)
    {
        return path.startsWith(u'/') || path.split(u'/').contains(u".."_s);
    }

    void checkEntry(char kind, const QString& name, const QString& link)
    {
        if (name.isEmpty() || leaves(name))
            return fail(Launcher::tr("its entry \"%1\" lies outside of its folder.").arg(name));
        const QString top = name.section(u'/', 0, 0);
        if (m_top.isEmpty())
            m_top = top;
        if (top != m_top || top.startsWith(u'-') || top == "."_L1)
            return fail(Launcher::tr("its entries do not lie in one folder (\"%1\" and \"%2\").")
                            .arg(m_top, top));
        if (kind == '1' || kind == '2') {
            const QString folder = name.section(u'/', 0, -2);
            const QString target = kind == '2' && !link.startsWith(u'/')
                                       ? QDir::cleanPath(folder + u'/' + link)
                                       : link;
            if (leaves(target) || !target.startsWith(m_top + u'/'))
                fail(Launcher::tr("its link \"%1\" leads to \"%2\", outside of its folder.")
                         .arg(name, link));
            return;
        }
        if (kind != '0' && kind != '5')
            fail(Launcher::tr("its entry \"%1\" is neither a file nor a folder nor a link.")
                     .arg(name));
    }

    void endOfEntry()
    {
        if (!m_keep)
            return;
        if (m_kind == 'L')
            m_longName = field(m_content.constData(), int(m_content.size()));
        else if (m_kind == 'K')
            m_longLink = field(m_content.constData(), int(m_content.size()));
        else
            m_manifest = m_content;
    }

    QString m_path;
    QByteArray m_pending;
    QByteArray m_content, m_manifest;
    QString m_longName, m_longLink, m_top;
    qint64 m_left = 0, m_wanted = 0, m_unpacked = 0;
    int m_entries = 0;
    char m_kind = '0';
    bool m_keep = false, m_failed = false;
    Failure m_failure;
};

QString cachePath(const QFileInfo& file)
{
    const QByteArray key = QFile::encodeName(file.canonicalFilePath()) + '\n' +
                           QByteArray::number(file.size()) + '\n' +
                           QByteArray::number(file.lastModified().toMSecsSinceEpoch());
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           u"/scalebench/bundles/%1.json"_s.arg(QString::fromLatin1(
               QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex().left(24)));
}

QJsonObject toJson(const BundleInfo& info)
{
    return {{u"top"_s, info.topFolder},
            {u"version"_s, info.version},
            {u"content_id"_s, info.contentId},
            {u"architecture"_s, info.architecture},
            {u"minimum_glibc"_s, info.minimumGlibc},
            {u"programs"_s, QJsonArray::fromStringList(info.programs)},
            {u"sha256"_s, info.sha256},
            {u"unpacked_bytes"_s, double(info.unpackedBytes)}};
}

BundleInfo fromJson(const QJsonObject& object)
{
    BundleInfo info;
    JsonFields fields(object, {});
    info.topFolder = fields.text(u"top"_s, {});
    info.version = fields.text(u"version"_s, {});
    info.contentId = fields.text(u"content_id"_s, {});
    info.architecture = fields.text(u"architecture"_s, {});
    info.minimumGlibc = fields.text(u"minimum_glibc"_s, {});
    info.programs = fields.textList(u"programs"_s, {});
    info.sha256 = fields.text(u"sha256"_s, {});
    info.unpackedBytes = qint64(fields.number(u"unpacked_bytes"_s, 0));
    return fields.failed() ? BundleInfo() : info;
}

/// Words that become part of paths and command lines on hosts.
bool isPlainWord(const QString& word)
{
    return !word.isEmpty() && word.size() <= 64 && !word.startsWith(u'.') &&
           !word.startsWith(u'-') && std::all_of(word.begin(), word.end(), [](QChar c) {
               return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') ||
                      (c >= u'0' && c <= u'9') || c == u'.' || c == u'-' || c == u'_' || c == u'+';
           });
}

Result<BundleInfo> scan(const QString& path)
{
    QFile archive(path);
    if (!archive.open(QIODevice::ReadOnly))
        return Failure{u"bundle_missing"_s,
                       Launcher::tr("The engine bundle %1 could not be read: %2.")
                           .arg(path, systemText(archive.errorString()))};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(&archive);
    QProcess gzip;
    gzip.setStandardInputFile(path);
    gzip.start(u"gzip"_s, {u"-dc"_s});
    TarReader reader(path);
    while (gzip.waitForReadyRead(60'000))
        if (!reader.feed(gzip.readAllStandardOutput())) {
            gzip.kill();
            gzip.waitForFinished(2000);
            return reader.failure();
        }
    gzip.waitForFinished(2000);
    if (!reader.feed(gzip.readAllStandardOutput()))
        return reader.failure();
    if (gzip.exitStatus() != QProcess::NormalExit || gzip.exitCode() != 0)
        return bad(path, Launcher::tr("it is damaged or no gzip archive."));
    const Result<QJsonObject> manifest = parseJsonObject(reader.manifest(), path);
    if (reader.manifest().isEmpty() || !manifest)
        return bad(path, Launcher::tr("it has no manifest.json."));
    JsonFields fields(manifest.value(), path);
    BundleInfo info;
    info.topFolder = reader.topFolder();
    info.version = fields.text(u"version"_s, {});
    info.contentId = fields.text(u"content_id"_s, {});
    info.architecture = fields.text(u"architecture"_s, {});
    info.minimumGlibc = fields.text(u"minimum_glibc"_s, {});
    info.programs = fields.textList(u"programs"_s, {});
    info.sha256 = QString::fromLatin1(hash.result().toHex());
    info.unpackedBytes = reader.unpackedBytes();
    if (fields.text(u"format"_s, {}) != "scalebench.bundle"_L1)
        return bad(path, Launcher::tr("its manifest.json is of another kind."));
    if (fields.integer(u"format_version"_s, 0) > 1)
        return bad(path, Launcher::tr("it was made for a newer Scalebench. Update this one."));
    if (fields.failed())
        return bad(path, fields.failure().message);
    if (!isPlainWord(info.version) || !isPlainWord(info.contentId) || info.contentId.size() < 12 ||
        !isPlainWord(info.topFolder))
        return bad(path, Launcher::tr("its manifest.json lacks a version or a content_id."));
    return info;
}

} // namespace

Result<void> checkTar(const QByteArray& tar, const QString& path)
{
    TarReader reader(path);
    return reader.feed(tar) ? Result<void>() : reader.failure();
}

Result<BundleInfo> readBundle(const QString& path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return Failure{
            u"bundle_missing"_s,
            Launcher::tr(
                "There is no engine bundle %1. Make one with packaging/bundle, or take that "
                "of the release.")
                .arg(path)};
    const QString cache = cachePath(file);
    BundleInfo info;
    if (const Result<QByteArray> known = readFile(cache))
        if (const Result<QJsonObject> object = parseJsonObject(known.value(), cache))
            info = fromJson(object.value());
    if (info.version.isEmpty()) {
        const Result<BundleInfo> scanned = scan(path);
        if (!scanned)
            return scanned;
        info = scanned.value();
        if (makeFolder(QFileInfo(cache).absolutePath()))
            (void)writeJsonAtomically(cache, toJson(info));
    }
    info.path = path;
    info.bytes = file.size();
    return info;
}

QString findBundle()
{
    if (const QString given = qEnvironmentVariable("SCALEBENCH_BUNDLE"); !given.isEmpty())
        return given;
    QStringList folders;
    if (QCoreApplication::instance()) {
        const QString here = QCoreApplication::applicationDirPath();
        folders << here << here + u"/../share/scalebench"_s;
    }
    folders << QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                   u"/scalebench"_s;
    for (const QString& folder : folders) {
        const QFileInfoList found =
            QDir(folder).entryInfoList({u"scalebench-engine-*.tar.gz"_s}, QDir::Files, QDir::Time);
        if (!found.isEmpty())
            return QDir::cleanPath(found.first().absoluteFilePath());
    }
    return {};
}

} // namespace scalebench
