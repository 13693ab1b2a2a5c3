// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of a backbone from files: names, what is trained and what is frozen, files of another
// network.

#include "engine/core/checkpoint.h"
#include "engine/models/detector/backbone.h"
#include "engine/models/detector/load_backbone.h"
#include "engine/nn/checkpoint_weights.h"
#include "kernels/check.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

using namespace scalebench;

namespace {

#define SB_FIXTURE SB_SOURCE_DIR "/tests/engine/nn/fixtures/torchvision_names"
const char* const kWeights = SB_FIXTURE ".safetensors";
const char* const kSums = SB_FIXTURE ".txt";

/// The network of the fixture: two stages of one block.
BackboneConfig small()
{
    BackboneConfig config;
    config.blocks = {1, 1};
    config.widths = {4, 8};
    config.stemChannels = 4;
    config.imageNetStem = false;
    return config;
}

/// All tensors by name, trained or not.
std::map<std::string, Tensor> all(const ParameterSet& set)
{
    std::map<std::string, Tensor> tensors;
    for (size_t i = 0; i < set.parameters().size(); ++i)
        tensors[set.parameters()[i].name] = set.value(int(i));
    for (size_t i = 0; i < set.buffers().size(); ++i)
        tensors[set.buffers()[i].name] = set.buffer(int(i));
    return tensors;
}

} // namespace

class LoadBackboneTest : public QObject
{
    Q_OBJECT

    static QString refusal(ParameterSet& set, const std::string& file, const std::string& prefix)
    {
        try {
            loadBackbone(set, file, prefix);
        } catch (const InvalidArgument& error) {
            return error.code() == "weights" ? QString::fromStdString(error.what()) : QString();
        }
        return {};
    }

private slots:
    void names()
    {
        QCOMPARE(backboneName("conv1.weight"), std::string("stem.conv.weight"));
        QCOMPARE(backboneName("bn1.running_var"), std::string("stem.bn.running_var"));
        QCOMPARE(backboneName("layer1.0.bn2.bias"), std::string("stage1.block1.bn2.bias"));
        QCOMPARE(backboneName("layer3.22.conv3.weight"),
                 std::string("stage3.block23.conv3.weight"));
        QCOMPARE(backboneName("layer4.0.downsample.0.weight"),
                 std::string("stage4.block1.shortcut.conv.weight"));
        QCOMPARE(backboneName("layer4.0.downsample.1.running_mean"),
                 std::string("stage4.block1.shortcut.bn.running_mean"));
        QCOMPARE(backboneName("stage2.block3.conv1.weight"),
                 std::string("stage2.block3.conv1.weight"));
        for (const char* other :
             {"fc.weight", "layer.0.conv1.weight", "layer1.conv1.weight", "layer1.0.conv4.weight",
              "layer1.0.bn1.num_batches_tracked", "layer1.99999999999.bn1.weight", "conv1", ""})
            QCOMPARE(backboneName(other), std::string());
    }

    void takesThePublishedNames_data()
    {
        QTest::addColumn<int>("frozenStages");
        QTest::addColumn<bool>("frozenNorm");
        QTest::newRow("trained") << 0 << false;
        QTest::newRow("frozen norms") << 0 << true;
        QTest::newRow("frozen stem and stage") << 2 << true;
    }
    void takesThePublishedNames()
    {
        QFETCH(int, frozenStages);
        QFETCH(bool, frozenNorm);
        BackboneConfig config = small();
        config.frozenStages = frozenStages;
        config.frozenNorm = frozenNorm;
        ParameterSet set;
        const int other = set.addParameter("head.weight", {3}, true);
        const Backbone backbone(set, config, "backbone.");
        set.build();
        set.value(other).f32()[0] = 9.0f;
        const uint64_t version = set.version();
        const LoadedWeights loaded = loadBackbone(set, kWeights, "backbone.");
        QCOMPARE(loaded.taken, 35);
        QCOMPARE(loaded.leftOver, (std::vector<std::string>{"fc.bias", "fc.weight"}));
        QCOMPARE(loaded.describe("F"), std::string("35 tensors of F (safetensors); left over: "
                                                   "fc.bias, fc.weight"));
        QVERIFY(set.version() != version);
        QCOMPARE(set.value(other).f32()[0], 9.0f);
        const std::map<std::string, Tensor> tensors = all(set);
        std::ifstream sums(kSums);
        std::string name, shape;
        double sum = 0, last = 0;
        int compared = 0;
        while (sums >> name >> shape >> sum >> last) {
            if (name.starts_with("fc."))
                continue;
            const auto at = tensors.find("backbone." + backboneName(name));
            QVERIFY2(at != tensors.end(), name.c_str());
            QCOMPARE(double(at->second.f32().back()), last);
            ++compared;
        }
        QCOMPARE(compared, loaded.taken);
    }

    void aDetectorsCheckpointIsASource()
    {
        QTemporaryDir folder;
        ParameterSet from, to;
        const Backbone source(from, small(), "backbone."), target(to, small(), "");
        from.addParameter("head.weight", {3}, true);
        from.build();
        to.build();
        source.initialise(from, 5);
        const std::vector<float> buffers(from.bufferValues().begin(), from.bufferValues().end());
        writeCheckpoint(folder.path().toStdString(), {{"layout", layoutOf(from)}},
                        {{"values", from.values()}, {"buffers", buffers}});
        const LoadedWeights loaded =
            loadBackbone(to, folder.path().toStdString() + "/latest.sbckpt", "");
        QCOMPARE(loaded.leftOver, std::vector<std::string>{"head.weight"});
        const auto theirs = all(from), ours = all(to);
        for (const auto& [name, tensor] : ours)
            QVERIFY2(std::ranges::equal(tensor.f32(), theirs.at("backbone." + name).f32()),
                     name.c_str());
    }

    void filesOfOtherNetworksChangeNothing()
    {
        const std::string file = kWeights;
        BackboneConfig deeper = small(), wider = small();
        deeper.blocks = {2, 1};
        wider.widths = {4, 16};
        ParameterSet one, two;
        const Backbone a(one, deeper, "b."), b(two, wider, "b.");
        one.build();
        two.build();
        const QString missing = refusal(one, file, "b.");
        QVERIFY2(missing.contains(QStringLiteral("10 of 45 tensors are missing: "
                                                 "stage1.block2.bn1.bias")),
                 qPrintable(missing));
        const QString shape = refusal(two, file, "b.");
        QVERIFY2(shape.contains(QStringLiteral("\"layer2.0.bn1.bias\" is [8] there and [16] here")),
                 qPrintable(shape));
        for (const ParameterSet* set : {&one, &two})
            QVERIFY(std::ranges::all_of(set->values(), [](float v) { return v == 0.0f; }));
    }
};

QTEST_APPLESS_MAIN(LoadBackboneTest)
#include "load_backbone_test.moc"
