// SPDX-License-Identifier: GPL-3.0-or-later
// A choice that does not fit its list ends in an ellipsis, and comes whole where there is room.
#include "gui/gui_fixture.h"

#include "app/main_window.h"
#include "pages/scaling/scaling_page.h"
#include "widgets/choice_box.h"

#include <QAbstractItemView>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// What it draws.
struct ShownBox : ChoiceBox {
    QString shown() const
    {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        return option.currentText;
    }
};

} // namespace

class ChoiceBoxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void longTextEndsInEllipsis()
    {
        const QString name =
            QStringLiteral("Image classification and Recommendation, desk, 1 and 2 workers");
        ShownBox box;
        box.addItem(name);
        box.resize(150, box.sizeHint().height());
        QVERIFY2(box.shown().endsWith(QChar(0x2026)), qPrintable(box.shown()));
        QVERIFY(name.startsWith(box.shown().chopped(1)));
        QVERIFY(box.fontMetrics().horizontalAdvance(box.shown()) < box.width() - 20);
        QCOMPARE(box.currentText(), name);
        box.resize(box.sizeHint()); // by its longest item
        QCOMPARE(box.shown(), name);
        box.setEditable(true);
        box.resize(150, box.height());
        QCOMPARE(box.shown(), name); // its field scrolls
    }

    /// The list that opens is as wide as its longest text, not as the box; half a screen at most.
    void listIsWideEnough()
    {
        ChoiceBox box;
        box.addItems({QStringLiteral("1 worker"),
                      QStringLiteral("Image classification, desk, 1 and 2 workers, lr 0.1")});
        box.resize(120, box.sizeHint().height());
        box.show();
        box.showPopup();
        const int text = box.fontMetrics().horizontalAdvance(box.itemText(1));
        QVERIFY(text > box.width());
        QVERIFY2(box.view()->viewport()->width() >= text,
                 qPrintable(QString::number(box.view()->viewport()->width())));
        box.hidePopup();
        box.addItem(QString(1000, u'x'));
        box.showPopup();
        QVERIFY(box.view()->width() <= box.screen()->availableGeometry().width());
        box.hidePopup();
    }

    /// The list of studies, which may be narrower than a study's name.
    void listOfStudies()
    {
        const QTemporaryDir home;
        CommandLine line;
        line.libraryDir = home.filePath(QStringLiteral("library"));
        MainWindow window(line);
        const auto boxes = window.page<ScalingPage>()->findChildren<QComboBox*>();
        QVERIFY(!boxes.isEmpty());
        for (const QComboBox* box : boxes)
            QVERIFY2(qobject_cast<const ChoiceBox*>(box), qPrintable(box->accessibleName()));
    }
};

QTEST_MAIN(ChoiceBoxTest)
#include "choice_box_test.moc"
