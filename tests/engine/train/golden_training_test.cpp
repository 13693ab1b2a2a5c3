// SPDX-License-Identifier: GPL-3.0-or-later
// ResNet and Transformer, trained through the whole product for a few steps on one fixed
// instruction set, end with the very bits that are written down in fixtures/golden_training.txt: a
// change of the seam, the data, an op or an optimizer that is meant to change nothing changes
// nothing.
//
// Bits also depend on who multiplies and who compiles. With another oneDNN, compiler or libm than
// the fixture names, the numbers are held to a tolerance instead, and that is said. A change that
// is meant: run this with SB_UPDATE_GOLDEN=1 and say why in the commit.

#include "engine/dist/communicator.h"
#include "engine/train/trainer.h"
#include "engine/workloads/resnet/resnet_workload.h"
#include "engine/workloads/transformer/transformer_workload.h"
#include "kernels/cpu_features.h"
#include "kernels/cpu_level.h"

#include <QFile>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

#include <gnu/libc-version.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace scalebench;

namespace {

const QString kFixture =
    QStringLiteral(SB_SOURCE_DIR "/tests/engine/train/fixtures/golden_training.txt");

RunConfig resnetRun()
{
    RunConfig config;
    auto recipe = std::make_shared<workloads::ResNetRecipe>();
    recipe->classes = 10;
    recipe->imageSize = 16;
    recipe->augment = {2, true, false, 4};
    config.workload = "resnet";
    config.model = "resnet8";
    config.recipe = recipe;
    config.data.source = DataSource::Synthetic;
    config.data.trainSamples = 64;
    config.data.evalSamples = 24;
    config.globalBatch = 16;
    config.optimizer = optimizerDefaults(OptimizerKind::Sgd);
    config.optimizer.nesterov = true;
    config.optimizer.weightDecay = 5e-4;
    config.schedule.baseLearningRate = 0.02;
    config.epochs = 2;
    return config;
}

RunConfig transformerRun(const QString& folder)
{
    RunConfig config;
    auto recipe = std::make_shared<workloads::TransformerRecipe>();
    recipe->merges = 60;
    recipe->nouns = 30;
    recipe->sourceLanguage = "xa", recipe->targetLanguage = "xb";
    recipe->batchTokens = true;
    config.workload = "transformer";
    config.model = "transformer_tiny";
    config.recipe = recipe;
    config.data.source = DataSource::Generated;
    config.data.path = folder.toStdString();
    config.data.trainSamples = 60;
    config.data.evalSamples = 4;
    config.globalBatch = 300;
    config.labelSmoothing = 0.1;
    config.optimizer = optimizerDefaults(OptimizerKind::Adam);
    config.schedule.baseLearningRate = 1e-3;
    config.epochs = 2;
    config.options.packSequences = true;
    return config;
}

/// FNV-1a over the bytes.
uint64_t fingerprint(const std::vector<float>& values)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    for (const float value : values) {
        uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (int byte = 0; byte < 4; ++byte)
            hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3ull;
    }
    return hash;
}

QString exact(double value)
{
    char text[64]; // QString::asprintf() knows no %a
    std::snprintf(text, sizeof text, "%a", value);
    return QString::fromLatin1(text);
}

/// Losses and a few parameters can be compared nearly, the fingerprint of all only exactly.
struct Golden {
    QStringList numbers;
    QString bits;

    QString text() const { return numbers.join(u' ') + u' ' + bits; }
};

Golden trained(const RunConfig& config)
{
    const auto comm = dist::makeSelfCommunicator();
    train::TrainerOptions options;
    options.keepParameters = true;
    const train::Outcome outcome = train::Trainer(config, *comm, nullptr, options).run();
    Golden golden;
    for (const double loss : outcome.epochLoss)
        golden.numbers << exact(loss);
    const std::vector<float>& parameters = outcome.parameters;
    for (size_t i = 0; i < 16; ++i)
        golden.numbers << exact(double(parameters.at(i * parameters.size() / 16)));
    golden.bits = QStringLiteral("%1:%2")
                      .arg(parameters.size())
                      .arg(fingerprint(parameters), 16, 16, QLatin1Char('0'));
    return golden;
}

/// What the bits depend on beside our own sources.
QString environment()
{
    const auto features = kernels::cpu::cpuFeatures();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const auto kind = QStringLiteral("instrumented");
#else
    const auto kind = QStringLiteral(SB_BUILD_KIND); // of the libraries
#endif
    return QStringLiteral("%1, %2, g++ %3, glibc %4, %5")
        .arg(QString::fromStdString(features.library), QString::fromStdString(features.isa))
        .arg(__GNUC__)
        .arg(QLatin1StringView(gnu_get_libc_version()), kind);
}

/// Batch norm amplifies rounding, as family_test says.
bool isNear(const QString& told, const QString& known)
{
    const double x = std::strtod(told.toLatin1().constData(), nullptr);
    const double y = std::strtod(known.toLatin1().constData(), nullptr);
    return std::abs(x - y) <= 1e-3 * std::max(0.1, std::abs(y));
}

} // namespace

class GoldenTrainingTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_dir;
    QMap<QString, QString> m_known;

    static bool writes() { return qEnvironmentVariableIntValue("SB_UPDATE_GOLDEN") == 1; }

private slots:
    void initTestCase()
    {
        if (kernels::cpu::cpuLevel() != kernels::cpu::CpuLevel::Sse)
            QSKIP("needs SCALEBENCH_MAX_CPU_ISA=sse, as ctest sets it");
        QFile file(kFixture);
        if (writes() && !file.exists())
            return;
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (QString line = QString::fromUtf8(file.readLine()); !line.isEmpty();
             line = QString::fromUtf8(file.readLine()))
            if (!line.startsWith(u'#'))
                m_known.insert(line.section(u' ', 0, 0), line.section(u' ', 1).trimmed());
    }

    void endsWithTheBitsWrittenDown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("resnet") << QStringLiteral("resnet");
        QTest::newRow("transformer") << QStringLiteral("transformer");
    }
    void endsWithTheBitsWrittenDown()
    {
        QFETCH(const QString, name);
        const Golden golden = trained(name == QLatin1StringView("resnet")
                                          ? resnetRun()
                                          : transformerRun(m_dir.filePath(QStringLiteral("pair"))));
        if (writes()) {
            m_known.insert(name, golden.text());
            return;
        }
        const QString known = m_known.value(name);
        QVERIFY(!known.isEmpty());
        if (m_known.value(QStringLiteral("with")) == environment()) {
            QCOMPARE(golden.text(), known);
            return;
        }
        qInfo("%s: near, not bit for bit: written down with %s, this is %s", qPrintable(name),
              qPrintable(m_known.value(QStringLiteral("with"))), qPrintable(environment()));
        const QStringList numbers = known.split(u' ');
        QCOMPARE(golden.numbers.size() + 1, numbers.size());
        QCOMPARE(golden.bits.section(u':', 0, 0), numbers.last().section(u':', 0, 0));
        for (qsizetype i = 0; i < golden.numbers.size(); ++i)
            QVERIFY2(isNear(golden.numbers[i], numbers[i]),
                     qPrintable(golden.numbers[i] + u' ' + numbers[i]));
    }

    void cleanupTestCase()
    {
        if (!writes())
            return;
        QFile file(kFixture);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# Losses of two epochs, every sixteenth of the parameters, and how many "
                   "parameters with FNV-1a over all.\n");
        file.write("with " + environment().toUtf8() + '\n');
        for (const char* name : {"resnet", "transformer"})
            file.write(QByteArray(name) + ' ' + m_known.value(QLatin1StringView(name)).toUtf8() +
                       '\n');
    }
};

QTEST_GUILESS_MAIN(GoldenTrainingTest)
#include "golden_training_test.moc"
