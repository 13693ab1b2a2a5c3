// SPDX-License-Identifier: GPL-3.0-or-later
// What image classification says of the pictures it finds.

#include "engine/data/png_writer.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"
#include "tests/engine/workloads/run_json.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;

class PictureDataTest : public QObject
{
    Q_OBJECT

    /// The remarks on class folders of four pictures each; an empty folder for the last.
    static std::vector<std::string> remarksOn(const QStringList& classes, int modelClasses)
    {
        const QTemporaryDir folder;
        for (const char* part : {"train", "test"}) {
            const uint8_t grey = part[1] == 'r' ? 90 : 91; // other pictures to evaluate with
            const std::vector<uint8_t> png =
                data::encodePng({8, 8, std::vector<uint8_t>(192, grey)});
            for (const QString& name : classes) {
                const QString path =
                    folder.filePath(QStringLiteral("%1/%2").arg(QLatin1String(part), name));
                QDir().mkpath(path);
                for (int i = 0; i < 4 && name != QLatin1String("empty"); ++i) {
                    QFile file(path + QStringLiteral("/%1.png").arg(i));
                    if (file.open(QIODevice::WriteOnly))
                        file.write(reinterpret_cast<const char*>(png.data()), qint64(png.size()));
                }
            }
        }
        nlohmann::json json = nlohmann::json::parse(R"({"format":"scalebench.run","version":1,
 "run_id":"r","workload":"resnet","model":{"name":"resnet8","classes":0,"image_size":8},
 "data":{"source":"files"},"workers":1,"global_batch":2,"optimizer":{"name":"sgd"},
 "schedule":{"name":"constant","base_lr":0.1},"epochs":1})");
        json["data"]["path"] = folder.path().toStdString();
        json["model"]["classes"] = modelClasses;
        const RunConfig config = parsed(json);
        const auto workload = config.recipe->make(config);
        workload->measure();
        return workload->remarks();
    }

    static bool any(const std::vector<std::string>& remarks, const char* text)
    {
        return std::ranges::any_of(remarks, [text](const std::string& remark) {
            return remark.find(text) != std::string::npos;
        });
    }

private slots:
    void saysWhatAPersonShouldKnow()
    {
        const QString a = QStringLiteral("a"), b = QStringLiteral("b");
        QVERIFY(remarksOn({a, b}, 0).empty());
        QVERIFY_EXCEPTION_THROWN(remarksOn({a}, 0), InvalidArgument); // nothing to tell apart
        QVERIFY(any(remarksOn({a, b}, 10), "tells 10 apart"));
        QVERIFY(any(remarksOn({a, b, QStringLiteral("empty")}, 0), "hold no picture"));
    }
};

QTEST_GUILESS_MAIN(PictureDataTest)
#include "picture_data_test.moc"
