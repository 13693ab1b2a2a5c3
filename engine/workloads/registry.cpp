// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/registry.h"

#include "engine/workloads/bert/bert_workload.h"
#include "engine/workloads/dlrm/dlrm_workload.h"
#include "engine/workloads/gnmt/gnmt_workload.h"
#include "engine/workloads/maskrcnn/maskrcnn_workload.h"
#include "engine/workloads/ncf/ncf_workload.h"
#include "engine/workloads/resnet/resnet_workload.h"
#include "engine/workloads/retinanet/retinanet_workload.h"
#include "engine/workloads/ssd/ssd_workload.h"
#include "engine/workloads/transformer/transformer_workload.h"

namespace scalebench::workloads {
namespace {

constexpr MetricInfo kTop1[] = {{"top1_accuracy", 1}};
constexpr MetricInfo kAuc[] = {{"auc", 1}};
constexpr MetricInfo kBleu[] = {{"bleu", 100}};
constexpr MetricInfo kMaskedWords[] = {{"masked_lm_accuracy", 1}, {"nsp_accuracy", 1}};
constexpr MetricInfo kRanking[] = {{"hit_rate", 1}, {"ndcg", 1}};
constexpr MetricInfo kBoxes[] = {{"box_map", 1}, {"box_ap50", 1}};
constexpr MetricInfo kBoxesAndMasks[] = {
    {"box_map", 1, "BBOX"}, {"mask_map", 1, "SEGM"}, {"box_ap50", 1}, {"mask_ap50", 1}};

constexpr WorkloadEntry kWorkloads[] = {
    {"bert", BertRecipe::parse, kMaskedWords},
    {"dlrm", DlrmRecipe::parse, kAuc},
    {"gnmt", GnmtRecipe::parse, kBleu},
    {"maskrcnn", MaskRcnnRecipe::parse, kBoxesAndMasks},
    {"ncf", NcfRecipe::parse, kRanking},
    {"resnet", ResNetRecipe::parse, kTop1},
    {"retinanet", RetinaNetRecipe::parse, kBoxes, "ssd"}, // since v2.0
    {"ssd", SsdRecipe::parse, kBoxes},
    {"transformer", TransformerRecipe::parse, kBleu},
};

} // namespace

void requireSampleCounts(const DataConfig& data)
{
    if (data.source != DataSource::Files && (data.trainSamples == 0 || data.evalSamples == 0))
        refuseSetting("\"data.train_samples\" and \"data.eval_samples\" must be above 0 for " +
                      std::string(dataSourceName(data.source)) + " data");
}

std::span<const WorkloadEntry> workloadTable()
{
    return kWorkloads;
}

const WorkloadEntry& findWorkload(const std::string& id)
{
    std::string known;
    for (const WorkloadEntry& entry : kWorkloads) {
        if (id == entry.id)
            return entry;
        known.append(known.empty() ? "" : ", ").append(entry.id);
    }
    refuseSetting("\"workload\" is \"" + id + "\"; this engine has: " + known);
}

} // namespace scalebench::workloads
