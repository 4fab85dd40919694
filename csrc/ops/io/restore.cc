#include <algorithm>
#include <vector>

#include "io/bundle_reader.h"
#include "io/file_system.h"
#include "op/registration.h"
#include "ops/io/restore_early.h"
#include "ops/io/shared/checkpoint_inputs.h"
#include "ops/io/shared/checkpoint_shapes.h"
#include "ops/io/shared/variant_codec.h"

namespace tinytf::ops {
namespace {

/// One execution of RestoreV2 on a checkpoint of SaveV2.
class BundleRestore {
 public:
  BundleRestore(KernelContext& ctx, BundleReader& reader) : ctx_(ctx), reader_(reader) {
    for (int i = 0; i < ctx.num_outputs(); ++i) order_.push_back(i);
    std::sort(order_.begin(), order_.end(), [this](int a, int b) { return name(a) < name(b); });
  }

  Status run() {
    TINYTF_RETURN_IF_ERROR(find_entries());
    std::vector<StoredTensor> stored(order_.size());
    for (const int i : order_) {
      TINYTF_ASSIGN_OR_RETURN(stored[static_cast<size_t>(i)], locate(i, entries_[static_cast<size_t>(i)]));
    }
    for (const int i : order_) {
      const StoredTensor& from = stored[static_cast<size_t>(i)];
      TINYTF_ASSIGN_OR_RETURN(Tensor * to, ctx_.allocate_output(i, from.shape));
      reader_.add(from, *to);
    }
    return reader_.run(ctx_.parallel());
  }

 private:
  const std::string& name(int i) const { return ctx_.input(1).data<std::string>()[i]; }

  /// Finds all entries before anything is read; the error names each tensor with another dtype.
  Status find_entries() {
    entries_.resize(order_.size());
    std::string mismatches;
    for (const int i : order_) {
      TINYTF_ASSIGN_OR_RETURN(BundleEntry entry, reader_.index().find(name(i)));
      const DType expected = ctx_.node().outputs[i].dtype;
      if (entry.dtype != expected) {
        mismatches += str_cat(mismatches.empty() ? "" : "\n", "tensor_name = ", name(i), "; expected dtype ",
                              dtype_name(expected), " does not equal original dtype ", dtype_name(entry.dtype));
      }
      entries_[static_cast<size_t>(i)] = std::move(entry);
    }
    return mismatches.empty() ? Status() : invalid_argument(mismatches);
  }

  Result<StoredTensor> locate(int i, const BundleEntry& entry) {
    const std::string& text = ctx_.input(2).data<std::string>()[i];
    if (text.empty()) return reader_.locate(name(i), entry);
    TINYTF_ASSIGN_OR_RETURN(const ShapeAndSlice wanted, parse_shape_and_slice(text));
    if (wanted.shape != entry.shape) {
      return invalid_argument("tensor_name = ", name(i), "; shape in shape_and_slice spec ", wanted.shape.to_string(),
                              " does not match the shape stored in checkpoint: ", entry.shape.to_string());
    }
    return reader_.locate(name(i), entry, wanted.slice);
  }

  KernelContext& ctx_;
  BundleReader& reader_;
  std::vector<int> order_;  // output indices, sorted by name
  std::vector<BundleEntry> entries_;
};

/// RestoreV2 on a checkpoint of Save.
Status restore_early(KernelContext& ctx, const std::string& prefix) {
  TINYTF_ASSIGN_OR_RETURN(const auto reader, EarlyCheckpointReader::open(prefix));
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const std::string& name = ctx.input(1).data<std::string>()[i];
    TINYTF_RETURN_IF_ERROR(restore_early_tensor(ctx, i, *reader, name, ctx.input(2).data<std::string>()[i]));
  }
  return Status();
}

class RestoreV2Kernel final : public Kernel {
 public:
  explicit RestoreV2Kernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_checkpoint_inputs(ctx));
    if (ctx.input(1).num_elements() != ctx.num_outputs()) {
      return invalid_argument("Got ", ctx.input(1).num_elements(), " tensor names, but ", ctx.num_outputs(),
                              " expected dtypes.");
    }
    const std::string& prefix = *ctx.input(0).data<std::string>();
    const auto indexes = files_called(index_file_name(prefix));
    if (!indexes.ok() || indexes.value().empty()) return restore_early(ctx, prefix);
    TINYTF_ASSIGN_OR_RETURN(const auto reader, BundleReader::open(prefix, &variant_codec()));
    return BundleRestore(ctx, *reader).run();
  }
};

Status restore_v2_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_RETURN_IF_ERROR(c.input(1).merge(c.input(2)).status());
  return set_slice_shapes(c, 2);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_restore) {
  using namespace tinytf::ops;
  ops.op("RestoreV2")
      .input("prefix: string")
      .input("tensor_names: string")
      .input("shape_and_slices: string")
      .output("tensors: dtypes")
      .attr("dtypes: list(type) >= 1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(restore_v2_shape)
      .not_differentiable()
      .doc(
          "Restores the tensors `tensor_names` from a checkpoint of SaveV2 or Save, or the slices of them given by "
          "`shape_and_slices`. Fails with NotFound for a name that is not in the checkpoint, with InvalidArgument if "
          "the saved dtype or shape differs, and with DataLoss for damaged files.");
  kernels.add<RestoreV2Kernel>("RestoreV2");
}
