// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/user_account.h"

#include <QTest>

#include <pwd.h>
#include <unistd.h>

using namespace scalebench;

class UserAccountTest : public QObject
{
    Q_OBJECT
private slots:
    /// As a service is started, without USER and HOME.
    void withoutAnEnvironment()
    {
        const passwd* account = ::getpwuid(::geteuid());
        if (!account)
            QSKIP("this account has no name");
        qunsetenv("USER");
        qunsetenv("HOME");
        QCOMPARE(userName(), QString::fromUtf8(account->pw_name));
        setMissingHome();
        QCOMPARE(qgetenv("HOME"), QByteArray(account->pw_dir));
    }

    void theEnvironmentsHomeStays()
    {
        qputenv("HOME", "/elsewhere");
        setMissingHome();
        QCOMPARE(qgetenv("HOME"), QByteArray("/elsewhere"));
    }
};

QTEST_GUILESS_MAIN(UserAccountTest)
#include "user_account_test.moc"
