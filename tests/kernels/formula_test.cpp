// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that kernels of all devices share, against the standard library in double.
#include <QTest>

#include <cmath>
#include <limits>

#include "kernels/formula/math.h"

using namespace scalebench;

class FormulaTest : public QObject
{
    Q_OBJECT
private slots:
    void errors_data()
    {
        using Function = float (*)(float);
        using Truth = double (*)(double);
        QTest::addColumn<Function>("function");
        QTest::addColumn<Truth>("truth");
        QTest::addColumn<double>("bound"); // what math.h promises
        const auto row = [](const char* name, Function function, Truth truth, double bound) {
            QTest::newRow(name) << function << truth << bound;
        };
        row(
            "tanh", [](float x) { return formula::tanh(x); }, [](double x) { return std::tanh(x); },
            3e-7);
        row(
            "sigmoid", [](float x) { return formula::sigmoid(x); },
            [](double x) { return 1 / (1 + std::exp(-x)); }, 3e-7);
        row(
            "normalCdf", [](float x) { return formula::normalCdf(x); },
            [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }, 3e-7);
        row(
            "normalCdfSlope", [](float x) { return formula::normalCdfSlope(x); },
            [](double x) {
                return std::erfc(-x / std::sqrt(2.0)) / 2 +
                       x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
            },
            3e-7);
    }
    void errors()
    {
        using Function = float (*)(float);
        using Truth = double (*)(double);
        QFETCH(Function, function);
        QFETCH(Truth, truth);
        QFETCH(double, bound);
        double most = 0;
        for (int i = -200000; i <= 200000; ++i) {
            const float x = float(i) * 5e-5f;
            most = std::max(most, std::abs(double(function(x)) - truth(double(x))));
        }
        QVERIFY2(most < bound, QByteArray::number(most).constData());
        // Far away exactly the limits, which a factor of 1e30 would else show.
        for (const float x : {50.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
            QCOMPARE(function(x), float(truth(50)));
            QVERIFY(std::abs(double(function(-x)) - truth(-50)) < 1e-20);
        }
        QVERIFY(std::isnan(function(std::numeric_limits<float>::quiet_NaN())));
    }

    /// Relative.
    void exponential()
    {
        for (int i = -86900; i <= 88000; ++i) {
            const float x = float(i) * 1e-3f;
            QVERIFY(std::abs(double(formula::exp(x)) / std::exp(double(x)) - 1) < 2e-7);
        }
        QCOMPARE(formula::exp(-90.0f), 0.0f);
        QVERIFY(std::isinf(formula::exp(89.0f)));
        QVERIFY(std::isnan(formula::exp(std::numeric_limits<float>::quiet_NaN())));
    }
};

QTEST_GUILESS_MAIN(FormulaTest)
#include "formula_test.moc"
