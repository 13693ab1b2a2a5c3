// SPDX-License-Identifier: GPL-3.0-or-later
// The self-test must fail where it should: a wrong output, a wrong gradient, a gradient that does
// not accumulate, NaN, an exception and an empty case are each found.

#include <QTest>

#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/check.h"

using namespace scalebench;
using namespace scalebench::selftest;

namespace {

/// y = scale * x with a backward of our own making.
GradientCase scaling(double forward, double backward, double referenceFactor)
{
    GradientCase c;
    c.family = "elementwise";
    c.name = "scaling";
    c.operands = {activation("x", {3, 5})};
    c.forward = [=](const OperandSet& o) {
        auto scaled = [&backend = o.tape.backend()](const Tensor& t, double factor) {
            Tensor y = Tensor::empty(t.shape(), t.dtype(), backend.allocator());
            for (std::size_t i = 0; i < y.f32().size(); ++i)
                y.f32()[i] = float(factor) * t.f32()[i];
            return y;
        };
        Tensor y = scaled(o.x(0).value(), forward);
        std::vector<Variable> outputs;
        outputs.push_back(o.tape.record("scaling", std::move(y), true,
                                        [=, slot = o.x(0).slot()](std::vector<Tensor> grads) {
                                            Tape::addGradient(slot, scaled(grads[0], backward));
                                        }));
        return outputs;
    };
    c.reference = [=](const std::vector<Values>& in) {
        Values y = in[0];
        for (double& v : y)
            v *= referenceFactor;
        return std::vector<Values>{y};
    };
    c.dtypes = {DType::F32};
    return c;
}

CaseResult run(GradientCase c)
{
    CaseList list;
    addGradientCase(list, std::move(c));
    const auto backend = makeCpuBackend();
    return runCase(list.at(0), *backend);
}

CaseResult runCheck(const std::function<void(Checker&)>& body)
{
    const auto backend = makeCpuBackend();
    return runCase({"elementwise", "check", DType::F32, body}, *backend);
}

} // namespace

class CheckerTest : public QObject
{
    Q_OBJECT

private slots:
    void rightIsAccepted()
    {
        const CaseResult r = run(scaling(2.0, 2.0, 2.0));
        QVERIFY2(r.passed, r.detail.c_str());
        QVERIFY(r.worst < 1.0);
    }

    void wrongOutputIsFound()
    {
        const CaseResult r = run(scaling(2.001, 2.0, 2.0));
        QVERIFY(!r.passed);
        QVERIFY2(r.detail.find("output 0") != std::string::npos, r.detail.c_str());
        QVERIFY(r.worst > 1.0);
    }

    void wrongGradientIsFound()
    {
        const CaseResult r = run(scaling(2.0, 2.001, 2.0));
        QVERIFY(!r.passed);
        QVERIFY2(r.detail.find("gradient of x") != std::string::npos, r.detail.c_str());
    }

    void nanIsFound()
    {
        QVERIFY(!run(scaling(std::nan(""), 2.0, 2.0)).passed);
        QVERIFY(!run(scaling(2.0, std::nan(""), 2.0)).passed);
    }

    void exceptionsAndEmptyCasesFail()
    {
        const CaseResult thrown = runCheck([](Checker&) { throw Error("x", "went wrong"); });
        QVERIFY(!thrown.passed);
        QCOMPARE(thrown.detail, std::string("went wrong"));
        QVERIFY(!runCheck([](Checker&) {}).passed);
    }

    void sizesMustAgree()
    {
        QVERIFY(!runCheck([](Checker& c) { c.compare("y", {1.0}, {1.0, 2.0}, 1.0); }).passed);
        QVERIFY(!runCheck([](Checker& c) { c.compareExactly("ids", {1}, {1, 2}); }).passed);
        QVERIFY(!runCheck([](Checker& c) { c.compareExactly("ids", {1, 3}, {1, 2}); }).passed);
    }

    void fillsKeepTheirPromise()
    {
        const auto backend = makeCpuBackend();
        Checker checker(*backend, DType::BF16, 7);
        Values distinct = checker.random(9001, Fill::Distinct);
        const Values stored = checker.values(checker.tensor({9001}, distinct));
        QCOMPARE(stored, distinct);
        std::sort(distinct.begin(), distinct.end());
        QVERIFY(std::adjacent_find(distinct.begin(), distinct.end()) == distinct.end());
        for (double x : checker.random(1000, Fill::AwayFromZero))
            QVERIFY(std::abs(x) >= 0.125 && std::abs(x) <= 1.0);
        const Values uniform = checker.random(4096);
        QCOMPARE(checker.values(checker.tensor({4096}, uniform)), uniform);
    }
};

QTEST_GUILESS_MAIN(CheckerTest)
#include "checker_test.moc"
