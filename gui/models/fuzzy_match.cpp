// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fuzzy_match.h"

#include <algorithm>
#include <vector>

namespace scalebench {

namespace {

constexpr int kNone = -1'000'000;
constexpr int kLetter = 1, kWordStart = 8, kTogether = 6, kFirst = 4;

bool beginsWord(const QString& title, qsizetype at)
{
    return at == 0 || !title[at - 1].isLetterOrNumber();
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& title, const QString& typed)
{
    const QString wanted = QString(typed).remove(QLatin1Char(' ')).toCaseFolded();
    const QString text = title.toCaseFolded();
    const auto n = static_cast<size_t>(wanted.size()), m = static_cast<size_t>(title.size());
    if (n == 0)
        return FuzzyMatch();
    if (text.size() != title.size() || n > m) // some letters fold into two: not worth the trouble
        return std::nullopt;
    // best[i][j]: letter i stands at j; from[i][j]: where the letter before it stands then.
    std::vector<std::vector<int>> best(n, std::vector<int>(m, kNone)), from = best;
    for (size_t i = 0; i < n; ++i) {
        int reach = kNone, reachAt = -1; // the best that any earlier place reaches
        for (size_t j = 0; j < m; ++j) {
            const auto at = static_cast<qsizetype>(j);
            if (text[at] == wanted[static_cast<qsizetype>(i)] && (i == 0 || reach > kNone)) {
                const int own = kLetter + (beginsWord(title, at) ? kWordStart : 0);
                const int beside =
                    i > 0 && best[i - 1][j - 1] > kNone ? best[i - 1][j - 1] + kTogether : kNone;
                const bool together = beside >= reach && i > 0;
                best[i][j] = own + (i == 0 ? (j == 0 ? kFirst : 0) : std::max(reach, beside));
                from[i][j] = together ? static_cast<int>(j) - 1 : reachAt;
            }
            if (i > 0 && best[i - 1][j] > reach) {
                reach = best[i - 1][j];
                reachAt = static_cast<int>(j);
            }
        }
    }
    const auto end = std::max_element(best[n - 1].begin(), best[n - 1].end());
    if (*end <= kNone)
        return std::nullopt;
    FuzzyMatch match;
    match.score = *end * 100 - static_cast<int>(m); // the shorter title of two alike
    auto at = static_cast<int>(end - best[n - 1].begin());
    for (size_t i = n; i-- > 0;) {
        match.position.prepend(at);
        at = from[i][static_cast<size_t>(at)];
    }
    return match;
}

} // namespace scalebench
