// SPDX-License-Identifier: GPL-3.0-or-later
// Any part of a gzip file by itself, from any number of threads, against what was packed; cut off
// and changed files are refused with their place.

#include "engine/data/gzip_file.h"
#include "engine/data/hash_random.h"
#include "engine/data/parallel.h"
#include "kernels/check.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

#include <atomic>

using namespace scalebench;
using data::GzipFile;

namespace {

/// Some of it packs well, some not at all, so that blocks are of every kind.
std::vector<uint8_t> mixed(size_t bytes)
{
    std::vector<uint8_t> all(bytes);
    data::HashRandom random({7});
    for (size_t i = 0; i < bytes; ++i)
        all[i] = (i >> 17) % 3 == 0 ? uint8_t(random.below(256)) : uint8_t(i / 97 % 251);
    return all;
}

void pack(const QString& path, std::span<const uint8_t> bytes, int level, const char* mode = "wb")
{
    const gzFile out = gzopen(path.toUtf8().constData(), mode);
    QVERIFY(out != nullptr);
    gzsetparams(out, level, Z_DEFAULT_STRATEGY);
    QCOMPARE(gzwrite(out, bytes.data(), unsigned(bytes.size())), int(bytes.size()));
    QCOMPARE(gzclose(out), Z_OK);
}

std::vector<uint8_t> readThrough(GzipFile& file)
{
    std::vector<uint8_t> all, piece(70001);
    while (const size_t got = file.readOn(piece))
        all.insert(all.end(), piece.begin(), piece.begin() + std::ptrdiff_t(got));
    return all;
}

std::string refusal(const QString& path)
{
    try {
        GzipFile file(path.toStdString());
        readThrough(file);
    } catch (const InvalidArgument& e) {
        return e.code() == "data_damaged" ? e.what() : "wrong code " + e.code();
    }
    return {};
}

} // namespace

class GzipFileTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }

private slots:
    void anyPartIsReadByItself_data()
    {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("members");
        for (const int level : {0, 1, 6, 9})
            QTest::addRow("level %d", level) << level << 1;
        QTest::addRow("three files in one") << 6 << 3;
    }
    void anyPartIsReadByItself()
    {
        QFETCH(const int, level);
        QFETCH(const int, members);
        const std::vector<uint8_t> all = mixed(size_t{9} << 20);
        const QString name = path("some.gz");
        QFile::remove(name);
        const size_t each = all.size() / size_t(members);
        for (int m = 0; m < members; ++m)
            pack(name, std::span(all).subspan(size_t(m) * each, each), level, "ab");
        GzipFile file(name.toStdString());
        QVERIFY(readThrough(file) == all);
        QCOMPARE(file.packedPosition(), QFile(name).size());
        QCOMPARE(file.bytesFetched(), QFile(name).size());
        std::atomic<int> wrong = 0;
        data::parallelFor(400, 3, [&](int64_t i) {
            data::HashRandom random({uint64_t(level), uint64_t(i)});
            const auto from = random.below(uint32_t(all.size()));
            const auto size = random.below(std::min(300000u, uint32_t(all.size() - from)) + 1);
            std::vector<uint8_t> part(size);
            file.read(from, part);
            wrong += std::equal(part.begin(), part.end(), all.begin() + from) ? 0 : 1;
        });
        QCOMPARE(wrong.load(), 0);
    }

    /// What a part costs is that of the way from the place before it, not of the whole file.
    void aPartCostsWhatLiesBeforeItSinceThePlace()
    {
        const std::vector<uint8_t> all = mixed(size_t{24} << 20);
        const QString name = path("large.gz");
        pack(name, all, 6);
        GzipFile file(name.toStdString());
        readThrough(file);
        for (const int64_t from : {int64_t{1000}, int64_t{11} << 20, int64_t{23} << 20}) {
            const int64_t before = file.bytesFetched();
            std::vector<uint8_t> part(5000);
            file.read(from, part);
            QVERIFY(std::equal(part.begin(), part.end(), all.begin() + from));
            const int64_t fetched = file.bytesFetched() - before;
            QVERIFY2(fetched < int64_t{2} << 20, qPrintable(QString::number(fetched)));
            const int64_t told = file.packedBytes(from, 5000);
            QVERIFY(told > 0 && told <= fetched + (1 << 16));
        }
    }

    void damageIsToldWithItsPlace()
    {
        const QString name = path("damaged.gz");
        pack(name, mixed(size_t{3} << 20), 6);
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray good = file.readAll();
        const auto write = [&](const QByteArray& bytes) {
            QFile out(name);
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
        };
        write(good.left(good.size() / 2));
        QVERIFY(refusal(name).find("it ends at byte " + std::to_string(good.size() / 2)) !=
                std::string::npos);
        write(good.left(good.size() - 3));
        QVERIFY(!refusal(name).empty());
        QByteArray changed = good;
        changed[changed.size() - 6] = char(changed[changed.size() - 6] ^ 1); // of the checksum
        write(changed);
        QVERIFY(refusal(name).find("is damaged at byte ") != std::string::npos);
        write(good + QByteArray(1000, '\0')); // filling, as tapes and disks have it
        QCOMPARE(refusal(name), std::string());
    }
};

QTEST_GUILESS_MAIN(GzipFileTest)
#include "gzip_file_test.moc"
