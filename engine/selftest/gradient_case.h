// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A differentiable op as a case: operands, forward on the tape, the same in float64. Outputs are
// compared with the reference, gradients with central differences of the reference in float64, so
// that no hand-written backward judges another. With L = sum of outputs times random numbers, an
// operand's gradient is compared at its largest and some random elements, and along random
// directions over all elements. Parameters are checked once more with gradient accumulation.

#include <functional>
#include <string>
#include <vector>

#include "engine/autograd/functions.h"
#include "engine/selftest/case_list.h"

namespace scalebench::selftest {

struct Operand {
    enum class Kind {
        Activation, ///< in the case's element type; a gradient is expected
        Constant,   ///< in the case's element type; no gradient
        Parameter   ///< F32, with a gradient in the arena
    };
    std::string name;
    Shape shape;
    Kind kind = Kind::Activation;
    Fill fill = Fill::Uniform;
    double factor = 1.0; ///< on the filled values; a power of two keeps them exact
    bool f32 = false;    ///< an activation that is F32 in the bf16 case too
};

Operand activation(std::string name, Shape shape, Fill fill = Fill::Uniform, double factor = 1.0);
Operand constant(std::string name, Shape shape, Fill fill = Fill::Uniform, double factor = 1.0);
Operand parameter(std::string name, Shape shape, Fill fill = Fill::Uniform, double factor = 1.0);

/// The operands while a case runs; numbers are positions in the list of operands.
class OperandSet
{
public:
    Tape& tape;
    const Variable& x(std::size_t operand) const { return variables.at(operand); }
    const ParameterRef& p(std::size_t operand) const { return parameters.at(operand); }

    std::vector<Variable> variables;
    std::vector<ParameterRef> parameters;
};

struct GradientCase {
    std::string family, name;
    std::vector<Operand> operands;
    /// One or more outputs; constants are compared but have no gradient.
    std::function<std::vector<Variable>(const OperandSet&)> forward;
    /// The operands' values in, the outputs' values out.
    std::function<std::vector<Values>(const std::vector<Values>&)> reference;
    /// For ops with kinks (ReLU, maximum), instead of `reference`: the outputs at `moved` with
    /// every branch taken as at `base`, so that no difference steps over a kink. At moved = base it
    /// is the reference.
    std::function<std::vector<Values>(const std::vector<Values>& base,
                                      const std::vector<Values>& moved)>
        branchedReference;
    /// How far each element of every output is from its kink. Nearer than rounding, backends may
    /// branch either way: such elements get no gradient.
    std::function<Values(const std::vector<Values>&)> kinkDistance;
    int elements = 16;      ///< looked at singly per operand; fewer where the reference is slow
    int directions = 2;     ///< random directions per operand
    double looser = 1.0;    ///< factor on the table's tolerance, with its reason at the case
    double looserF16 = 1.0; ///< the same, for f16 alone
    std::vector<DType> dtypes = {DType::F32, DType::BF16};
    bool slow = false; ///< see Case
};

/// Sets the reference of an op with one output and, where `relu`, a ReLU at its end.
void setReference(GradientCase& gradientCase, bool relu,
                  std::function<Values(const std::vector<Values>&)> beforeRelu);

/// Adds one case per element type, with bf16 also one in f16.
void addGradientCase(CaseList& list, GradientCase gradientCase);

} // namespace scalebench::selftest
