// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where and how to write one chart: PNG, SVG, PDF or CSV.

#include "base/result.h"
#include "figures/chart_data.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace scalebench {

struct ExportOptions;

class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ExportDialog(const ChartData& chart, QWidget* parent = nullptr);

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

    ChartData m_chart;
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
