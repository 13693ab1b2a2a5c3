// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/link_peaks.h"

#include <QSet>
#include <QTest>

using namespace scalebench;

class LinkPeaksTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void known()
    {
        QSet<QString> names;
        for (const LinkPeak& link : knownLinks()) {
            QVERIFY2(link.oneWayGBs > 0 && link.oneWayGBs < 10'000, qPrintable(link.name));
            names.insert(link.name);
        }
        QCOMPARE(names.size(), knownLinks().size());
    }

    /// The names are those that drivers give; the peaks those of the boards' data sheets, which for
    /// NVLink tell both directions together.
    void devices_data()
    {
        QTest::addColumn<double>("bothWays");
        const auto row = [](const char* name, double peak) { QTest::newRow(name) << peak; };
        row("Tesla P100-SXM2-16GB", 160);
        row("Tesla V100-SXM2-32GB", 300);
        row("Tesla V100-PCIE-32GB", 31.5);
        row("NVIDIA A100-SXM4-80GB", 600);
        row("NVIDIA A100-PCIE-40GB", 63);
        row("NVIDIA A100 80GB PCIe", 63);
        row("NVIDIA A10", 63);
        row("NVIDIA L40S", 63);
        row("NVIDIA H100 80GB HBM3", 900);
        row("NVIDIA H100 PCIe", 126);
        row("NVIDIA H200", 900);
        row("NVIDIA B200", 1800);
        row("NVIDIA GB200", 1800);
        row("NVIDIA GeForce RTX 3090", 63);
        row("NVIDIA GeForce RTX 5090", 126);
        row("NVIDIA H100 NVL", 0); // bridges between some
        row("AMD EPYC 7713", 0);
        row("", 0);
    }
    void devices()
    {
        QFETCH(double, bothWays);
        const QList<LinkPeak> links = linksOfDevice(QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(links.size(), bothWays > 0 ? 1 : 0);
        if (bothWays > 0)
            QCOMPARE(2 * links.first().oneWayGBs, bothWays);
    }
};

QTEST_GUILESS_MAIN(LinkPeaksTest)
#include "link_peaks_test.moc"
