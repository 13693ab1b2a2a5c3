// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of the self-test on the CPU backend, as data rows: the same table that
// `scalebench selftest` runs. Those whose references take seconds are left to the full campaign.

#include <QTest>

#include <set>

#include "engine/core/thread_count.h"
#include "engine/selftest/case_list.h"
#include "support/campaign.h"

using namespace scalebench;

class SelftestTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { setComputeThreads(1); }

    void namesAreUnique()
    {
        std::set<std::string> names;
        for (const selftest::Case& c : cases_) {
            const std::string key = c.family + "/" + c.name + "/" + dtypeName(c.dtype);
            QVERIFY2(names.insert(key).second, key.c_str());
        }
    }

    void arithmetic_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases_.size(); ++i)
            if (test::fullCampaign() || !cases_[i].slow)
                QTest::addRow("%s %s: %s", cases_[i].family.c_str(), dtypeName(cases_[i].dtype),
                              cases_[i].name.c_str())
                    << int(i);
    }

    void arithmetic()
    {
        QFETCH(int, index);
        const selftest::Case& c = cases_[std::size_t(index)];
        const selftest::CaseResult result = selftest::runCase(c, *backend_);
        QVERIFY2(result.passed, result.detail.c_str());
        QVERIFY(result.worst <= 1.0);
    }

private:
    std::unique_ptr<Backend> backend_ = makeCpuBackend();
    selftest::CaseList cases_ = selftest::casesFor(*backend_);
};

QTEST_GUILESS_MAIN(SelftestTest)
#include "selftest_test.moc"
