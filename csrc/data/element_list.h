#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace tinytf::data {

/// A dataset of elements in memory: a part of another dataset, which is a component of its elements or an argument of a
/// function.
class ElementList final : public Dataset {
 public:
  using Elements = std::shared_ptr<const std::vector<Element>>;

  /// A tensor with the list. `maker` is the node of the dataset to whose elements it belongs. InvalidArgument if
  /// datasets are nested too deep.
  static Result<Tensor> tensor_of(std::shared_ptr<const NodeInfo> maker, std::shared_ptr<const ElementSpec> spec,
                                  Elements elements);
  ElementList(DatasetParts parts, Elements elements) : Dataset(std::move(parts)), elements_(std::move(elements)) {}

  const std::vector<Element>& elements() const { return *elements_; }
  int64_t cardinality() const override { return static_cast<int64_t>(elements_->size()); }
  int64_t bytes() const override;
  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext& ctx) const override;

 private:
  const Elements elements_;
};

}  // namespace tinytf::data
