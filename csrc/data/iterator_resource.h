#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "data/iterator_position.h"
#include "data/iterator_server.h"
#include "tensor/resource_handle.h"

namespace tinytf::data {

/// An iterator as steps see it: the elements' spec, and once it was initialized, a pipeline. Thread-safe.
class IteratorResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::IteratorResource";
  static constexpr const char* kRegistryType = "N10tensorflow4data16IteratorResourceE";
  static constexpr const char* kNoun = "iterator";

  explicit IteratorResource(ElementSpec spec) : spec_(std::move(spec)) {}

  /// As declared; without types, elements of every spec are allowed.
  const ElementSpec& spec() const { return spec_; }
  /// Starts over with a new iterator of the dataset, and ends the pipeline before. InvalidArgument if the specs do not
  /// match, else fails as Dataset::make_iterator does. Begins at the position that begin_at() has set; if it does not
  /// fit, fails as restore() and is still to begin there.
  Status start(const Dataset& dataset, const KernelServices& step);
  /// The pipeline. FailedPrecondition with TensorFlow's text before start().
  Result<RefPtr<IteratorServer>> server() const;
  /// The pipeline, which is measured from now on, as are later ones. FailedPrecondition before start().
  Result<RefPtr<IteratorServer>> measured_server();
  /// Writes the position of the iterator. FailedPrecondition before start().
  Status save(const KernelServices& step, StateWriter& state) const;
  /// The position of the iterator; before start(), the one that begin_at() has set, or one without values.
  Result<RefPtr<const IteratorPosition>> position(const KernelServices& step) const;
  /// Continues at such a position: now, or before start(), when it is called next. Without values: at the beginning.
  /// Fails as restore().
  Status begin_at(const KernelServices& step, RefPtr<const IteratorPosition> position);
  /// Starts over at a saved position, in the dataset of the last start(). FailedPrecondition before. After an error,
  /// the position is the old one.
  Status restore(const KernelServices& step, StateReader& state);

  std::string debug_string() const override { return "Iterator resource"; }
  void stop() override;

 private:
  ~IteratorResource() override;
  void replace(RefPtr<IteratorServer> server, RefPtr<const Dataset> dataset);

  RefPtr<const IteratorPosition> first_position() const;
  /// The pipeline and its dataset; null before start().
  std::pair<RefPtr<IteratorServer>, RefPtr<const Dataset>> current() const;

  const ElementSpec spec_;
  mutable std::mutex mutex_;  // Guards the members below. Held briefly, and together with no other lock.
  RefPtr<IteratorServer> server_;
  RefPtr<const Dataset> dataset_;
  RefPtr<const IteratorPosition> first_;  // Of the next start(); null: the first element.
  bool is_measured_ = false;
};

}  // namespace tinytf::data
