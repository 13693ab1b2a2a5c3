// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where and how to write one chart: PNG, SVG, PDF or CSV.

#include "base/result.h"
#include "charts/chart_export.h"
#include "figures/chart_data.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace scalebench {

class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    /// `shown`: how the window shows it; size, scale and colours are asked here.
    ExportDialog(const ChartData& chart, const ExportOptions& shown, QWidget* parent = nullptr);
    /// What files of its values hold: the same in English.
    void setValues(const ChartData& english) { m_values = english; }

    QString fileName() const;
    void setFileName(const QString& file);

private:
    void setupForm();
    void setupButtons();
    void browse();
    void updateFormat();
    void save();
    void written(const Result<void>& result, const QString& file, const ExportOptions& options);
    QString suffix() const;
    bool isPicture() const;

    ChartData m_chart, m_values;
    ExportOptions m_shown;
    QComboBox* m_format;
    QComboBox* m_scale;
    QComboBox* m_size;
    QCheckBox* m_light;
    QCheckBox* m_headings;
    QLineEdit* m_file;
    QLabel* m_message;
    QDialogButtonBox* m_buttons;
};

} // namespace scalebench
