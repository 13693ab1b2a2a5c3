// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/synthetic.h"

#include "engine/data/hash_random.h"

#include <algorithm>

namespace scalebench::data {
namespace {

class SyntheticDataset final : public ImageDataset
{
public:
    SyntheticDataset(int64_t samples, int edge, int classes, uint64_t seed)
        : samples_(samples), edge_(edge), seed_(seed)
    {
        for (int c = 0; c < classes; ++c)
            classNames_.push_back("class " + std::to_string(c));
        const int64_t bytes = int64_t{edge} * edge * 3;
        kept_ = std::clamp<int64_t>((int64_t{64} << 20) / bytes, 1,
                                    std::min<int64_t>(1024, std::max<int64_t>(samples, 1)));
        pixels_.resize(size_t(kept_ * bytes));
        HashRandom random({seed, 17});
        for (size_t i = 0; i < pixels_.size(); i += 8) {
            uint64_t bits = random.bits();
            for (size_t k = i; k < std::min(i + 8, pixels_.size()); ++k, bits >>= 8)
                pixels_[k] = uint8_t(bits);
        }
    }
    int64_t size() const override { return samples_; }
    int label(int64_t index) const override
    {
        return int(HashRandom({seed_, 18, uint64_t(index)}).below(uint32_t(classNames_.size())));
    }
    Image decode(int64_t index) const override
    {
        const auto p = pixels(index);
        return {edge_, edge_, std::vector<uint8_t>(p.begin(), p.end())};
    }
    std::span<const uint8_t> pixels(int64_t index) const override
    {
        const size_t bytes = size_t(edge_) * size_t(edge_) * 3;
        return {pixels_.data() + size_t(index % kept_) * bytes, bytes};
    }
    int edge() const override { return edge_; }

private:
    int64_t samples_;
    int edge_;
    uint64_t seed_;
    int64_t kept_ = 1;
    std::vector<uint8_t> pixels_;
};

} // namespace

std::unique_ptr<ImageDataset> makeSyntheticDataset(int64_t samples, int edge, int classes,
                                                   uint64_t seed)
{
    return std::make_unique<SyntheticDataset>(samples, edge, classes, seed);
}

} // namespace scalebench::data
