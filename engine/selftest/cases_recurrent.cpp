// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/recurrent.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

struct LstmShape {
    std::string name;
    std::int64_t T, B, I, H;
    bool bidirectional = false, biases = true, states = false;
    std::vector<std::int32_t> lengths = {};
    int elements = 6, directions = 2;
};

/// Operands: x, then per direction wx, wh (, bx, bh), then h0, c0 where there are initial states.
std::vector<Operand> operandsOf(const LstmShape& s)
{
    // A power of two near 1 / sqrt(H): the gates stay in their steep range.
    const double factor =
        std::exp2(-std::round(0.5 * std::log2(double(std::max<std::int64_t>(1, s.H)))));
    const std::int64_t directions = s.bidirectional ? 2 : 1;
    std::vector<Operand> list{activation("x", {s.T, s.B, s.I})};
    for (std::int64_t d = 0; d < directions; ++d) {
        const std::string suffix = d == 1 ? " reverse" : "";
        list.push_back(parameter("wx" + suffix, {4 * s.H, s.I}, Fill::Uniform, factor));
        list.push_back(parameter("wh" + suffix, {4 * s.H, s.H}, Fill::Uniform, factor));
        if (s.biases) {
            list.push_back(parameter("bx" + suffix, {4 * s.H}));
            list.push_back(parameter("bh" + suffix, {4 * s.H}));
        }
    }
    if (s.states) {
        list.push_back(activation("h0", {directions, s.B, s.H}));
        list.push_back(activation("c0", {directions, s.B, s.H}));
        list.back().f32 = true;
    }
    return list;
}

std::vector<Variable> forward(const LstmShape& s, const OperandSet& o)
{
    std::vector<autograd::LstmRefs> refs;
    std::size_t next = 1;
    for (int d = 0; d < (s.bidirectional ? 2 : 1); ++d) {
        autograd::LstmRefs r{o.p(next), o.p(next + 1), {}, {}};
        next += 2;
        if (s.biases) {
            r.inputBias = o.p(next), r.recurrentBias = o.p(next + 1);
            next += 2;
        }
        refs.push_back(r);
    }
    autograd::LstmStates initial;
    if (s.states)
        initial = {o.x(next), o.x(next + 1)};
    Tensor lengths;
    if (!s.lengths.empty()) {
        lengths = constantTensor(o.tape.backend(), {s.B}, s.lengths);
    }
    const auto r = autograd::lstm(o.tape, o.x(0), refs, lengths, initial);
    return {r.output, r.final.hidden, r.final.cell};
}

/// Direction d of states [D,B,H].
Values directionOf(const Values& states, std::size_t d, std::size_t n)
{
    return {states.begin() + std::ptrdiff_t(d * n), states.begin() + std::ptrdiff_t((d + 1) * n)};
}

std::vector<Values> reference(const LstmShape& s, const std::vector<Values>& in)
{
    const std::size_t directions = s.bidirectional ? 2 : 1;
    const auto H = std::size_t(s.H), rows = std::size_t(s.T * s.B), n = std::size_t(s.B * s.H);
    Values y(rows * directions * H), hN, cN;
    const Values none;
    for (std::size_t d = 0; d < directions; ++d) {
        const std::size_t at = 1 + d * (s.biases ? 4 : 2), states = in.size() - 2;
        const auto r = ref::lstmForward(
            {s.T, s.B, s.I, s.H, d == 1}, in[0], in[at], in[at + 1], s.biases ? in[at + 2] : none,
            s.biases ? in[at + 3] : none, s.states ? directionOf(in[states], d, n) : none,
            s.states ? directionOf(in[states + 1], d, n) : none, s.lengths);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t j = 0; j < H; ++j)
                y[(row * directions + d) * H + j] = r.y[row * H + j];
        hN.insert(hN.end(), r.hN.begin(), r.hN.end());
        cN.insert(cN.end(), r.cN.begin(), r.cN.end());
    }
    return {y, hN, cN};
}

void addLstm(CaseList& list, const LstmShape& s)
{
    GradientCase c;
    c.family = "recurrent";
    c.name = "lstm " + s.name + " [" + std::to_string(s.T) + "," + std::to_string(s.B) + "," +
             std::to_string(s.I) + "]->" + std::to_string(s.H);
    c.operands = operandsOf(s);
    c.forward = [s](const OperandSet& o) { return forward(s, o); };
    c.reference = [s](const std::vector<Values>& in) { return reference(s, in); };
    c.elements = s.elements;
    c.directions = s.directions;
    addGradientCase(list, c);
}

struct AdditiveShape {
    std::string name;
    std::int64_t B, Tq, Tk, A, V;
    bool normalised = true, bias = true;
    std::vector<std::int32_t> lengths = {};
    int elements = 6, directions = 2;
};

void addAdditive(CaseList& list, const AdditiveShape& s)
{
    GradientCase c;
    c.family = "attention";
    c.name = "additive " + s.name + " q[" + std::to_string(s.Tq) + "," + std::to_string(s.B) + "," +
             std::to_string(s.A) + "] keys " + std::to_string(s.Tk);
    c.operands = {activation("q", {s.Tq, s.B, s.A}), activation("k", {s.Tk, s.B, s.A}),
                  activation("value", {s.Tk, s.B, s.V}), parameter("v", {s.A})};
    if (s.normalised)
        c.operands.push_back(parameter("scale", {1}, Fill::AwayFromZero, 4.0));
    if (s.bias)
        c.operands.push_back(parameter("bias", {s.A}));
    c.forward = [s](const OperandSet& o) {
        autograd::AdditiveAttentionRefs refs{o.p(3), {}, {}};
        if (s.normalised)
            refs.scale = o.p(4);
        if (s.bias)
            refs.bias = o.p(s.normalised ? 5 : 4);
        Tensor lengths;
        if (!s.lengths.empty()) {
            lengths = constantTensor(o.tape.backend(), {s.B}, s.lengths);
        }
        return std::vector<Variable>{
            autograd::additiveAttention(o.tape, o.x(0), o.x(1), o.x(2), refs, lengths)};
    };
    c.reference = [s](const std::vector<Values>& in) {
        const Values none;
        return std::vector<Values>{
            ref::additiveAttentionForward({s.B, s.Tq, s.Tk, s.A, s.V, s.normalised}, in[0], in[1],
                                          in[2], in[3], s.normalised ? in[4] : none,
                                          s.bias ? in.back() : none, s.lengths)
                .context};
    };
    c.elements = s.elements;
    c.directions = s.directions;
    addGradientCase(list, c);
}

} // namespace

void addRecurrentCases(CaseList& list)
{
    addLstm(list, {"gnmt 1024", 2, 1, 1024, 1024, false, true, false, {}, 1, 1});
    addLstm(list, {"gnmt bidirectional lengths", 2, 2, 96, 256, true, true, false, {2, 1}, 1, 1});
    addLstm(list, {"gnmt [x;context]", 2, 1, 512, 256, false, true, true, {}, 1, 1});
    addLstm(list, {"long", 40, 2, 16, 24, false, true, false, {}, 4, 2});
    addLstm(list, {"bidirectional states", 5, 3, 8, 16, true, true, true});
    addLstm(list, {"lengths states", 6, 4, 9, 7, false, true, true, {6, 0, 3, 1}});
    addLstm(list, {"bidirectional lengths states", 6, 5, 3, 11, true, true, true, {2, 6, 5, 0, 1}});
    addLstm(list, {"no bias", 3, 2, 5, 4, false, false});
    addLstm(list, {"size 1", 1, 1, 1, 1, true, true, true});
    addLstm(list, {"odd", 3, 7, 13, 29});
    addLstm(list, {"no steps", 0, 2, 3, 4, true, true, true});
    addLstm(list, {"no sequences", 3, 0, 2, 4});

    addAdditive(list, {"gnmt", 2, 6, 9, 1024, 1024, true, true, {9, 5}, 2, 1});
    addAdditive(list, {"odd", 3, 5, 7, 13, 11, true, true, {7, 1, 4}});
    addAdditive(list, {"plain", 2, 4, 3, 8, 16, false, false});
    addAdditive(list, {"empty sequence", 3, 2, 5, 6, 4, true, false, {0, 5, 2}});
    addAdditive(list, {"one key", 2, 3, 1, 5, 4});
    addAdditive(list, {"size 1", 1, 1, 1, 1, 1, false});
    addAdditive(list, {"no queries", 2, 0, 3, 4, 5});
    addAdditive(list, {"no keys", 2, 3, 0, 4, 5});
}

} // namespace scalebench::selftest
