// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of the self-test on the CUDA backend, with its kernels run by the emulation, in both
// orders of threads: each in one type, in turn, without the large convolutions and batch norms; in
// the full campaign each in all its types, with SB_CUDA_ALL=1 also the large ones, whose references
// alone take half an hour. SB_CUDA_FAMILIES=a,b runs some families only.

#include <QTest>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_context.h"
#include "engine/core/thread_count.h"
#include "engine/selftest/case_list.h"
#include "support/campaign.h"
#include "support/cuda_emulation/emulation.h"

using namespace scalebench;

class CudaEmulationTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        setComputeThreads(1);
        backend_ = cuda_backend::makeCudaBackend(0, false);
        // Every tensor an allocation of its own: the sanitizer sees what lies beside it.
        cuda_backend::contextOf(*backend_).allocator().setCaching(false);
    }

    void arithmetic_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("reverse");
        const QStringList wanted =
            qEnvironmentVariable("SB_CUDA_FAMILIES").split(QLatin1Char(','), Qt::SkipEmptyParts);
        const bool all = qEnvironmentVariableIsSet("SB_CUDA_ALL");
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            const selftest::Case& c = cases_[i];
            if ((c.slow && !all) || (!test::fullCampaign() && !inTurn(i)))
                continue;
            if (!wanted.isEmpty() && !wanted.contains(QString::fromStdString(c.family)))
                continue;
            QTest::addRow("%s %s: %s%s", c.family.c_str(), dtypeName(c.dtype), c.name.c_str(),
                          i % 2 != 0 ? " (reverse)" : "")
                << int(i) << (i % 2 != 0);
        }
    }

    void arithmetic()
    {
        QFETCH(int, index);
        QFETCH(bool, reverse);
        emulation::setOrder(reverse ? emulation::Order::Reverse : emulation::Order::Forward);
        const selftest::CaseResult result =
            selftest::runCase(cases_[std::size_t(index)], *backend_);
        emulation::setOrder(emulation::Order::Forward);
        emulation::clearErrors();
        QVERIFY2(result.passed, result.detail.c_str());
    }

private:
    /// One of the three types for each name; neighbours in the list differ.
    bool inTurn(std::size_t index) const
    {
        const selftest::Case& c = cases_[index];
        const std::size_t turn = std::hash<std::string>()(c.family + c.name) % 3;
        return turn == (c.dtype == DType::F32    ? 0u
                        : c.dtype == DType::BF16 ? 1u
                                                 : 2u) ||
               // some exist in one type only
               std::none_of(cases_.begin(), cases_.end(), [&](const selftest::Case& o) {
                   return o.name == c.name && o.family == c.family && o.dtype != c.dtype;
               });
    }

    selftest::CaseList cases_ = selftest::allCases();
    std::unique_ptr<Backend> backend_;
};

QTEST_GUILESS_MAIN(CudaEmulationTest)
#include "cuda_emulation_test.moc"
