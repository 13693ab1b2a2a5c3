// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell_quote.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString shellQuoted(const QString& word)
{
    static const QString kPlain =
        u"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%"_s;
    bool plain = !word.isEmpty() && !word.startsWith(u'='); // zsh: "=ls" is a program's path
    for (const QChar c : word)
        plain = plain && kPlain.contains(c);
    if (plain)
        return word;
    QString quoted = word;
    quoted.replace(u'\'', u"'\\''"_s);
    return u'\'' + quoted + u'\'';
}

QString remoteCommand(const QStringList& words)
{
    QStringList quoted;
    for (const QString& word : words)
        quoted << shellQuoted(word);
    return quoted.join(u' ');
}

} // namespace scalebench
