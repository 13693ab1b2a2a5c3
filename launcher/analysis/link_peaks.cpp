// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/link_peaks.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

// Line rates: NVLink 20 GB/s a link and direction at first, 25 from the second generation on, 50
// from the fifth; PCIe from the third generation on 8, 16, 32 GT/s a lane with 128b/130b.
const QString kNvlink1 = u"NVLink 1 x4"_s, kNvlink2 = u"NVLink 2 x6"_s,
              kNvlink3 = u"NVLink 3 x12"_s, kNvlink4 = u"NVLink 4 x18"_s,
              kNvlink5 = u"NVLink 5 x18"_s, kPcie3 = u"PCIe 3 x16"_s, kPcie4 = u"PCIe 4 x16"_s,
              kPcie5 = u"PCIe 5 x16"_s;

struct Device {
    const char* name; ///< in what the driver calls it
    QString link;
};

/// The first that fits: boards for PCIe before those with NVLink, which say no more than the chip.
/// Of boards with bridges between some of them the name does not tell what was crossed.
const QList<Device>& devices()
{
    static const QList<Device> kDevices{
        {"NVL\\b", {}},
        {"(P100|V100).*PCIE|Tesla T4|RTX 20|TITAN V", kPcie3},
        {"A100.*PCIE|\\bA(10|16|30|40)\\b|\\bL4(0S?)?\\b|RTX (30|40|A)", kPcie4},
        {"H100.*PCIE|RTX (50|PRO)", kPcie5},
        {"P100", kNvlink1},
        {"V100", kNvlink2},
        {"A100", kNvlink3},
        {"H(100|200|20)\\b|GH200", kNvlink4},
        {"G?B(200|300)", kNvlink5}};
    return kDevices;
}

} // namespace

const QList<LinkPeak>& knownLinks()
{
    static const QList<LinkPeak> kLinks{{kNvlink1, 80},
                                        {kNvlink2, 150},
                                        {kNvlink3, 300},
                                        {kNvlink4, 450},
                                        {kNvlink5, 900},
                                        {kPcie3, 15.75},
                                        {kPcie4, 31.5},
                                        {kPcie5, 63},
                                        {u"InfiniBand EDR, 100 Gb/s"_s, 12.5},
                                        {u"InfiniBand HDR, 200 Gb/s"_s, 25},
                                        {u"InfiniBand NDR, 400 Gb/s"_s, 50},
                                        {u"Ethernet 1 Gb/s"_s, 0.125},
                                        {u"Ethernet 10 Gb/s"_s, 1.25},
                                        {u"Ethernet 25 Gb/s"_s, 3.125},
                                        {u"Ethernet 100 Gb/s"_s, 12.5}};
    return kLinks;
}

QList<LinkPeak> linksOfDevice(const QString& device)
{
    for (const Device& known : devices()) {
        const QRegularExpression name(QLatin1StringView(known.name),
                                      QRegularExpression::CaseInsensitiveOption);
        if (!name.match(device).hasMatch())
            continue;
        for (const LinkPeak& link : knownLinks())
            if (link.name == known.link)
                return {link};
        break;
    }
    return {};
}

} // namespace scalebench
