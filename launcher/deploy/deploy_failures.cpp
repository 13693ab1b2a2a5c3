// SPDX-License-Identifier: GPL-3.0-or-later
#include "deploy/deploy_failures.h"

#include "base/translated.h"
#include "preflight/judge.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Failure deployFailure(const QString& host, const QString& state, const ProbeAnswer& answer,
                      const BundleInfo& bundle)
{
    const QString message = answer.values.value(u"message"_s).join(u'\n');
    const QString folder = answer.value(u"folder"_s);
    if (state == "full"_L1) {
        const qint64 free = answer.number(u"free_kib"_s);
        const QString name = folder.isEmpty() ? Launcher::tr("its folder") : folder;
        const QString needed = readableBytes(double(bundle.bytes + bundle.unpackedBytes));
        return {u"disk_full"_s,
                free >= 0
                    ? Launcher::tr("The disk of %1 is full: %2 has %3 left, the engine needs %4. "
                                   "Free some space there, or choose another folder for the "
                                   "target machine.")
                          .arg(host, name, readableBytes(double(free) * 1024), needed)
                    : Launcher::tr("The disk of %1 is full: %2 has no room left, the engine needs "
                                   "%3. Free some space there, or choose another folder for the "
                                   "target machine.")
                          .arg(host, name, needed),
                message};
    }
    if (state == "not_writable"_L1)
        return {u"not_writable"_s,
                Launcher::tr("Nothing can be written to the folder %1 on %2. Change its rights, or "
                             "choose another "
                             "folder for the target machine.")
                    .arg(folder, host),
                message};
    if (state == "other_machine"_L1)
        return {
            u"engine_format"_s,
            Launcher::tr(
                "%1 has another kind of processor (%2) than the engine bundle is built for (%3). "
                "Deploy a bundle built for it.")
                .arg(host, answer.value(u"machine"_s), bundle.architecture),
            message};
    if (state == "glibc"_L1)
        return {u"engine_glibc"_s,
                Launcher::tr("The engine needs glibc %1, which is newer than the C library of %2. "
                             "Use a host with "
                             "a newer Linux, or a bundle built on an older one.")
                    .arg(bundle.minimumGlibc, host),
                message};
    if (state == "damaged"_L1)
        return {
            u"deploy_damaged"_s,
            Launcher::tr(
                "The engine did not arrive whole on %1; what was there before is unchanged. Try "
                "again; if it happens again, test the disk of %1.")
                .arg(host),
            message};
    return {u"deploy_failed"_s,
            Launcher::tr(
                "The engine could not be installed on %1; what was there before is unchanged. %2")
                .arg(host, message.section(u'\n', 0, 0)),
            message};
}

} // namespace scalebench
