// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the real cuDNN, without a GPU, what it thinks of our graphs: since 9.8 it makes plans for a
// device that it knows by its properties only ("Deviceless Ahead-of-time Compilation"). What it
// would compile at run time needs a driver and is not offered here.

#include <QTest>

#include <iterator>

#include "engine/backend/cuda/convolution_graphs.h"

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
std::string propertiesOf(const char* name, int version, int multiprocessors, int sharedBytes)
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

} // namespace

class CudnnGraphsTest : public QObject
{
    Q_OBJECT

#if CUDNN_VERSION >= 90800
private slots:
    void everyConvolutionHasAnEngine_data()
    {
        QTest::addColumn<int>("layer");
        QTest::addColumn<int>("device");
        for (std::size_t i = 0; i < std::size(kLayers); ++i) {
            QTest::addRow("sm_90, %s", kLayers[i].name) << int(i) << 0;
            if (i % 4 == 0)
                QTest::addRow("sm_80, %s", kLayers[i].name) << int(i) << 1;
        }
    }

    void everyConvolutionHasAnEngine()
    {
        QFETCH(int, layer);
        QFETCH(int, device);
        CudnnDescriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "properties");
        const std::string json = device == 0 ? propertiesOf("H200", 900, 132, 232448)
                                             : propertiesOf("A100", 800, 108, 166912);
        properties.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                       std::int64_t(json.size()), json.data());
        properties.finalize();
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

private:
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
