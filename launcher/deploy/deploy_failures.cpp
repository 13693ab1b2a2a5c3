// SPDX-License-Identifier: GPL-3.0-or-later
#include "deploy/deploy_failures.h"

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
        return {
            u"disk_full"_s,
            u"The disk of %1 is full: %2%3, the engine needs %4. Free some space there, or choose "
            "another folder for the target machine."_s.arg(
                host, folder.isEmpty() ? u"its folder"_s : folder,
                free >= 0 ? u" has %1 left"_s.arg(readableBytes(double(free) * 1024))
                          : u" has no room left"_s,
                readableBytes(double(bundle.bytes + bundle.unpackedBytes))),
            message};
    }
    if (state == "not_writable"_L1)
        return {
            u"not_writable"_s,
            u"Nothing can be written to the folder %1 on %2. Change its rights, or choose another "
            "folder for the target machine."_s.arg(folder, host),
            message};
    if (state == "other_machine"_L1)
        return {u"engine_format"_s,
                u"%1 has another kind of processor (%2) than the engine bundle is built for (%3). "
                "Deploy a bundle built for it."_s.arg(host, answer.value(u"machine"_s),
                                                      bundle.architecture),
                message};
    if (state == "glibc"_L1)
        return {
            u"engine_glibc"_s,
            u"The engine needs glibc %1, which is newer than the C library of %2. Use a host with "
            "a newer Linux, or a bundle built on an older one."_s.arg(bundle.minimumGlibc, host),
            message};
    if (state == "damaged"_L1)
        return {u"deploy_damaged"_s,
                u"The engine did not arrive whole on %1; what was there before is unchanged. Try "
                "again; if it happens again, test the disk of %1."_s.arg(host),
                message};
    return {
        u"deploy_failed"_s,
        u"The engine could not be installed on %1; what was there before is unchanged. %2"_s.arg(
            host, message.section(u'\n', 0, 0)),
        message};
}

} // namespace scalebench
