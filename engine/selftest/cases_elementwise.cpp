// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/selftest/gradient_case.h"

namespace scalebench::selftest {

void addElementwiseCases(CaseList& list)
{
    for (const Shape& shape : {Shape{1}, Shape{3, 7}, Shape{2, 56, 56, 64}, Shape{0, 5}}) {
        GradientCase relu;
        relu.family = "elementwise";
        relu.name = "relu " + toString(shape);
        relu.operands = {activation("x", shape, Fill::AwayFromZero)};
        relu.forward = [](const OperandSet& o) {
            return std::vector<Variable>{autograd::relu(o.tape, o.x(0))};
        };
        relu.reference = [](const std::vector<Values>& in) {
            Values y = in[0];
            for (double& v : y)
                v = std::max(v, 0.0);
            return std::vector<Values>{y};
        };
        addGradientCase(list, relu);
    }
}

} // namespace scalebench::selftest
