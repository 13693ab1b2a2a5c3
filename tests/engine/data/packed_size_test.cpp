// SPDX-License-Identifier: GPL-3.0-or-later
// What packed files unpack to, told before; and tars that are too large to hold, refused before.
#include "engine/data/file_source.h"
#include "engine/data/fixtures.h"
#include "engine/data/packed_size.h"
#include "kernels/check.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::data;
using namespace scalebench::test;

namespace {

Bytes bytesOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll();
    return Bytes(bytes.begin(), bytes.end());
}

Bytes repeated(const Bytes& bytes, int times)
{
    Bytes all;
    for (int i = 0; i < times; ++i)
        all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
}

/// Why a tar is not listed; empty where it is.
std::string refusalOf(const std::string& path)
{
    try {
        listFiles(path, [](const std::string&) { return true; });
        return {};
    } catch (const InvalidArgument& e) {
        return e.code() + ": " + e.what();
    }
}

} // namespace

class PackedSizeTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    std::string path(const char* name) const
    {
        return dir_.filePath(QString::fromLatin1(name)).toStdString();
    }

private slots:
    void xzTellsAll()
    {
        const Bytes bytes(300'000, 'a');
        if (!writePacked(path("a.xz"), bytes, "xz"))
            QSKIP("libarchive has no xz here");
        const PackedSize size = packedSize(path("a.xz"));
        QCOMPARE(QByteArray(size.with), QByteArray("xz"));
        QCOMPARE(size.leastBytes, std::int64_t(bytes.size()));
        // Several streams behind one another, with padding, are one file.
        Bytes three = repeated(bytesOf(path("a.xz")), 3);
        three.insert(three.end(), 8, 0);
        writeBytes(path("three.xz"), three);
        QCOMPARE(packedSize(path("three.xz")).leastBytes, std::int64_t(3 * bytes.size()));
        // A damaged end tells nothing: the file's own size is left.
        Bytes damaged = bytesOf(path("a.xz"));
        damaged[damaged.size() - 15] ^= 1;
        writeBytes(path("damaged.xz"), damaged);
        QCOMPARE(packedSize(path("damaged.xz")).leastBytes, std::int64_t(damaged.size()));
        for (std::size_t length : {std::size_t(7), std::size_t(20), damaged.size() / 2}) {
            damaged.resize(length);
            writeBytes(path("cut.xz"), damaged);
            QCOMPARE(packedSize(path("cut.xz")).leastBytes, std::int64_t(length));
        }
    }

    void zstdTellsOfTheFirstFrame()
    {
        Bytes frame{0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0x40, 1, 0, 0, 0}; // 5 GiB
        frame.resize(40);
        writeBytes(path("a.tar.zst"), frame);
        QCOMPARE(QByteArray(packedSize(path("a.tar.zst")).with), QByteArray("zstd"));
        QCOMPARE(packedSize(path("a.tar.zst")).leastBytes, std::int64_t(5) << 30);
        const std::string refusal = refusalOf(path("a.tar.zst"));
        QVERIFY2(refusal.starts_with("unsupported: " + path("a.tar.zst")) &&
                     refusal.find("more than 2 GiB") != std::string::npos,
                 refusal.c_str());
        frame[4] = 0x60; // two bytes and 256
        frame[5] = 0x10;
        writeBytes(path("b.tar.zst"), frame);
        QCOMPARE(packedSize(path("b.tar.zst")).leastBytes, std::int64_t(256 + 0x10));
        frame[4] = 0x00; // nothing told
        writeBytes(path("c.tar.zst"), frame);
        QCOMPARE(packedSize(path("c.tar.zst")).leastBytes, std::int64_t(frame.size()));
    }

    void othersAreNotPackedSo()
    {
        writeTar(path("plain.tar"), {{"a.txt", {1, 2, 3}}}, false);
        writeTar(path("gzip.tar.gz"), {{"a.txt", {1, 2, 3}}}, true);
        for (const char* name : {"plain.tar", "gzip.tar.gz", "missing.tar"}) {
            QVERIFY(packedSize(path(name)).with == nullptr);
            QCOMPARE(packedSize(path(name)).leastBytes, 0);
        }
        writeBytes(path("empty.tar.xz"), {});
        QCOMPARE(packedSize(path("empty.tar.xz")).leastBytes, 0);
    }

    void smallOnesAreHeld()
    {
        writeTar(path("held.tar"), {{"a.txt", {1, 2, 3}}, {"b.txt", {4}}}, false);
        for (const char* with : {"xz", "zstd", "bzip2"}) {
            if (!writePacked(path("held.tar.xz"), bytesOf(path("held.tar")), with))
                continue;
            const auto files =
                listFiles(path("held.tar.xz"), [](const std::string&) { return true; }).files;
            QCOMPARE(files.size(), std::size_t(2));
            QCOMPARE(files[0].read(), (Bytes{1, 2, 3}));
            QCOMPARE(files[1].read(), (Bytes{4}));
        }
    }

    /// None of these is a tar that could be read: it is refused before anybody tries.
    void largeOnesAreRefusedFirst()
    {
        QFile holes(QString::fromStdString(path("large.tar.bz2")));
        QVERIFY(holes.open(QIODevice::WriteOnly) && holes.write("BZh9") == 4 &&
                holes.resize(qint64(3) << 30));
        holes.close();
        std::string refusal = refusalOf(path("large.tar.bz2"));
        QVERIFY2(refusal.find("packed with bzip2") != std::string::npos, refusal.c_str());
        if (!writePacked(path("zeros.xz"), Bytes(std::size_t(64) << 20), "xz"))
            QSKIP("libarchive has no xz here");
        writeBytes(path("large.tar.xz"), repeated(bytesOf(path("zeros.xz")), 33));
        QCOMPARE(packedSize(path("large.tar.xz")).leastBytes, std::int64_t(33) << 26);
        refusal = refusalOf(path("large.tar.xz"));
        QVERIFY2(refusal.starts_with("unsupported: ") &&
                     refusal.find("packed with xz") != std::string::npos &&
                     refusal.find("gzip") != std::string::npos,
                 refusal.c_str());
    }
};

QTEST_GUILESS_MAIN(PackedSizeTest)
#include "packed_size_test.moc"
