// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the real cuDNN, without a GPU, what it thinks of our graphs: since 9.8 it makes plans for a
// device that it knows by its properties only ("Deviceless Ahead-of-time Compilation"). What it
// compiles at run time needs a driver: one is pretended that loads all and runs nothing.

#include <QTest>

#include <dlfcn.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "engine/backend/cuda/attention_graphs.h"
#include "engine/backend/cuda/convolution_graphs.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/resnet/resnet9.h"
#include "engine/models/ssd/ssd.h"
#include "support/campaign.h"
#include "support/layer_recorder.h"

using namespace scalebench;
using namespace scalebench::cuda_backend;

namespace {

struct Layer {
    const char* name;
    int N, H, W, C, K, kernel, stride, padding, dilation, groups;
};

const Layer kLayers[] = {
    {"resnet50 stem", 256, 224, 224, 3, 64, 7, 2, 3, 1, 1},
    {"resnet50 stage 1", 256, 56, 56, 64, 64, 3, 1, 1, 1, 1},
    {"resnet50 stage 2 down", 256, 56, 56, 128, 128, 3, 2, 1, 1, 1},
    {"resnet50 stage 2 shortcut", 256, 56, 56, 256, 512, 1, 2, 0, 1, 1},
    {"resnet50 stage 4", 256, 7, 7, 512, 512, 3, 1, 1, 1, 1},
    {"resnet20 stage 1", 128, 32, 32, 16, 16, 3, 1, 1, 1, 1},
    {"ssd classes", 8, 10, 10, 512, 486, 3, 1, 1, 1, 1},
    {"retinanet stage 2", 4, 100, 100, 256, 256, 3, 1, 1, 1, 32},
    {"mask head, transposed", 64, 28, 28, 256, 256, 2, 2, 0, 1, 1},
    {"dilated", 1, 28, 28, 128, 128, 3, 1, 2, 2, 1},
    {"odd", 1, 5, 7, 3, 5, 3, 2, 1, 1, 1},
    {"odd channels", 2, 9, 9, 17, 13, 3, 2, 1, 1, 1},
    {"padding wider than half", 1, 4, 4, 3, 2, 2, 1, 2, 1, 1},
    {"dilated, odd", 1, 9, 11, 5, 6, 3, 1, 2, 2, 1},
    {"dilated, grouped, strided", 2, 13, 13, 32, 32, 3, 2, 2, 2, 2},
    {"three groups", 1, 5, 5, 6, 9, 3, 1, 1, 1, 3},
    {"narrow groups", 2, 6, 6, 12, 6, 1, 1, 0, 1, 6},
    {"depthwise", 1, 6, 6, 8, 8, 3, 1, 1, 1, 8},
};

Conv2dParams paramsOf(const Layer& l, DType dtype)
{
    Conv2dParams p;
    p.N = l.N, p.H = l.H, p.W = l.W, p.C = l.C, p.K = l.K, p.R = p.S = l.kernel;
    p.stride = l.stride, p.padding = l.padding, p.dilation = l.dilation, p.groups = l.groups;
    p.dtype = dtype;
    return p;
}

/// The figures that differ between devices; the rest is the same for all that are asked about.
std::string jsonOf(const char* name, int version, int multiprocessors, int sharedBytes)
{
    return std::string(R"({"deviceName":")") + name +
           R"(","cudaDeviceId":0,"driverVer":13000,"deviceVer":)" + std::to_string(version) +
           R"(,"multiProcessorCount":)" + std::to_string(multiprocessors) +
           R"(,"maxSharedMemoryPerBlockOptin":)" + std::to_string(sharedBytes) +
           R"(,"totalGlobalMem":80000000000,"maxGridSize":[2147483647,65535,65535],)"
           R"("maxBlockSize":[1024,1024,64],"regsPerBlock":65536,"smClockRateKHz":1700000,)"
           R"("memClockRateKHz":2600000,"l2CacheSize":41943040,"warpSize":32,)"
           R"("maxSharedMemoryPerBlock":49152,"reservedSharedMemoryPerBlock":1024,)"
           R"("maxRegistersPerSM":65536,"pciDeviceId":0,"maxCtasPerSM":32,)"
           R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"isTccDriver":0,)"
           R"("supportCoopLaunch":1})";
}

struct Device {
    const char* name;
    const char* card;
    int version, multiprocessors, sharedBytes;
};

const Device kDevices[] = {{"sm_80", "A100", 800, 108, 166912},
                           {"sm_90", "H200", 900, 132, 232448},
                           {"sm_100", "B200", 1000, 148, 232448}};

const char* const kNetworks[] = {"resnet20", "resnet56",     "resnet18",     "resnet9",
                                 "resnet50", "ssd_resnet18", "ssd_resnet34", "ssd_small"};

/// Self-attention of a recipe: heads in columns of a joint projection.
struct Sentences {
    const char* name;
    int sentences, heads, length, headDim;
};

const Sentences kSentences[] = {
    {"bert large, phase 2", 24, 16, 512, 64}, {"bert large, odd length", 24, 16, 509, 64},
    {"bert large, phase 1", 92, 16, 128, 64}, {"bert mini", 32, 4, 128, 64},
    {"transformer big", 160, 16, 64, 64},     {"transformer base", 128, 8, 33, 64},
    {"head of 128", 8, 16, 256, 128},
};

/// What a convolution is told apart by.
std::string textOf(const Conv2dParams& p)
{
    std::ostringstream text;
    text << p.H << 'x' << p.W << 'x' << p.C << " to " << p.K << ", " << p.R << 'x' << p.S << '/'
         << p.stride << " pad " << p.padding << " dilation " << p.dilation << " groups " << p.groups
         << (p.bias ? " bias" : "") << (p.relu ? " relu" : "");
    return text.str();
}

/// The different convolutions of a network, of one picture each.
std::map<std::string, Conv2dParams> layersOf(const std::string& network)
{
    test::RecordingBackend backend;
    Tape tape(backend, Tape::Mode::Inference);
    const auto picture = [&](int64_t edge) {
        return Tensor::zeros({1, edge, edge, 3}, DType::F32, backend.allocator());
    };
    if (network == "resnet9") {
        ResNet9(10, backend, Precision::Fp32, 1).forward(tape, picture(32), false);
    } else if (network.starts_with("ssd")) {
        const SsdConfig config = SsdConfig::byName(network, 80);
        Ssd(config, backend, Precision::Fp32, 1)
            .forward(tape, picture(config.boxes.imageSize), false);
    } else {
        const ResNetConfig config = ResNetConfig::byName(network, 10);
        ResNet(config, backend, Precision::Fp32, 1).forward(tape, picture(config.imageSize), false);
    }
    std::map<std::string, Conv2dParams> layers;
    for (const Conv2dParams& p : backend.recorder().layers)
        layers.emplace(textOf(p), p);
    return layers;
}

} // namespace

class CudnnGraphsTest : public QObject
{
    Q_OBJECT

#if CUDNN_VERSION >= 90800
private slots:
    void initTestCase()
    {
        // Found by its name when cuDNN asks for the driver.
        QVERIFY2(::dlopen(SB_LOADING_DRIVER, RTLD_NOW | RTLD_GLOBAL) != nullptr, ::dlerror());
    }

    void everyConvolutionHasAnEngine_data()
    {
        QTest::addColumn<int>("layer");
        QTest::addColumn<int>("device");
        for (std::size_t i = 0; i < std::size(kLayers); ++i) {
            QTest::addRow("sm_90, %s", kLayers[i].name) << int(i) << 1;
            if (i % 4 == 0)
                QTest::addRow("sm_80, %s", kLayers[i].name) << int(i) << 0;
        }
    }

    void everyConvolutionHasAnEngine()
    {
        QFETCH(int, layer);
        QFETCH(int, device);
        const CudnnDescriptor properties = propertiesOf(kDevices[device]);
        const CudnnDevice absent{nullptr, &properties};
        for (const DType dtype : {DType::F32, DType::BF16, DType::F16}) {
            const Conv2dParams p = paramsOf(kLayers[layer], dtype);
            for (const auto kind :
                 {ConvolutionKind::Forward, ConvolutionKind::Data, ConvolutionKind::Weight})
                requirePlan(p, kind, absent);
            for (const bool relu : {false, true}) { // a ReLU without bias is refused
                Conv2dParams fused = p;
                fused.bias = true, fused.relu = relu;
                requirePlan(fused, ConvolutionKind::Forward, absent);
            }
        }
    }

    void everyNetworkHasPlans_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("device");
        QTest::addColumn<int>("batch");
        for (const char* network : kNetworks)
            for (int device = 0; device < int(std::size(kDevices)); ++device)
                for (const int batch : {32, 64, 128, 256}) {
                    // Long: a plan takes tenths of a second.
                    if (!test::fullCampaign() &&
                        (batch != 256 || std::string(network) != "resnet50" || device == 0))
                        continue;
                    QTest::addRow("%s, %s, %d", network, kDevices[device].name, batch)
                        << network << device << batch;
                }
    }
    /// All convolutions that a training step of the network issues, at a recipe's batch size.
    void everyNetworkHasPlans()
    {
        QFETCH(QString, network);
        QFETCH(int, device);
        QFETCH(int, batch);
        const CudnnDescriptor properties = propertiesOf(kDevices[device]);
        const CudnnDevice absent{nullptr, &properties};
        const auto layers = layersOf(network.toStdString());
        QVERIFY(layers.size() > 4);
        for (const DType dtype : {DType::BF16, DType::F16, DType::F32}) {
            if (dtype != DType::BF16 && !test::fullCampaign())
                continue;
            for (const auto& [text, layer] : layers) {
                Conv2dParams p = layer;
                p.N = batch;
                p.dtype = dtype;
                requirePlan(p, ConvolutionKind::Forward, absent);
                p.bias = p.relu = false;
                requirePlan(p, ConvolutionKind::Weight, absent);
                if (p.C > 3) // a picture has no gradient
                    requirePlan(p, ConvolutionKind::Data, absent);
            }
        }
    }

    void attentionHasAnEngine_data()
    {
        QTest::addColumn<int>("sentences");
        QTest::addColumn<int>("device");
        for (int i = 0; i < int(std::size(kSentences)); ++i)
            for (int device = 0; device < int(std::size(kDevices)); ++device)
                QTest::addRow("%s, %s", kDevices[device].name, kSentences[i].name) << i << device;
    }
    /// With the kernels of an engine that repeats its bits, compiled and loaded.
    void attentionHasAnEngine()
    {
        QFETCH(int, sentences);
        QFETCH(int, device);
        const CudnnDescriptor properties = propertiesOf(kDevices[device]);
        const CudnnDevice absent{nullptr, &properties};
        const Sentences& s = kSentences[sentences];
        for (const DType dtype : {DType::BF16, DType::F16})
            for (int kind = 0; kind < 8; ++kind) {
                AttentionParams p;
                p.heads = s.heads, p.headDim = s.headDim, p.dtype = dtype;
                p.queryRows = p.keyRows = s.sentences * s.length;
                p.strideO = s.heads * s.headDim;
                p.strideQ = p.strideK = p.strideV = 3 * p.strideO;
                p.causal = (kind & 1) != 0;
                p.dropout = (kind & 2) != 0 ? 0.1f : 0.0f;
                const SentenceShape shape{s.sentences, s.length, s.length, (kind & 4) != 0};
                // A plan takes half a second, or more.
                const bool here = device == 1 && dtype == DType::BF16;
                const bool pair = kind == 0 || kind == 3 || kind == 5; // each two, with 6
                const bool first = sentences == 0 && dtype == DType::BF16;
                const bool planned =
                    kind == 6 ? first || (here && test::fullCampaign()) : pair && here && first;
                requireEngine(attentionGradientGraph(p, shape).graph, absent, planned);
                if (p.dropout == 0.0f)
                    requireEngine(attentionForwardGraph(p, shape).graph, absent,
                                  here && sentences == 0);
            }
    }

private:
    static CudnnDescriptor propertiesOf(const Device& device)
    {
        CudnnDescriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "properties");
        const std::string json =
            jsonOf(device.card, device.version, device.multiprocessors, device.sharedBytes);
        properties.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                       std::int64_t(json.size()), json.data());
        properties.finalize();
        return properties;
    }

    /// The library's first choice gives the same bits every time, and can be planned where asked.
    static void requireEngine(const CudnnGraph& graph, const CudnnDevice& device, bool planned)
    {
        const CudnnConfigs configs(graph, device);
        const auto usable = configs.usable(false);
        QVERIFY2(!usable.empty() && usable.front()->deterministic, graph.what().c_str());
        if (planned || test::fullCampaign())
            QVERIFY2(configs.plan(*usable.front()), graph.what().c_str());
    }

    static void requirePlan(const Conv2dParams& p, ConvolutionKind kind, const CudnnDevice& device)
    {
        const CudnnGraph graph = convolutionGraph(p, kind, 16);
        const CudnnConfigs configs(graph, device);
        for (const CudnnConfig* c : configs.usable(p.dtype == DType::F32))
            if (c->deterministic && configs.plan(*c))
                return;
        QFAIL(("no repeatable engine: " + graph.what()).c_str());
    }
#endif
};

QTEST_GUILESS_MAIN(CudnnGraphsTest)
#include "cudnn_graphs_test.moc"
