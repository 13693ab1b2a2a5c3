// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/host_names.h"

#include "base/translated.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool hasControlCharacters(const QString& text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) {
        return c.category() == QChar::Other_Control || c == QChar::LineSeparator ||
               c == QChar::ParagraphSeparator;
    });
}

QString printable(const QString& text)
{
    QString shown;
    for (const QChar c : text.left(80))
        shown += hasControlCharacters(c) ? u"\\x%1"_s.arg(int(c.unicode()), 2, 16, QChar(u'0'))
                                         : QString(c);
    return text.size() > 80 ? shown + u'…' : shown;
}

static Failure badHost(const QString& what, const QString& name, const QString& reason)
{
    return {u"host_name_invalid"_s,
            Launcher::tr("\"%1\" cannot be %2: %3").arg(printable(name), what, reason)};
}

/// Letters, digits, ".", "_", "-" (neither "." nor "-" first) and `others`. Called for each of up
/// to 65536 hosts.
static bool isWord(QStringView text, QStringView others)
{
    const auto fits = [&](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') ||
               c == u'.' || c == u'_' || c == u'-' || others.contains(c);
    };
    return !text.isEmpty() && !text.startsWith(u'-') && !text.startsWith(u'.') &&
           std::all_of(text.begin(), text.end(), fits);
}

static Result<void> checkName(const QString& name, const QString& what, const QString& allowed)
{
    if (name.isEmpty())
        return Failure{u"host_name_invalid"_s, Launcher::tr("The name of %1 is empty.").arg(what)};
    if (name.startsWith(u'-'))
        return badHost(what, name,
                       Launcher::tr("it begins with \"-\", which ssh takes for an option."));
    if (name.size() > 255)
        return badHost(what, name, Launcher::tr("it is longer than 255 characters."));
    QString host = name;
    if (const qsizetype at = name.lastIndexOf(u'@'); at >= 0) {
        host = name.mid(at + 1);
        if (!isWord(QStringView(name).left(at), {}))
            return badHost(what, name,
                           Launcher::tr("the user before \"@\" may have letters, digits, \".\", "
                                        "\"-\" and \"_\" only."));
    }
    if (!isWord(host, allowed))
        return badHost(
            what, name,
            Launcher::tr("host names have letters, digits, \".\", \"-\" and \"_\" only, and do not "
                         "begin with \".\". For a host with another name write an alias of the ssh "
                         "config."));
    return {};
}

Result<void> checkHostName(const QString& name)
{
    if (name.count(u':') > 1)
        return Failure{
            u"host_ipv6"_s,
            Launcher::tr("\"%1\" is an IPv6 address, which Open MPI does not accept in host lists. "
                         "Write the host's name, or an alias of the ssh config.")
                .arg(printable(name))};
    return checkName(name, u"a host"_s, {});
}

Result<void> checkDestination(const QString& name, const QString& what)
{
    return checkName(name, what, u":%"_s);
}

Result<void> checkJumpHosts(const QString& text)
{
    for (const QString& word : text.split(u','))
        if (Result<void> ok = checkName(word, Launcher::tr("a jump host"), u":%[]"_s); !ok)
            return ok;
    return {};
}

Result<void> checkPath(const QString& path, const QString& what)
{
    if (hasControlCharacters(path))
        return Failure{
            u"path_invalid"_s,
            Launcher::tr("The %1 \"%2\" holds a line break or another control character.")
                .arg(what, printable(path))};
    if (path.startsWith(u'-'))
        return Failure{u"path_invalid"_s,
                       Launcher::tr("The %1 \"%2\" begins with \"-\"; write ./ before it, or "
                                    "the whole path.")
                           .arg(what, printable(path))};
    if (path.toUtf8().size() > 1000)
        return Failure{
            u"path_invalid"_s,
            Launcher::tr("The %1 \"%2\" is longer than 1000 bytes.").arg(what, printable(path))};
    return {};
}

} // namespace scalebench
