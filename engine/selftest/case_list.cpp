// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/selftest/case_list.h"

#include <chrono>
#include <cstdint>
#include <exception>

#include <malloc.h>

#include "kernels/check.h"

namespace scalebench::selftest {

namespace {

/// FNV-1a: a seed for each case that does not depend on the other cases.
std::uint64_t seedOf(const Case& c)
{
    std::uint64_t hash = 1469598103934665603ull + std::uint64_t(c.dtype);
    for (char ch : c.family + "/" + c.name)
        hash = (hash ^ std::uint8_t(ch)) * 1099511628211ull;
    return hash;
}

/// The references make and free arrays of megabytes by the hundred; given back to the system each
/// time, a quarter of the self-test's time went into getting empty pages.
void keepFreedMemory()
{
#ifdef __GLIBC__
    if (mallopt(M_MMAP_THRESHOLD, 256 << 20)) // some take 32 MB at most
        mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

} // namespace

CaseList allCases()
{
    CaseList list;
    addAttentionCases(list);
    addConvolutionCases(list);
    addDetectionCases(list);
    addElementwiseCases(list);
    addEmbeddingCases(list);
    addLayerNormCases(list);
    addLossCases(list);
    addMatmulCases(list);
    addMultiboxCases(list);
    addNormalizationCases(list);
    addOptimizerCases(list);
    addPictureCases(list);
    addPoolingCases(list);
    addRecurrentCases(list);
    addTrainingCases(list);
    return list;
}

CaseList casesFor(const Backend& backend)
{
    const auto computes = [&](Precision precision) {
        try {
            return backend.computePrecision(precision).precision == precision;
        } catch (const Unsupported&) {
            return false;
        }
    };
    const bool bf16 = computes(Precision::Bf16), f16 = computes(Precision::Fp16);
    CaseList list = allCases();
    std::erase_if(list, [=](const Case& c) {
        return (c.dtype == DType::BF16 && !bf16) || (c.dtype == DType::F16 && !f16);
    });
    return list;
}

CaseResult runCase(const Case& testCase, Backend& backend)
{
    static const bool kept = (keepFreedMemory(), true);
    static_cast<void>(kept);
    const auto start = std::chrono::steady_clock::now();
    Checker checker(backend, testCase.dtype, seedOf(testCase));
    CaseResult result;
    try {
        testCase.run(checker);
        result.detail = checker.failure();
        if (checker.comparisons() == 0)
            result.detail = "the case compared nothing";
    } catch (const std::exception& e) {
        result.detail = e.what();
    }
    result.passed = result.detail.empty();
    result.worst = checker.worst();
    result.comparisons = checker.comparisons();
    result.ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace scalebench::selftest
