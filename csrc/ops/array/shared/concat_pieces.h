#pragma once

#include <vector>

#include "kernels/table.h"
#include "op/kernel.h"
#include "ops/object_cost.h"

namespace tinytf::ops {

/// Pointers and sizes of the pieces of one tensor viewed as [outer, inner]. Sizes are in bytes, or in objects for
/// string and resource tensors.
using Pointers = InlinedVector<const void*, 16>;
using PieceSizes = InlinedVector<int64_t, 16>;

/// Copies n objects.
inline void copy_objects(const Tensor& src, int64_t from, Tensor& dst, int64_t to, int64_t n, Parallel& parallel) {
  parallel.run_in_order(n, kObjectCost, [&](int64_t begin, int64_t end) {
    copy_elements(src, from + begin, dst, to + begin, end - begin);
  });
}

/// Concatenates inputs `first`, `first` + 1, … of `ctx`, viewed as [outer, inner[i]], along the second dimension into
/// `out`.
inline void concat_inputs(KernelContext& ctx, int first, const PieceSizes& inner, int64_t outer, Tensor& out) {
  const int n = static_cast<int>(inner.size());
  if (const auto size = static_cast<int64_t>(dtype_size(out.dtype()))) {
    Pointers inputs;
    PieceSizes bytes;
    for (int i = 0; i < n; ++i) {
      if (inner[i] == 0) continue;
      inputs.push_back(ctx.input(first + i).raw());
      bytes.push_back(inner[i] * size);
    }
    kernels::table().copy.concat(inputs.data(), bytes.data(), static_cast<int>(inputs.size()), outer, out.raw(),
                                 ctx.parallel());
    return;
  }
  int64_t to = 0;
  const double cost = kObjectCost * static_cast<double>(out.num_elements()) / static_cast<double>(outer);
  ctx.parallel().run_in_order(outer, cost, [&](int64_t row, int64_t end) {
    for (; row < end; ++row) {
      for (int i = 0; i < n; ++i) {
        copy_objects(ctx.input(first + i), row * inner[i], out, to, inner[i], ctx.parallel());
        to += inner[i];
      }
    }
  });
}

/// Concatenates the flattened elements of `values` into `out`.
inline void concat_values(const std::vector<Tensor>& values, Tensor& out, Parallel& parallel) {
  if (const auto size = static_cast<int64_t>(dtype_size(out.dtype()))) {
    Pointers inputs;
    PieceSizes bytes;
    for (const Tensor& value : values) {
      if (value.num_elements() == 0) continue;
      inputs.push_back(value.raw());
      bytes.push_back(value.num_elements() * size);
    }
    kernels::table().copy.concat(inputs.data(), bytes.data(), static_cast<int>(inputs.size()), 1, out.raw(), parallel);
    return;
  }
  int64_t to = 0;
  for (const Tensor& value : values) {
    copy_objects(value, 0, out, to, value.num_elements(), parallel);
    to += value.num_elements();
  }
}

/// Output i of `ctx` gets shape(i), which must have outer * inner[i] elements, and piece i of `value`, viewed as
/// [outer, sum of inner]. With outer = 1 the outputs share the memory of `value`.
template <class ShapeOf>
Status split_outputs(KernelContext& ctx, const Tensor& value, const PieceSizes& inner, int64_t outer, ShapeOf shape) {
  const int n = static_cast<int>(inner.size());
  if (outer == 1) {
    int64_t at = 0;
    for (int i = 0; i < n; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor piece, value.view(at, shape(i)));
      at += piece.num_elements();
      ctx.set_output(i, std::move(piece));
    }
    return Status();
  }
  InlinedVector<Tensor*, 16> outputs;
  for (int i = 0; i < n; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, shape(i)));
    outputs.push_back(out);
  }
  if (value.num_elements() == 0) return Status();
  if (const auto size = static_cast<int64_t>(dtype_size(value.dtype()))) {
    InlinedVector<void*, 16> targets;
    PieceSizes bytes;
    for (int i = 0; i < n; ++i) {
      targets.push_back(outputs[i]->raw());
      bytes.push_back(inner[i] * size);
    }
    kernels::table().copy.split(value.raw(), outer, targets.data(), bytes.data(), n, ctx.parallel());
    return Status();
  }
  int64_t from = 0;
  const double cost = kObjectCost * static_cast<double>(value.num_elements()) / static_cast<double>(outer);
  ctx.parallel().run_in_order(outer, cost, [&](int64_t row, int64_t end) {
    for (; row < end; ++row) {
      for (int i = 0; i < n; ++i) {
        copy_objects(value, from, *outputs[i], row * inner[i], inner[i], ctx.parallel());
        from += inner[i];
      }
    }
  });
  return Status();
}

}  // namespace tinytf::ops
