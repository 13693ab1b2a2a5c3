// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept, and that a file which cannot be written now holds nobody up.
#include "gui_fixture.h"
#include "settings/settings_store.h"

#include <QLockFile>
#include <QSettings>
#include <QTest>

using namespace scalebench;

class SettingsStoreTest : public QObject
{
    Q_OBJECT

    static QVariant inFile(const char* key)
    {
        QSettings file;
        file.sync();
        return file.value(QLatin1String(key));
    }

private Q_SLOTS:
    void initTestCase() { test::initGuiTest(); }

    void keepsAndRemoves()
    {
        {
            SettingsStore store;
            QCOMPARE(store.value(QStringLiteral("a/x"), 5), QVariant(5));
            store.setValue(QStringLiteral("a/x"), 1);
            store.setValue(QStringLiteral("a/y"), QStringList{QStringLiteral("p"), QString()});
            store.setValue(QStringLiteral("ab"), QByteArray("\0\xff", 2));
            store.sync();
            QCOMPARE(inFile("a/x").toInt(), 1);
            QCOMPARE(store.value(QStringLiteral("a/x")).toInt(), 1);
            store.remove(QStringLiteral("a"));
            QVERIFY(!store.value(QStringLiteral("a/x")).isValid());
            QVERIFY(!store.value(QStringLiteral("a/y")).isValid());
            store.setValue(QStringLiteral("a/z"), true);
        } // writes what is left
        QVERIFY(!inFile("a/x").isValid());
        QCOMPARE(inFile("a/z").toBool(), true);
        const SettingsStore again;
        QCOMPARE(again.value(QStringLiteral("ab")).toByteArray(), QByteArray("\0\xff", 2));
    }

    void seesWhatAnotherWindowWrote()
    {
        SettingsStore one, other;
        one.setValue(QStringLiteral("mine"), 1);
        one.sync();
        other.setValue(QStringLiteral("yours"), 2);
        other.sync();
        QCOMPARE(other.value(QStringLiteral("mine")).toInt(), 1);
        QCOMPARE(inFile("mine").toInt(), 1);
        QCOMPARE(inFile("yours").toInt(), 2);
    }

    void aFileThatCannotBeWrittenNow()
    {
        SettingsStore store;
        store.setValue(QStringLiteral("before"), 1);
        store.sync();
        const QString path = QSettings().fileName();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        QLockFile lock(path + QStringLiteral(".lock")); // as a disk that does not answer
        lock.setStaleLockTime(0);
        QVERIFY(lock.lock());
        for (int i = 0; i < 100; ++i)
            store.setValue(QStringLiteral("now"), i);
        QCOMPARE(store.value(QStringLiteral("now")).toInt(), 99);
        QVERIFY(file.seek(0));
        QCOMPARE(file.readAll(), before);
        lock.unlock();
        store.sync();
        QCOMPARE(inFile("now").toInt(), 99);
    }
};

QTEST_MAIN(SettingsStoreTest)
#include "settings_store_test.moc"
