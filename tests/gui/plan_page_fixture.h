// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A Plan page on a pretended machine of four processors, and what a person does to it.

#include "gui/gui_fixture.h"

#include "pages/plan/plan_page.h"
#include "session/session.h"
#include "support/campaign.h"
#include "widgets/form_field.h"
#include "widgets/workload_card.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <memory>

namespace scalebench::test {

struct PlanPageFixture {
    void openPage()
    {
        m_page = std::make_unique<PlanPage>(&m_session);
        m_page->setMachine(machineWith(4));
        m_start = m_page->findChild<QPushButton*>(QStringLiteral("startButton"));
        settle();
    }

    /// Until the plan as it is now was looked at.
    void settle() const { QTRY_VERIFY_WITH_TIMEOUT(m_page->isChecked(), kHangMs); }

    void show(const StudySpec& spec)
    {
        m_page->setSpec(spec);
        settle();
    }

    /// As far as it can.
    void start()
    {
        m_page->start();
        settle();
    }

    /// By the button, as a person does; empty values: those offered.
    void addSetting(const QString& path, const QString& values)
    {
        m_page->findChild<QToolButton*>(QStringLiteral("addDimension"))->click();
        auto* dialog = m_page->findChild<QDialog*>(QStringLiteral("dimensionDialog"));
        QVERIFY(dialog);
        const auto edits = dialog->findChildren<QLineEdit*>();
        edits[0]->setText(path);
        if (!values.isEmpty())
            edits[1]->setText(values);
        const auto buttons = dialog->findChildren<QPushButton*>();
        for (QPushButton* button : buttons)
            if (button->isDefault())
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!dialog->isVisible());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    static QStringList checkBoxes(const QWidget* dialog)
    {
        QStringList texts;
        const auto boxes = dialog->findChildren<QCheckBox*>();
        for (const QCheckBox* box : boxes)
            if (!box->isHidden())
                texts << box->text();
        return texts;
    }

    static QString visibleText(const QWidget* widget)
    {
        QStringList texts;
        const auto labels = widget->findChildren<QLabel*>();
        for (const QLabel* label : labels)
            if (!label->isHidden())
                texts << label->text();
        return texts.join(u' ');
    }

    static StudySpec severalWorkloads()
    {
        StudySpec spec;
        spec.name = QStringLiteral("Two");
        spec.precisions.clear();
        spec.settings.insert(QStringLiteral("options.overlap"), {true, false});
        WorkloadPlan resnet{QStringLiteral("resnet")};
        resnet.batchPolicy = QStringLiteral("table");
        resnet.batchTable = {{1, 32}, {2, 64}};
        resnet.settings.insert(QStringLiteral("optimizer.momentum"), {0.8, 0.9});
        WorkloadPlan ncf{QStringLiteral("ncf"), QStringLiteral("desk"),
                         QStringLiteral("generated")};
        ncf.precisions = {QStringLiteral("bf16")};
        ncf.globalBatch = 256;
        ncf.epochs = 3;
        ncf.target = 0.75;
        ncf.learningRate = 0.002;
        spec.workloads = {resnet, ncf};
        return spec;
    }

    WorkloadCard* card(const QString& id)
    {
        const auto cards = m_page->findChildren<WorkloadCard*>();
        for (WorkloadCard* found : cards)
            if (found->workloadId() == id)
                return found;
        return nullptr;
    }

    QSpinBox* spin(const QString& field)
    {
        QWidget* control = m_page->field(field)->control();
        auto* found = qobject_cast<QSpinBox*>(control);
        return found ? found : control->findChild<QSpinBox*>();
    }

    void useHosts(const QString& hosts)
    {
        TargetMachine lab;
        lab.name = QStringLiteral("lab");
        lab.kind = TargetMachine::Kind::Ssh;
        lab.hosts = hosts;
        m_page->setTargets({TargetMachine(), lab});
        settle();
        m_page->chooseTarget(lab.name);
        settle();
    }

    Session m_session;
    std::unique_ptr<PlanPage> m_page;
    QPushButton* m_start = nullptr;
};

} // namespace scalebench::test
