// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The published results as studies, so that the charts and tables of own results show them too.

#include "import/published_results.h"
#include "run/study.h"

namespace scalebench::imports {

/// Those figures of publishedFigures() that have times over several numbers of GPUs, or gaps.
QList<PublishedFigure> publishedStudies();
/// One run for each row of the figure that tells its time; the epochs where they are told. Its runs
/// have the origin "published" and no folder. An id that is not known: no runs.
Study publishedStudy(const QString& figure);
/// Whether the figure tells gaps between shapes, and no times: its study has no runs.
bool hasPublishedGaps(const QString& figure);
/// Of the studies above, by the id that publishedStudy() gives them; empty: none.
QString publishedFigureOf(const Study& study);

} // namespace scalebench::imports
