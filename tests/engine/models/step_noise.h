// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For one training step against another implementation: weights, pictures and directions from a
// formula that the fixtures' scripts have too (fixtures/make_*_step.py).

#include "engine/nn/parameter_set.h"
#include "tests/engine/models/fixture_rows.h"

#include <QString>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace scalebench::tests {

/// Of -1..1.
inline std::vector<double> noise(const std::string& name, std::size_t count)
{
    int key = 0;
    for (std::size_t i = 0; i < name.size(); ++i)
        key += int(i + 1) * int(name[i]);
    key %= 9973;
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = std::sin(12.9898 * double(i + 1) + 78.233 * key) * 43758.5453;
        values.push_back(2 * (v - std::floor(v)) - 1);
    }
    return values;
}

/// Weights of about unit gain, scales of batch norms around 1, biases around 0.
inline void fillWithNoise(ParameterSet& parameters)
{
    for (std::size_t p = 0; p < parameters.parameters().size(); ++p) {
        const ParameterInfo& info = parameters.parameters()[p];
        const bool weight = info.name.ends_with("weight");
        const std::vector<double> drawn = noise(info.name, info.count);
        const double bound = weight && info.shape.size() > 1
                                 ? std::sqrt(3.0 / (double(info.count) / double(info.shape[0])))
                                 : 0.1;
        const double middle = info.name.find(".bn") != std::string::npos && weight ? 1 : 0;
        std::ranges::transform(drawn, parameters.value(int(p)).f32().begin(),
                               [&](double v) { return float(middle + bound * v); });
    }
    parameters.markValuesChanged();
}

/// rows: of each parameter the length of its gradient and its product with noise(name + "@").
/// Fails the running test where one is further off than 1e-4 of its length.
inline void compareGradients(const ParameterSet& parameters, const FixtureRows& rows)
{
    for (std::size_t p = 0; p < parameters.parameters().size(); ++p) {
        const std::string& name = parameters.parameters()[p].name;
        const std::vector<float>& row = rows.at(QByteArray::fromStdString(name));
        const std::span<float> gradient = parameters.gradient(int(p)).f32();
        const std::vector<double> along = noise(name + "@", gradient.size());
        double square = 0, product = 0, length = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            square += double(gradient[i]) * double(gradient[i]);
            product += double(gradient[i]) * along[i];
            length += along[i] * along[i];
        }
        const double norm = double(row[0]);
        const double norms = std::abs(std::sqrt(square) / norm - 1);
        const double products = std::abs(product - double(row[1])) / (norm * std::sqrt(length));
        QVERIFY2(
            norms < 1e-4 && products < 1e-4,
            qPrintable(
                QString("%1: %2 %3").arg(QString::fromStdString(name)).arg(norms).arg(products)));
    }
}

} // namespace scalebench::tests
