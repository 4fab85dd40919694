#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/iterator.h"
#include "op/function_runner.h"
#include "op/node_info.h"
#include "tensor/variant.h"

namespace tinytf::data {

constexpr int64_t kInfiniteCardinality = -1;
constexpr int64_t kUnknownCardinality = -2;

/// A node that makes an equal dataset: the op and attrs, and the values of the inputs. Datasets are serialized as
/// graphs of such nodes.
struct DatasetOrigin {
  std::shared_ptr<const NodeInfo> node;
  std::vector<Tensor> inputs;
  std::vector<RefPtr<FunctionSource>> functions = {};  ///< that attrs of the node name, in their order
  uint64_t maker = 0;  ///< id of the FunctionRunner of the graph or function that has the node; 0: unknown
};

/// What every dataset is made of.
struct DatasetParts {
  DatasetOrigin origin;
  std::shared_ptr<const ElementSpec> spec;
  int levels = 1;  ///< see Dataset::levels
};

class RewriteSite;

/// A description of a sequence of elements: the value of an element of dtype variant. Immutable and thread-safe.
class Dataset : public VariantValue {
 public:
  static constexpr const char* kTypeName = "tensorflow::DatasetVariantWrapper";

  /// As the program declares it: elements of an imported graph may be different.
  const ElementSpec& spec() const { return *parts_.spec; }
  const DatasetOrigin& origin() const { return parts_.origin; }
  /// The node of the program that this dataset stands for in reports: the origin's unless a rewriting made the dataset.
  const std::shared_ptr<const NodeInfo>& site() const { return site_ != nullptr ? site_ : parts_.origin.node; }
  /// For rewritings, before the dataset is shared with other threads.
  void set_site(std::shared_ptr<const NodeInfo> site) const { site_ = std::move(site); }

  /// Returns an iterator before the first element. It keeps the dataset alive.
  virtual Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext& ctx) const = 0;
  /// The number of elements, if it is known without iteration, or one of the constants above.
  virtual int64_t cardinality() const { return kUnknownCardinality; }
  /// Whether the origin makes equal datasets. Others cannot be stored.
  virtual bool has_graph() const { return true; }
  /// Whether its iterators are stages of a pipeline. Otherwise they are iterators of another dataset.
  virtual bool is_stage() const { return true; }

  /// The dataset that takes the place of this one where pipelines are rewritten; null: none does. The op that makes
  /// such datasets is listed in ops/data/optimize.cc.
  virtual Result<RefPtr<const Dataset>> rewritten(const RewriteSite& /*site*/) const { return RefPtr<const Dataset>(); }

  std::string type_name() const override { return kTypeName; }
  std::string debug_string() const override { return str_cat("Dataset of op ", parts_.origin.node->op->name); }
  int64_t bytes() const override { return bytes_of(parts_.origin.inputs); }
  int depth() const override { return parts_.levels / kLevelsPerDepth + 1; }
  /// Nesting depth of datasets, including this one. Datasets may nest more deeply than other variants, because programs
  /// chain them in loops; kLevelsPerDepth levels count as one level of variants.
  int levels() const { return parts_.levels; }

  /// The levels of a dataset with these inputs. InvalidArgument beyond kMostLevels.
  static Result<int> levels_around(const std::vector<Tensor>& inputs);

  static constexpr int kMostLevels = 900;
  static constexpr int kLevelsPerDepth = 10;

 protected:
  explicit Dataset(DatasetParts parts) : parts_(std::move(parts)) {}

 private:
  const DatasetParts parts_;
  mutable std::shared_ptr<const NodeInfo> site_;
};

/// The dataset in a scalar variant. InvalidArgument with TensorFlow's text if there is none. Valid as long as the
/// tensor or a copy of it.
Result<const Dataset*> dataset_of(const Tensor& tensor);
/// A scalar variant with the dataset. ResourceExhausted without memory.
Result<Tensor> tensor_of(RefPtr<const Dataset> dataset);

/// Base of iterators that refer to their dataset and keep it alive.
template <class D>
class IteratorOf : public Iterator {
 public:
  explicit IteratorOf(const D& dataset) : dataset_(RefPtr<const D>::share(&dataset)) {}
  const Dataset* made_of() const final { return dataset_.get(); }

 protected:
  const D& dataset() const { return *dataset_; }

 private:
  const RefPtr<const D> dataset_;
};

}  // namespace tinytf::data
