// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/checked_names.h"

#include "base/host_names.h"
#include "base/translated.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static bool isAsciiLetterOrDigit(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

static Result<void> checkFolderName(const QString& text, const QString& what)
{
    const bool allowed = std::all_of(text.begin(), text.end(), [](QChar c) {
        return isAsciiLetterOrDigit(c) || u"._-+=,"_s.contains(c);
    });
    if (!text.isEmpty() && text.size() <= 200 && allowed && isAsciiLetterOrDigit(text.front()))
        return {};
    return Failure{
        u"name_invalid"_s,
        Launcher::tr("\"%1\" is not %2: such a name has 1 to 200 letters (a to z), digits and "
                     "._-+=, and begins with a letter or a digit.")
            .arg(printable(text), what)};
}

Result<void> RunIdRule::check(const QString& text)
{
    return checkFolderName(text, u"a run's name"_s);
}

Result<void> StudyIdRule::check(const QString& text)
{
    return checkFolderName(text, u"a study's name"_s);
}

Result<void> HostNameRule::check(const QString& text)
{
    return checkHostName(text);
}

Result<void> RemotePathRule::check(const QString& text)
{
    if (Result<void> ok = checkPath(text, u"folder"_s); !ok)
        return ok;
    if (!text.startsWith(u'/') && text != "~"_L1 && !text.startsWith("~/"_L1))
        return Failure{
            u"path_invalid"_s,
            Launcher::tr("The folder \"%1\" must begin with / or ~/.").arg(printable(text))};
    if (text.split(u'/').contains(u".."_s))
        return Failure{
            u"path_invalid"_s,
            Launcher::tr("The folder \"%1\" may not have \"..\" in it.").arg(printable(text))};
    return {};
}

Result<void> JobIdRule::check(const QString& text)
{
    const bool digits =
        std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    if (!text.isEmpty() && text.size() <= 18 && digits)
        return {};
    return Failure{u"job_invalid"_s,
                   Launcher::tr("\"%1\" is not the number of a Slurm job.").arg(printable(text))};
}

Result<RemotePath> remoteRunFolder(const RemotePath& folder, const StudyId& study, const RunId& run)
{
    return RemotePath::parse(folder.text() + u"/remote/"_s + study.text() + u"/runs/"_s +
                             run.text());
}

Result<RemotePath> withHome(const RemotePath& path, const RemotePath& home)
{
    if (!path.text().startsWith(u'~'))
        return path;
    if (!home.text().startsWith(u'/'))
        return Failure{
            u"path_invalid"_s,
            Launcher::tr("The home folder \"%1\" must begin with /.").arg(printable(home.text()))};
    return RemotePath::parse(home.text() + path.text().mid(1));
}

} // namespace scalebench
