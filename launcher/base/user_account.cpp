// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/user_account.h"

#include <QFile>

#include <pwd.h>
#include <unistd.h>

namespace scalebench {

QString userName()
{
    const passwd* account = ::getpwuid(::geteuid());
    return account ? QFile::decodeName(account->pw_name) : QString::number(::geteuid());
}

void setMissingHome()
{
    if (!qEnvironmentVariableIsEmpty("HOME"))
        return;
    if (const passwd* account = ::getpwuid(::geteuid()))
        qputenv("HOME", account->pw_dir);
}

} // namespace scalebench
