// SPDX-License-Identifier: GPL-3.0-or-later
// No path that training takes may end in one of oneDNN's reference implementations, which are a
// thousand times slower: plans for the layers of all nine workloads at training sizes, in both
// element types. Under ONEDNN_MAX_CPU_ISA=AVX2 bf16 must be refused with a reason instead. Values
// and gradients are the self-test's business (engine/selftest).
#include <QTest>

#include "kernels/check.h"
#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"
#include "kernels/cpu/dnnl_common.h"
#include "kernels/cpu_features.h"
#include "kernels/linear.h"
#include "kernels/lstm.h"
#include "kernels/matmul.h"

using namespace scalebench;
namespace cpu = scalebench::kernels::cpu;

namespace {

struct Conv {
    const char* network;
    int N, size, C, K, kernel, stride = 1, padding = 0, groups = 1, dilation = 1;
};

const Conv kConvs[] = {
    {"resnet20", 64, 32, 3, 16, 3, 1, 1},
    {"resnet20", 64, 32, 16, 16, 3, 1, 1},
    {"resnet20", 64, 32, 16, 32, 3, 2, 1},
    {"resnet20", 64, 16, 32, 32, 3, 1, 1},
    {"resnet20", 64, 16, 32, 64, 3, 2, 1},
    {"resnet20", 64, 8, 64, 64, 3, 1, 1},
    {"resnet50", 8, 224, 3, 64, 7, 2, 3},
    {"resnet50", 8, 56, 64, 64, 1},
    {"resnet50", 8, 56, 64, 64, 3, 1, 1},
    {"resnet50", 8, 56, 64, 256, 1},
    {"resnet50", 8, 56, 256, 64, 1},
    {"resnet50", 8, 56, 256, 128, 1},
    {"resnet50", 8, 56, 128, 128, 3, 2, 1},
    {"resnet50", 8, 28, 128, 512, 1},
    {"resnet50", 8, 56, 256, 512, 1, 2},
    {"resnet50", 8, 28, 512, 128, 1},
    {"resnet50", 8, 28, 128, 128, 3, 1, 1},
    {"resnet50", 8, 28, 512, 256, 1},
    {"resnet50", 8, 28, 256, 256, 3, 2, 1},
    {"resnet50", 8, 14, 256, 1024, 1},
    {"resnet50", 8, 28, 512, 1024, 1, 2},
    {"resnet50", 8, 14, 1024, 256, 1},
    {"resnet50", 8, 14, 256, 256, 3, 1, 1},
    {"resnet50", 8, 14, 1024, 512, 1},
    {"resnet50", 8, 14, 512, 512, 3, 2, 1},
    {"resnet50", 8, 7, 512, 2048, 1},
    {"resnet50", 8, 14, 1024, 2048, 1, 2},
    {"resnet50", 8, 7, 2048, 512, 1},
    {"resnet50", 8, 7, 512, 512, 3, 1, 1},
    {"ssd", 4, 300, 3, 64, 7, 2, 3},
    {"ssd", 4, 75, 64, 64, 3, 1, 1},
    {"ssd", 4, 75, 64, 128, 3, 2, 1},
    {"ssd", 4, 75, 64, 128, 1, 2},
    {"ssd", 4, 38, 128, 256, 3, 1, 1},
    {"ssd", 4, 38, 256, 256, 3, 1, 1},
    {"ssd", 4, 38, 256, 512, 3, 2, 1},
    {"ssd", 4, 19, 256, 512, 3, 2, 1},
    {"ssd", 4, 10, 128, 256, 3, 2, 1},
    {"ssd", 4, 5, 128, 256, 3},
    {"ssd", 4, 3, 128, 256, 3},
    {"ssd", 4, 38, 256, 16, 3, 1, 1},
    {"ssd", 4, 38, 256, 324, 3, 1, 1},
    {"ssd", 4, 19, 512, 24, 3, 1, 1},
    {"ssd", 4, 19, 512, 486, 3, 1, 1},
    {"ssd", 4, 1, 256, 324, 3, 1, 1},
    {"maskrcnn", 1, 200, 256, 128, 1, 2},
    {"maskrcnn", 1, 200, 256, 256, 1},
    {"maskrcnn", 1, 25, 2048, 256, 1},
    {"maskrcnn", 1, 200, 256, 256, 3, 1, 1},
    {"maskrcnn", 1, 100, 256, 3, 1},
    {"maskrcnn", 1, 100, 256, 12, 1},
    {"maskrcnn", 16, 14, 256, 256, 3, 1, 1},
    {"maskrcnn", 16, 28, 256, 81, 1},
    {"retinanet", 1, 200, 128, 128, 3, 1, 1, 32},
    {"retinanet", 1, 200, 256, 256, 3, 2, 1, 32},
    {"retinanet", 1, 100, 256, 256, 3, 1, 1, 32},
    {"retinanet", 1, 100, 512, 512, 3, 2, 1, 32},
    {"retinanet", 1, 50, 512, 512, 3, 1, 1, 32},
    {"retinanet", 1, 50, 1024, 1024, 3, 2, 1, 32},
    {"retinanet", 1, 25, 1024, 1024, 3, 1, 1, 32},
    {"retinanet", 1, 25, 256, 256, 3, 2, 1},
    {"retinanet", 1, 100, 256, 2376, 3, 1, 1},
    {"retinanet", 1, 100, 256, 36, 3, 1, 1},
    {"dilated", 2, 28, 128, 128, 3, 1, 2, 1, 2},
    {"dilated, grouped", 2, 28, 128, 128, 3, 1, 2, 32, 2},
    {"odd groups", 2, 9, 15, 21, 3, 1, 1, 3},
    {"depthwise", 2, 28, 64, 64, 3, 1, 1, 64},
};

struct Dense {
    const char* network;
    int rows, in, out;
};

const Dense kDense[] = {{"resnet20", 64, 64, 10},
                        {"resnet50", 8, 2048, 1000},
                        {"maskrcnn box head", 512, 12544, 1024},
                        {"maskrcnn classes", 512, 1024, 81},
                        {"maskrcnn boxes", 512, 1024, 324},
                        {"gnmt vocabulary", 128, 1024, 32320},
                        {"transformer attention", 512, 1024, 1024},
                        {"transformer feed forward", 512, 1024, 4096},
                        {"transformer vocabulary", 128, 1024, 33708},
                        {"ncf", 8192, 256, 256},
                        {"ncf score", 8192, 128, 1},
                        {"bert feed forward", 256, 1024, 4096},
                        {"bert classes", 8, 1024, 2},
                        {"bert vocabulary", 128, 1024, 30528},
                        {"dlrm bottom", 2048, 13, 512},
                        {"dlrm top", 2048, 479, 1024},
                        {"dlrm score", 2048, 256, 1}};

Conv2dParams paramsOf(const Conv& c, DType t)
{
    Conv2dParams p;
    p.N = c.N, p.H = p.W = c.size, p.C = c.C, p.K = c.K, p.R = p.S = c.kernel;
    p.stride = c.stride, p.padding = c.padding, p.groups = c.groups, p.dilation = c.dilation;
    p.dtype = t;
    return p;
}

bool bf16Computes()
{
    return qgetenv("ONEDNN_MAX_CPU_ISA") != "AVX2" && cpu::cpuFeatures().bf16Fast;
}

std::vector<DType> types()
{
    std::vector<DType> list{DType::F32};
    if (bf16Computes())
        list.push_back(DType::BF16);
    return list;
}

/// Every name in "forward=x, data=y" must be there and no reference one.
void requireFast(const std::string& what, const std::string& names)
{
    QVERIFY2(!names.empty() && names.find("ref") == std::string::npos,
             (what + ": " + names).c_str());
}

} // namespace

class ImplementationsTest : public QObject
{
    Q_OBJECT
private slots:
    void convolution()
    {
        for (DType t : types())
            for (const Conv& c : kConvs)
                for (bool epilogue : {false, true}) {
                    Conv2dParams p = paramsOf(c, t);
                    p.bias = p.relu = epilogue;
                    const bool data = c.C > 3 && !epilogue;
                    requireFast(std::string(c.network) + ' ' + p.describe(),
                                cpu::Conv2dPlan(p, data).implementations());
                    if (QTest::currentTestFailed())
                        return;
                }
    }

    void transposedConvolution()
    {
        for (DType t : types()) {
            ConvTranspose2dParams p{64, 14, 14, 256, 256, 2, t, true, true};
            requireFast(p.describe(), cpu::ConvTranspose2dPlan(p).implementations());
        }
    }

    void linear()
    {
        for (DType t : types())
            for (const Dense& d : kDense) {
                LinearParams p;
                p.N = d.rows, p.in = d.in, p.out = d.out, p.dtype = p.outputType = t;
                requireFast(d.network, cpu::LinearPlan(p).implementations());
                if (QTest::currentTestFailed())
                    return;
            }
    }

    void batchedProduct()
    {
        // DLRM's interaction: 27 vectors of 128 against themselves.
        for (DType t : types()) {
            MatmulParams p;
            p.M = p.N = 27, p.K = 128, p.outerBatch = 2048, p.transB = true;
            p.strideA.outer = p.strideB.outer = 27 * 128, p.strideC.outer = 27 * 27;
            p.inputType = p.outputType = t;
            requireFast(p.describe(), cpu::MatmulPlan(p).implementation());
        }
    }

    void recurrent()
    {
        for (DType t : types()) {
            LstmParams p;
            p.T = 25, p.B = 32, p.I = p.H = 1024, p.dtype = t;
            requireFast(p.describe(), cpu::LstmPlan(p).implementations());
        }
    }

    void referenceOnlyIsRefused()
    {
        // A sum over rows of which oneDNN 2.6 has only a reference implementation.
        using tag = dnnl::memory::format_tag;
        const dnnl::memory::desc x({2, 64, 8, 8}, dnnl::memory::data_type::f32, tag::nhwc);
        const dnnl::memory::desc y({1, 64, 1, 1}, dnnl::memory::data_type::f32, tag::nhwc);
        auto make = [&] { return cpu::dnnl_api::sum(cpu::dnnlEngine(), x, y); };
        if (!QByteArray(make().impl_info_str()).startsWith("ref"))
            QSKIP("this oneDNN has a fast reduction");
        try {
            cpu::chooseImplementation("reduction x=f32[2,64,8,8]", make);
            QFAIL("a reference implementation was accepted");
        } catch (const Unsupported& e) {
            const std::string text = e.what();
            QVERIFY2(text.starts_with("reduction x=f32[2,64,8,8]: ") &&
                         text.find("only its reference implementation") != std::string::npos,
                     text.c_str());
        }
    }

    void whatTheProcessorLacksIsRefused()
    {
        if (qgetenv("ONEDNN_MAX_CPU_ISA") != "AVX2")
            QSKIP("runs with oneDNN held to AVX2");
        Conv2dParams p = paramsOf(kConvs[8], DType::BF16);
        try {
            const cpu::Conv2dPlan plan(p, true);
            QFAIL(("accepted: " + plan.implementations()).c_str());
        } catch (const Unsupported& e) {
            const std::string text = e.what();
            QVERIFY2(text.starts_with(p.describe()) &&
                         text.find("on this processor") != std::string::npos,
                     text.c_str());
        }
    }

    void badSizesAreRefused()
    {
        Conv2dParams p = paramsOf({"", 1, 2, 3, 4, 5}, DType::F32); // kernel larger than image
        QVERIFY_EXCEPTION_THROWN(cpu::Conv2dPlan(p, false), InvalidArgument);
        p = paramsOf({"", 1, 2, 3, 4, 1, 1, 0, 2}, DType::F32); // 2 groups of 3 channels
        QVERIFY_EXCEPTION_THROWN(cpu::Conv2dPlan(p, false), InvalidArgument);
        p = paramsOf({"", 1, 4, 3, 4, 3, 1, 1, 1, 3}, DType::F32); // dilated beyond the image
        QVERIFY_EXCEPTION_THROWN(cpu::Conv2dPlan(p, false), InvalidArgument);
        p = paramsOf({"", 1, 4, 3, 4, 3, 1, 1}, DType::U8);
        QVERIFY_EXCEPTION_THROWN(cpu::Conv2dPlan(p, false), InvalidArgument);
        p = paramsOf({"", -1, 4, 3, 4, 3, 1, 1}, DType::F32);
        QVERIFY_EXCEPTION_THROWN(cpu::Conv2dPlan(p, false), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(cpu::ConvTranspose2dPlan({1, 0, 4, 4, 4, 2}), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(ImplementationsTest)
#include "implementations_test.moc"
