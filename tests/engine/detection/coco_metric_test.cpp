// SPDX-License-Identifier: GPL-3.0-or-later
// COCO's metric and masks against pycocotools (fixtures/make_fixtures.py).

#include "detection_fixture.h"

#include "engine/detection/coco_json.h"
#include "engine/detection/coco_metric.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

AnnotatedSet truthSet()
{
    return parseCoco(bytesOf(annotationFixture("truth.json")), "truth.json", true);
}

std::vector<Detection> foundIn(const AnnotatedSet& truth)
{
    std::vector<Detection> found;
    for (const auto& value : QJsonDocument::fromJson(annotationFixture("found.json")).array()) {
        const QJsonObject object = value.toObject();
        const auto id = object[QStringLiteral("image_id")].toInteger();
        const auto category = object[QStringLiteral("category_id")].toInteger();
        const auto picture = std::ranges::find(truth.pictures, id, &AnnotatedPicture::id);
        const QJsonArray box = object[QStringLiteral("bbox")].toArray();
        Detection d;
        d.picture = int32_t(picture - truth.pictures.begin());
        d.category = int32_t(std::ranges::find(truth.categories, category, &Category::id) -
                             truth.categories.begin());
        d.score = object[QStringLiteral("score")].toDouble();
        d.box = {box[0].toDouble(), box[1].toDouble(), box[2].toDouble(), box[3].toDouble()};
        d.mask = parseRuns(object[QStringLiteral("segmentation")]
                               .toObject()[QStringLiteral("counts")]
                               .toString()
                               .toStdString(),
                           picture->width, picture->height);
        found.push_back(std::move(d));
    }
    return found;
}

std::vector<QByteArrayList> figureRows(const QByteArray& kind)
{
    std::vector<QByteArrayList> rows;
    for (const QByteArray& line : annotationFixture("figures.txt").split('\n'))
        if (line.startsWith(kind))
            rows.push_back(line.split(' '));
    return rows;
}

std::vector<double> listed(const CocoScores& s)
{
    return {s.ap,  s.ap50, s.ap75,  s.apSmall, s.apMedium, s.apLarge,
            s.ar1, s.ar10, s.ar100, s.arSmall, s.arMedium, s.arLarge};
}

} // namespace

class CocoMetricTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scoresAsPycocotools_data()
    {
        QTest::addColumn<bool>("masks");
        QTest::newRow("boxes") << false;
        QTest::newRow("masks") << true;
    }
    void scoresAsPycocotools()
    {
        QFETCH(bool, masks);
        const AnnotatedSet truth = truthSet();
        const CocoScores scores =
            cocoScores(truth, foundIn(truth), masks ? Overlap::Masks : Overlap::Boxes);
        const QByteArrayList expected = figureRows(masks ? "segm" : "bbox").at(0);
        QCOMPARE(expected.size(), 13);
        for (int i = 0; i < 12; ++i)
            QVERIFY2(std::abs(listed(scores)[size_t(i)] - expected[i + 1].toDouble()) < 1e-8,
                     qPrintable(QString::number(i)));
    }

    void masksAsPycocotools()
    {
        const AnnotatedSet truth = truthSet();
        int compared = 0;
        // The fixture lists masks by annotation, the set by picture: found by area and runs.
        for (const QByteArrayList& row : figureRows("mask")) {
            bool there = false;
            for (const AnnotatedPicture& picture : truth.pictures)
                for (const AnnotatedObject& object : picture.objects)
                    there = there || (maskArea(object.mask) == row[2].toLongLong() &&
                                      printRuns(object.mask) == row[3].toStdString());
            QVERIFY2(there, row[1].constData());
            ++compared;
        }
        QCOMPARE(int64_t(compared), truth.objects());
    }

    void orderOfDetectionsOfDifferentPicturesDoesNotMatter()
    {
        const AnnotatedSet truth = truthSet();
        std::vector<Detection> found = foundIn(truth);
        const CocoScores scores = cocoScores(truth, found, Overlap::Boxes);
        std::ranges::stable_sort(found, std::greater{}, &Detection::picture);
        QCOMPARE(listed(cocoScores(truth, found, Overlap::Boxes)), listed(scores));
    }

    void perfectAndEmptyDetections()
    {
        const AnnotatedSet truth = truthSet();
        std::vector<Detection> found;
        for (size_t p = 0; p < truth.pictures.size(); ++p)
            for (const AnnotatedObject& object : truth.pictures[p].objects)
                found.push_back({int32_t(p), object.category, 0.9, object.box, object.mask});
        CategoryPrecision each;
        QVERIFY(std::abs(cocoScores(truth, found, Overlap::Boxes, &each).ap - 1) < 1e-9);
        QCOMPARE(each.size(), truth.categories.size());
        QCOMPARE(each.back(), -1.0); // no object of it anywhere
        QVERIFY(std::abs(cocoScores(truth, found, Overlap::Masks).ap - 1) < 1e-9);
        QCOMPARE(cocoScores(truth, {}, Overlap::Boxes).ap, 0.0);
        AnnotatedSet nothing = truth;
        for (AnnotatedPicture& picture : nothing.pictures)
            picture.objects.clear();
        QCOMPARE(cocoScores(nothing, found, Overlap::Boxes).ap, -1.0);
    }

    void refusesForeignDetections()
    {
        const AnnotatedSet truth = truthSet();
        for (const Detection& wrong :
             {Detection{999, 0, 0.5, {0, 0, 1, 1}, {}}, Detection{0, 99, 0.5, {0, 0, 1, 1}, {}},
              Detection{0, 0, std::nan(""), {0, 0, 1, 1}, {}}})
            QCOMPARE(
                caughtFrom([&] { cocoScores(truth, std::span(&wrong, 1), Overlap::Boxes); }).code,
                std::string("invalid_argument"));
    }
};

QTEST_GUILESS_MAIN(CocoMetricTest)
#include "coco_metric_test.moc"
