// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that travel between workers, followed by hand: every position gets the row that it names,
// each row travels once, and what is sent back falls on it.

#include "engine/autograd/functions/row_routes.h"
#include "kernels/check.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace scalebench;
using namespace scalebench::autograd;

namespace {

constexpr std::int64_t kTables = 3, kSamples = 200;
constexpr int kWorkers = 3;
using Ids = std::vector<std::int32_t>;
using TableRow = std::pair<std::size_t, std::int32_t>;

/// A table of 5 rows, one of 1,000 of which two workers have a part, one of 40.
TablePlaces placesOf(int rank, bool hot)
{
    TablePlaces places;
    places.blocks = {{0, 0, 5, 0}, {1, 0, 256, 2}, {1, 256, 744, 1}, {2, 0, 40, 1}};
    places.rank = rank;
    places.workers = kWorkers;
    if (hot)
        places.hot = std::make_shared<HotRows>(std::vector<HotRows::Row>{{0, 3}, {1, 300}, {2, 0}});
    return places;
}

/// Small ids more often than large ones, as in clicks.
Ids idsOf(int rank)
{
    const std::int64_t sizes[] = {5, 1000, 40};
    Ids ids;
    std::uint32_t state = std::uint32_t(rank) * 977 + 1;
    for (const std::int64_t size : sizes)
        for (std::int64_t i = 0; i < kSamples; ++i) {
            state = state * 1664525u + 1013904223u;
            const double x = double(state >> 8) / double(1 << 24);
            ids.push_back(std::int32_t(double(size) * x * x * x));
        }
    return ids;
}

/// All workers of a batch, after route() and answer().
struct Batch {
    std::vector<TablePlaces> places;
    std::vector<Ids> ids;
    std::vector<std::unique_ptr<RowRoutes>> routes;

    explicit Batch(bool hot)
    {
        for (int r = 0; r < kWorkers; ++r) {
            places.push_back(placesOf(r, hot));
            ids.push_back(idsOf(r));
        }
        for (int r = 0; r < kWorkers; ++r) {
            routes.push_back(
                std::make_unique<RowRoutes>(places[std::size_t(r)], kTables, kSamples));
            routes.back()->route(ids[std::size_t(r)]);
        }
        for (int r = 0; r < kWorkers; ++r)
            routes[std::size_t(r)]->answer(questionsTo(std::size_t(r)));
    }
    /// As the exchange delivers them.
    Ids questionsTo(std::size_t owner) const
    {
        Ids all;
        for (const auto& asking : routes) {
            std::size_t at = 0;
            for (std::size_t r = 0; r < owner; ++r)
                at += asking->blocksOf[r].size() * kSamples;
            const auto from = asking->questions.begin() + std::ptrdiff_t(at);
            all.insert(all.end(), from,
                       from + std::ptrdiff_t(asking->blocksOf[owner].size() * kSamples));
        }
        return all;
    }
    /// What an owner looks up for a worker, in the order in which it goes there.
    std::vector<TableRow> sent(std::size_t owner, std::size_t worker) const
    {
        const RowRoutes& from = *routes[owner];
        std::vector<TableRow> rows;
        for (std::size_t j = 0; j < from.mine.size(); ++j) {
            const TableBlock& block = from.at.blocks[from.mine[j]];
            std::int64_t first = 0;
            for (std::size_t r = 0; r < worker; ++r)
                first += from.counts[j][r];
            for (std::int64_t i = 0; i < from.counts[j][worker]; ++i)
                rows.emplace_back(block.table,
                                  from.ids[j][std::size_t(first + i)] + std::int32_t(block.first));
        }
        return rows;
    }
};

} // namespace

class RowRoutesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyPositionGetsItsRow_data()
    {
        QTest::addColumn<bool>("hot");
        QTest::newRow("no copies") << false;
        QTest::newRow("copies of some rows") << true;
    }

    void everyPositionGetsItsRow()
    {
        QFETCH(bool, hot);
        const Batch batch(hot);
        for (std::size_t w = 0; w < kWorkers; ++w) {
            const RowRoutes& mine = *batch.routes[w];
            std::vector<TableRow> lying;
            for (std::size_t owner = 0; owner < kWorkers; ++owner) {
                if (owner == w)
                    continue;
                const std::vector<TableRow> rows = batch.sent(owner, w);
                QCOMPARE(std::int64_t(rows.size()), mine.wanted[owner]);
                QCOMPARE(std::int64_t(rows.size()), batch.routes[owner]->askedOf[w]);
                QCOMPARE(std::set(rows.begin(), rows.end()).size(), rows.size()); // each once
                lying.insert(lying.end(), rows.begin(), rows.end());
            }
            QCOMPARE(std::int64_t(lying.size()), mine.others());
            const std::vector<TableRow> own = batch.sent(w, w);
            QCOMPARE(std::int64_t(own.size()), mine.own());
            lying.insert(lying.end(), own.begin(), own.end());
            QVERIFY(lying.size() < kTables * kSamples / 2);
            for (const std::int32_t number : mine.hotIds) {
                const HotRows::Row& row = batch.places[w].hot->rows()[std::size_t(number)];
                lying.emplace_back(row.table, row.row);
            }
            for (std::size_t i = 0; i < kSamples; ++i) {
                const std::size_t first = i * (kTables + 1);
                QCOMPARE(std::size_t(mine.places[first]), lying.size() + i);
                for (std::size_t t = 0; t < kTables; ++t) {
                    const TableRow named{t, batch.ids[w][t * kSamples + i]};
                    QVERIFY(lying.at(std::size_t(mine.places[first + 1 + t])) == named);
                }
            }
        }
    }

    void everyNameCountsOnItsRow_data() { everyPositionGetsItsRow_data(); }

    /// Each position sends a one back: rows get as many as there were positions that name them.
    void everyNameCountsOnItsRow()
    {
        QFETCH(bool, hot);
        const Batch batch(hot);
        std::map<TableRow, int> expected, got;
        for (std::size_t w = 0; w < kWorkers; ++w)
            for (std::size_t i = 0; i < batch.ids[w].size(); ++i) {
                const TableRow row{i / kSamples, batch.ids[w][i]};
                if (!hot || batch.places[w].hot->find(row.first, row.second) < 0)
                    ++expected[row];
            }
        std::vector<std::vector<int>> sums; // of each worker, by row
        for (const auto& routes : batch.routes) {
            std::vector<int>& of = sums.emplace_back(std::size_t(routes->others() + routes->own()));
            QCOMPARE(routes->named.size(), routes->positions.size());
            for (const std::int32_t row : routes->named)
                ++of.at(std::size_t(row));
        }
        for (std::size_t owner = 0; owner < kWorkers; ++owner) {
            const RowRoutes& at = *batch.routes[owner];
            std::vector<int> incoming;
            for (std::size_t w = 0; w < kWorkers; ++w) {
                if (w == owner)
                    continue;
                std::int64_t first = 0; // of those for this owner
                for (std::size_t r = 0; r < owner; ++r)
                    first += batch.routes[w]->wanted[r];
                const auto from = sums[w].begin() + first;
                incoming.insert(incoming.end(), from, from + batch.routes[w]->wanted[owner]);
            }
            incoming.insert(incoming.end(), sums[owner].end() - at.own(), sums[owner].end());
            QCOMPARE(std::int64_t(incoming.size()), at.asked());
            for (std::size_t j = 0; j < at.mine.size(); ++j) {
                const TableBlock& block = at.at.blocks[at.mine[j]];
                for (std::size_t i = 0; i < at.ids[j].size(); ++i)
                    got[{block.table, at.ids[j][i] + std::int32_t(block.first)}] +=
                        incoming.at(std::size_t(at.sources[j][i]));
            }
        }
        QVERIFY(got == expected);
    }

    void whatIsOutsideIsRefused()
    {
        for (const std::int32_t wrong : {-1, 1000}) {
            const TablePlaces places = placesOf(0, true);
            Ids ids = idsOf(0);
            ids[kSamples + 7] = wrong;
            RowRoutes routes(places, kTables, kSamples);
            QVERIFY_EXCEPTION_THROWN(routes.route(ids), InvalidArgument);
        }
        for (const std::int32_t wrong : {-2, 744}) {
            const Batch batch(false);
            Ids questions = batch.questionsTo(1);
            questions[0] = wrong;
            RowRoutes routes(batch.places[1], kTables, kSamples);
            routes.route(batch.ids[1]);
            QVERIFY_EXCEPTION_THROWN(routes.answer(questions), InvalidArgument);
        }
    }
};

QTEST_GUILESS_MAIN(RowRoutesTest)
#include "row_routes_test.moc"
