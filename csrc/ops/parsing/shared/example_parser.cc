#include "ops/parsing/shared/example_parser.h"

#include <algorithm>
#include <new>

#include "ops/parsing/shared/example_wire.h"
#include "ops/parsing/shared/feature_values.h"

namespace tinytf::ops {

namespace {

constexpr int64_t kRow = 32;          // number of Examples that a thread parses at a time
constexpr double kFeatureCost = 100;  // approximate, in nanoseconds

/// Parses a range of Examples: dense features of fixed size into the outputs, the others into its own memory.
class RowParser {
 public:
  RowParser(const ExampleBatch& batch, const std::vector<Tensor*>& outputs)
      : batch_(batch), spec_(batch.spec), outputs_(outputs), columns_(spec_.size()), seen_(spec_.size(), -1) {}

  Status parse(const KernelContext& ctx, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      TINYTF_RETURN_IF_ERROR(parse_one(i));
      TINYTF_RETURN_IF_ERROR(complete(ctx, i));
    }
    return Status();
  }
  FeatureValues& column(size_t number) { return columns_[number]; }

 private:
  Status parse_one(int64_t example) {
    entries_.clear();
    if (!read_entries(batch_.serialized[example], entries_)) {
      return invalid_argument("Could not parse example input, value: '", batch_.serialized[example], "'");
    }
    guesses_.resize(std::max(guesses_.size(), entries_.size()), -1);
    for (size_t i = entries_.size(); i-- > 0;) {  // of equal keys the last one counts
      const int number = guesses_[i] = batch_.keys.find(entries_[i].key, guesses_[i]);
      if (number >= 0) TINYTF_RETURN_IF_ERROR(parse_feature(example, static_cast<size_t>(number), entries_[i].feature));
    }
    return Status();
  }

  Status parse_feature(int64_t example, size_t number, std::string_view feature) {
    const bool is_dense = number >= spec_.sparse.size();
    DType found = DType::kInvalid;
    if (!take_feature_type(feature, found)) return invalid_argument("Unsupported datatype.");
    // A feature without a list counts as an empty value only for sparse features in a batch; otherwise it counts as
    // missing.
    if (found == DType::kInvalid && (is_dense || batch_.is_single)) return Status();
    if (seen_[number] == example) return Status();
    seen_[number] = example;
    if (!is_dense) return parse_sparse(example, number, found, feature);
    const DenseFeature& dense = spec_.dense[number - spec_.sparse.size()];
    if (found != dense.dtype) {
      return error(example, number, "Data types don't match. Data type: ", dtype_name(found),
                   " but expected type: ", dtype_name(dense.dtype));
    }
    return dense.varies ? parse_varying(example, number, dense, feature) : parse_fixed(example, number, dense, feature);
  }

  Status parse_sparse(int64_t example, size_t number, DType found, std::string_view feature) {
    if (found == DType::kInvalid) return Status();
    if (found != spec_.sparse[number]) {
      return error(example, number, "Data types don't match. Expected type: ", dtype_name(spec_.sparse[number]),
                   ", Actual type: ", dtype_name(found));
    }
    return read_all(number, found, feature) ? Status() : damaged(example, number);
  }

  Status parse_fixed(int64_t example, size_t number, const DenseFeature& dense, std::string_view feature) {
    return with_feature_type(dense.dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const auto wanted = static_cast<size_t>(dense.stride);
      Tensor& output = *outputs_[number - spec_.sparse.size()];
      FixedValues<T> values(output.data<T>() + example * dense.stride, wanted);
      if (!read_list(feature, type, values)) return damaged(example, number);
      if (values.count() == wanted) return Status();
      if (batch_.is_single) return damaged(example, number);
      return error(example, number, "Number of ", list_name(dense.dtype),
                   " values != expected.  Values size: ", values.count(),
                   " but output shape: ", dense.shape.to_string());
    });
  }

  Status parse_varying(int64_t example, size_t number, const DenseFeature& dense, std::string_view feature) {
    const size_t before = columns_[number].size();
    if (!read_all(number, dense.dtype, feature)) return damaged(example, number);
    const size_t count = columns_[number].size() - before;
    if (dense.stride > 0 ? count % static_cast<size_t>(dense.stride) == 0 : count == 0) return Status();
    if (batch_.is_single) return damaged(example, number);
    return error(example, number, "Number of ", list_name(dense.dtype),
                 " values is not a multiple of stride length. Saw ", count,
                 " values but output shape is: ", dense.shape.to_string());
  }

  /// Fills in the features that the Example does not have.
  Status complete(const KernelContext& ctx, int64_t example) {
    const size_t sparse = spec_.sparse.size();
    for (size_t number = 0; number < sparse; ++number) columns_[number].end_example();
    for (size_t i = 0; i < spec_.dense.size(); ++i) {
      const DenseFeature& dense = spec_.dense[i];
      if (dense.varies) {
        columns_[sparse + i].end_example();
      } else if (seen_[sparse + i] != example) {
        const Tensor& value = ctx.input(batch_.first_default + static_cast<int>(i));
        if (value.num_elements() == 0) return missing(example, sparse + i, dense.dtype);
        copy_elements(value, 0, *outputs_[i], example * dense.stride, dense.stride);
      }
    }
    return Status();
  }

  bool read_all(size_t number, DType dtype, std::string_view feature) {
    return with_feature_type(dtype, [&](auto* type) {
      AllValues<std::remove_pointer_t<decltype(type)>> values(&columns_[number].values(type));
      return read_list(feature, type, values);
    });
  }

  static std::string_view list_name(DType dtype) { return dtype == DType::kString ? "bytes" : dtype_name(dtype); }
  std::string_view name(int64_t example) const {
    return batch_.names != nullptr ? std::string_view(batch_.names[example]) : "<unknown>";
  }

  template <class... Pieces>
  Status error(int64_t example, size_t number, const Pieces&... pieces) const {
    if (batch_.is_single) return invalid_argument("Key: ", batch_.keys[number], ".  ", pieces...);
    return invalid_argument("Name: ", name(example), ", Key: ", batch_.keys[number], ", Index: ", example, ".  ",
                            pieces...);
  }
  Status damaged(int64_t example, size_t number) const {
    return error(example, number, "Can't parse serialized Example.");
  }
  Status missing(int64_t example, size_t number, DType dtype) const {
    const std::string text = str_cat("Feature: ", batch_.keys[number], " (data type: ", dtype_name(dtype),
                                     ") is required but could not be found.");
    return batch_.is_single ? invalid_argument(text) : invalid_argument("Name: ", name(example), ", ", text);
  }

  const ExampleBatch& batch_;
  const ExampleSpec& spec_;
  const std::vector<Tensor*>& outputs_;  // outputs of dense features, null for features that vary
  std::vector<FeatureValues> columns_;   // values of sparse features and of dense features that vary
  std::vector<int64_t> seen_;            // for each feature, the last Example that had it
  std::vector<FeatureEntry> entries_;
  std::vector<int> guesses_;  // for each position, the number of the feature there in the previous Example
};

Result<std::vector<Tensor*>> allocate_fixed(KernelContext& ctx, const ExampleBatch& batch) {
  const auto first = 3 * static_cast<int>(batch.spec.sparse.size());
  std::vector<Tensor*> outputs(batch.spec.dense.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const DenseFeature& dense = batch.spec.dense[i];
    if (dense.varies) continue;
    Shape shape = dense.shape.to_shape();
    if (!batch.is_single) shape.insert_dim(0, batch.count);
    TINYTF_ASSIGN_OR_RETURN(outputs[i], ctx.allocate_output(first + static_cast<int>(i), shape));
  }
  return outputs;
}

/// Sets an output to the values of each Example of a batch, padded to the same number of rows.
Status set_varying(KernelContext& ctx, int output, const DenseFeature& dense, const Tensor& padding,
                   const ValuesOfBatch& rows, const ExampleBatch& batch) {
  Shape shape = dense.shape_of(longest_of(rows));
  const int64_t room = batch.is_single ? 0 : longest_of(rows);
  if (!batch.is_single) shape.insert_dim(0, batch.count);
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(output, shape));
  with_feature_type(dense.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T* to = out->data<T>();
    for (FeatureValues* row : rows) {
      auto from = row->values(type).begin();
      size_t begin = 0;
      for (const size_t end : row->ends()) {
        T* const filled = std::move(from, from + static_cast<std::ptrdiff_t>(end - begin), to);
        from += static_cast<std::ptrdiff_t>(end - begin);
        std::fill(filled, std::max(filled, to + room), *padding.data<T>());
        to += room;
        begin = end;
      }
    }
  });
  return Status();
}

Status set_collected(KernelContext& ctx, const ExampleBatch& batch, std::vector<RowParser>& parsers) {
  const auto sparse = static_cast<int>(batch.spec.sparse.size());
  for (int number = 0; number < static_cast<int>(batch.spec.size()); ++number) {
    const int i = number - sparse;  // index of the dense feature; negative for a sparse one
    if (i >= 0 && !batch.spec.dense[i].varies) continue;
    ValuesOfBatch rows;
    for (RowParser& parser : parsers) rows.push_back(&parser.column(number));
    if (i < 0) {
      TINYTF_RETURN_IF_ERROR(set_sparse(ctx, number, sparse, batch.spec.sparse[number], rows, !batch.is_single));
    } else {
      TINYTF_RETURN_IF_ERROR(
          set_varying(ctx, 3 * sparse + i, batch.spec.dense[i], ctx.input(batch.first_default + i), rows, batch));
    }
  }
  return Status();
}

}  // namespace

Status parse_examples(KernelContext& ctx, const ExampleBatch& batch) {
  TINYTF_RETURN_IF_ERROR(check_defaults(ctx, batch.first_default, batch.spec.dense));
  TINYTF_ASSIGN_OR_RETURN(const std::vector<Tensor*> outputs, allocate_fixed(ctx, batch));
  const int64_t count = (batch.count + kRow - 1) / kRow;
  std::vector<RowParser> parsers(static_cast<size_t>(count), RowParser(batch, outputs));
  std::vector<Status> statuses(parsers.size());
  const double cost = kRow * kFeatureCost * static_cast<double>(batch.spec.size());
  ctx.parallel().run(count, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      try {
        statuses[i] = parsers[i].parse(ctx, i * kRow, std::min(batch.count, (i + 1) * kRow));
      } catch (const std::bad_alloc&) {
        statuses[i] = Status(Code::kResourceExhausted, "Out of memory while parsing the features of the examples");
      }
    }
  });
  for (const Status& status : statuses) TINYTF_RETURN_IF_ERROR(status);
  return set_collected(ctx, batch, parsers);
}

}  // namespace tinytf::ops
