// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of the protocol that a folder is followed by: frames, paths, marks of files.
#include "mirror_fixture.h"

#include "mirror/folder_mirror.h"

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class FolderProtocolTest : public MirrorFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void framesAtEveryCut()
    {
        const QByteArray payload = noise(300);
        const QByteArray bytes = frame({{u"is"_s, u"data"_s}, {u"bytes"_s, 300}}, payload) +
                                 frame({{u"is"_s, u"größe\n\"'"_s}}) +
                                 frame({{u"is"_s, u"data"_s}, {u"bytes"_s, 0}});
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            FrameReader reader;
            QList<QByteArray> payloads;
            QStringList names;
            QJsonObject head;
            QByteArray part;
            for (const QByteArray& piece : {bytes.first(cut), bytes.mid(cut)}) {
                reader.feed(piece);
                while (reader.next(head, part)) {
                    payloads << part;
                    names << head.value("is"_L1).toString();
                }
            }
            QVERIFY(!reader.damaged());
            QCOMPARE(payloads, (QList<QByteArray>{payload, {}, {}}));
            QCOMPARE(names, (QStringList{u"data"_s, u"größe\n\"'"_s, u"data"_s}));
        }
    }
    void damagedFrames_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("Welcome to the cluster!\n");
        QTest::newRow("array") << QByteArray("[1,2]\n");
        QTest::newRow("empty line") << QByteArray("\n");
        QTest::newRow("negative") << QByteArray("{\"bytes\":-1}\n");
        QTest::newRow("huge") << QByteArray("{\"bytes\":9000000000000000000}\n");
        QTest::newRow("large") << QByteArray("{\"bytes\":67108865}\n");
        QTest::newRow("endless") << QByteArray((64 << 20) + 1, 'x');
        QTest::newRow("zeroes") << QByteArray("\0\0\0\n", 4);
        QTest::newRow("deep") << QByteArray(100'000, '[') + '\n';
    }
    void damagedFrames()
    {
        QFETCH(QByteArray, bytes);
        FrameReader reader;
        reader.feed(bytes);
        QJsonObject head;
        QByteArray payload;
        QVERIFY(!reader.next(head, payload));
        QVERIFY(reader.damaged());
    }

    void paths_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("safe");
        for (const char* path : {"a", "runs/a/result_0.txt", "..a", "a..", "a b/'\"", "é", "-rf"})
            QTest::newRow(path) << QString::fromUtf8(path) << true;
        for (const char* path : {"", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", "a//b",
                                 "a/", "./a", "a/./b", "a\nb", "a\tb", "\x7f"})
            QTest::newRow(path) << QString::fromUtf8(path) << false;
        QTest::newRow("nul") << QString(u"a\0b"_s) << false;
    }
    void paths()
    {
        QFETCH(QString, path);
        QFETCH(bool, safe);
        QCOMPARE(isSafePath(path), safe);
    }

    void marks()
    {
        const QString path = m_folder->filePath(u"f"_s);
        write(path, "abc");
        QCOMPARE(markOf(path).bytes, 3);
        QCOMPARE(markOf(path).sha256,
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QCOMPARE(markOf(path, 1).sha256,
                 "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
        QVERIFY(markOf(path, 4).sha256.isEmpty());
        QVERIFY(markOf(m_folder->filePath(u"none"_s)).sha256.isEmpty());
        QVERIFY(markOf(m_folder->path()).sha256.isEmpty());
    }
};

QTEST_GUILESS_MAIN(FolderProtocolTest)
#include "folder_protocol_test.moc"
