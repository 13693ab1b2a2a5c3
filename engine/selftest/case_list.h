// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of cases that proves the arithmetic of a backend: the Qt Test programs, `scalebench
// selftest` and `scalebench-engine selftest` run the same ones. A case runs one op on a backend and
// compares with a float64 reference (kernels/ref); cases_<family>.cpp add them.

#include <functional>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/selftest/checker.h"

namespace scalebench::selftest {

struct Case {
    std::string family; ///< "convolution": as the backend's op families
    std::string name;   ///< "conv2d resnet50 stem 7x7/2 [2,224,224,3]->64"; unique with dtype
    DType dtype = DType::F32;
    std::function<void(Checker&)> run;
    bool slow = false; ///< the reference takes seconds
};

using CaseList = std::vector<Case>;

struct CaseResult {
    bool passed = false;
    double worst = 0;    ///< largest error / tolerance of all comparisons
    int comparisons = 0; ///< tensors, gradients and conditions looked at
    std::string detail;  ///< empty when passed: operand, element, actual, expected; or the error
    double ms = 0;
};

/// Every case of every family, f32, bf16 and f16.
CaseList allCases();
/// Those in types that the backend computes in.
CaseList casesFor(const Backend& backend);

/// Runs one case; an exception is a failure, never passed on. A case that compares nothing fails.
/// Deterministic: random numbers come from the name.
CaseResult runCase(const Case& testCase, Backend& backend);

// One per family.
void addAttentionCases(CaseList& list);
void addConvolutionCases(CaseList& list);
void addDetectionCases(CaseList& list);
void addElementwiseCases(CaseList& list);
void addEmbeddingCases(CaseList& list);
void addLayerNormCases(CaseList& list);
void addLossCases(CaseList& list);
void addMatmulCases(CaseList& list);
void addMultiboxCases(CaseList& list);
void addNormalizationCases(CaseList& list);
void addOptimizerCases(CaseList& list);
void addPictureCases(CaseList& list);
void addPoolingCases(CaseList& list);
void addRecurrentCases(CaseList& list);
void addTrainingCases(CaseList& list);

} // namespace scalebench::selftest
