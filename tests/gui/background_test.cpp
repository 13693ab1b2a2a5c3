// SPDX-License-Identifier: GPL-3.0-or-later
// Work off the window's thread, when the window is closed and the program ends.
#include "work/background.h"

#include <QApplication>
#include <QSemaphore>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace scalebench;

class BackgroundTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// A library that is still read when the program ends: its database opens all the same.
    void endsBeforeTheApplication()
    {
        const QTemporaryDir folder;
        QSemaphore begun;
        bool sawApplication = false, sawDatabase = false, told = false;
        {
            int argc = 1;
            QByteArray name("background_test");
            char* argv[] = {name.data(), nullptr};
            QApplication app(argc, argv);
            QObject window;
            inBackground(
                &window,
                [&, path = folder.filePath(QStringLiteral("index.sqlite"))] {
                    begun.release();
                    QThread::msleep(300); // a slow disk: the application is on its way out
                    sawApplication = QCoreApplication::instance() != nullptr;
                    if (sawApplication) {
                        QSqlDatabase database = QSqlDatabase::addDatabase(
                            QStringLiteral("QSQLITE"), QStringLiteral("background"));
                        database.setDatabaseName(path);
                        sawDatabase = database.open() && QSqlQuery(database).exec(
                                                             QStringLiteral("CREATE TABLE t (x)"));
                    }
                    QSqlDatabase::removeDatabase(QStringLiteral("background"));
                    return 0;
                },
                [&](int) { told = true; });
            begun.acquire();
        }
        QVERIFY(sawApplication);
        QVERIFY(sawDatabase);
        QVERIFY(!told); // its owner had died
    }
};

QTEST_APPLESS_MAIN(BackgroundTest)
#include "background_test.moc"
