// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/selftest/case_list.h"

#include <chrono>
#include <cstdint>
#include <exception>

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
    addNormalizationCases(list);
    addOptimizerCases(list);
    addPoolingCases(list);
    addRecurrentCases(list);
    return list;
}

CaseResult runCase(const Case& testCase, Backend& backend)
{
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
