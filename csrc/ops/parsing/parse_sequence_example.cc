#include <algorithm>
#include <new>

#include "op/registration.h"
#include "ops/parsing/shared/example_wire.h"
#include "ops/parsing/shared/feature_values.h"
#include "ops/parsing/shared/sequence_spec.h"

namespace tinytf::ops {
namespace {

using Strings = std::vector<std::string>;

constexpr int64_t kSequenceRow = 32;          // number of SequenceExamples that a thread parses at a time
constexpr double kSequenceFeatureCost = 500;  // approximate, in nanoseconds

/// The values of one feature, or of one feature list, in consecutive SequenceExamples.
struct Column {
  FeatureValues values;       ///< ends of the values of each item for lists, else of each example
  std::vector<size_t> items;  ///< number of items in each example's list
  std::vector<bool> found;    ///< whether each example has the feature
};

struct Keys {
  Keys(const Strings& sparse, const Strings& dense) {
    for (const std::string& key : sparse) numbers.add(key);
    for (const std::string& key : dense) numbers.add(key);
  }
  FeatureKeys numbers;
};

/// Reads the list of a Feature, which must be of type `dtype`. If `is_all`, no bytes may follow it.
bool read_sequence_feature(std::string_view feature, DType dtype, bool is_all, FeatureValues& values) {
  DType found = DType::kInvalid;
  if (!take_feature_type(feature, found) || found != dtype) return false;
  std::string_view rest = feature, list;
  if (!take_message(rest, list) || (is_all && !rest.empty())) return false;
  return with_feature_type(dtype, [&](auto* type) {
    AllValues<std::remove_pointer_t<decltype(type)>> all(&values.values(type));
    return read_list(feature, type, all);
  });
}

class SequenceRowParser {
 public:
  SequenceRowParser(const SequenceSpec& spec, const FeatureKeys& context_keys, const FeatureKeys& list_keys)
      : spec_(&spec),
        keys_{&context_keys, &list_keys},
        columns_{std::vector<Column>(spec.context.size()), std::vector<Column>(spec.lists.size())} {}

  Status parse(std::string_view example, std::string_view name) {
    std::vector<std::string_view> context, lists;  // by feature number; null if missing
    context.resize(spec_->context.size());
    lists.resize(spec_->lists.size());
    if (!read_maps(example, context, lists)) {
      return invalid_argument("Invalid protocol message input, example id: ", name);
    }
    for (size_t i = 0; i < context.size(); ++i) {
      if (!parse_context(i, context[i])) {
        return invalid_argument("Error in context feature ", (*keys_[0])[i], " in example ", name);
      }
    }
    for (size_t i = 0; i < lists.size(); ++i) {
      if (!parse_list(i, lists[i])) {
        return invalid_argument("Error in sequence feature ", (*keys_[1])[i], " in example ", name);
      }
    }
    return Status();
  }
  Column& context(size_t i) { return columns_[0][i]; }
  Column& list(size_t i) { return columns_[1][i]; }

 private:
  bool read_maps(std::string_view example, std::vector<std::string_view>& context,
                 std::vector<std::string_view>& lists) const {
    while (!example.empty()) {
      const bool is_context = take_tag(example, 1, WireType::kBytes);
      if (!is_context && !take_tag(example, 2, WireType::kBytes)) {
        if (!skip_field(example)) return false;
        continue;
      }
      std::string_view entries;
      if (!take_message(example, entries)) return false;
      while (!entries.empty()) {
        FeatureEntry entry;
        if (!take_tag(entries, 1, WireType::kBytes) || !take_entry(entries, entry)) return false;
        const int number = keys_[is_context ? 0 : 1]->find(entry.key, -1);
        if (number >= 0) (is_context ? context : lists)[static_cast<size_t>(number)] = entry.feature;
      }
    }
    return true;
  }

  bool parse_context(size_t i, std::string_view feature) {
    Column& column = columns_[0][i];
    const bool ok = feature.empty() || read_sequence_feature(feature, type_of(spec_->context, i), false, column.values);
    column.found.push_back(feature.data() != nullptr);
    column.values.end_example();
    return ok;
  }

  bool parse_list(size_t i, std::string_view list) {
    Column& column = columns_[1][i];
    column.found.push_back(list.data() != nullptr);
    size_t items = 0;
    for (std::string_view feature; !list.empty(); ++items) {
      if (!take_tag(list, 1, WireType::kBytes) || !take_message(list, feature)) return false;
      if (!feature.empty() && !read_sequence_feature(feature, type_of(spec_->lists, i), true, column.values))
        return false;
      column.values.end_example();
    }
    column.items.push_back(items);
    return true;
  }

  static DType type_of(const ExampleSpec& spec, size_t i) {
    return i < spec.sparse.size() ? spec.sparse[i] : spec.dense[i - spec.sparse.size()].dtype;
  }

  const SequenceSpec* spec_;
  const FeatureKeys* keys_[2];
  std::vector<Column> columns_[2];
};

/// The inputs that all stages of an execution share.
struct Batch {
  const SequenceSpec& spec;
  const std::string* serialized;
  const std::string* names;  ///< null if there are no names
  int64_t count;
  int first_default;

  std::string_view name(int64_t example) const {
    return names != nullptr ? std::string_view(names[example]) : "<unknown>";
  }
};

template <class Attrs>
Status check_sequence_counts(Attrs& node) {
  for (const SequenceCounts& counts : sequence_counts(node)) {
    const std::string kind = counts.kind;
    const size_t number = counts.number, keys = node.template attr<Strings>(kind + "_keys").size();
    if (number == keys && number == counts.types && number == counts.shapes.value_or(number)) continue;
    const std::string of_keys = str_cat("num_", kind, " (", number, ") must match the size of ", kind, "_keys (", keys);
    const std::string of_types = str_cat(kind, "_types (", counts.types);
    if (!counts.shapes) return invalid_argument(of_keys, ") and ", of_types, ")");
    return invalid_argument(of_keys, "), ", of_types, ") and ", kind, "_shapes (", *counts.shapes, ")");
  }
  return Status();
}

class ParseSequenceExampleKernel final : public Kernel {
 public:
  explicit ParseSequenceExampleKernel(KernelInit& init)
      : spec_(SequenceSpec::make(init, check_sequence_counts(init))),
        outputs_(spec_),
        context_sparse_(init.attr<Strings>("context_sparse_keys")),
        context_dense_(init.attr<Strings>("context_dense_keys")),
        list_sparse_(init.attr<Strings>("feature_list_sparse_keys")),
        list_dense_(init.attr<Strings>("feature_list_dense_keys")),
        context_keys_(context_sparse_, context_dense_),
        list_keys_(list_sparse_, list_dense_) {
    const auto may_miss = init.attr<Strings>("feature_list_dense_missing_assumed_empty");
    for (const std::string& key : list_dense_) {
      may_miss_.push_back(std::find(may_miss.begin(), may_miss.end(), key) != may_miss.end());
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor &serialized = ctx.input(0), &names = ctx.input(1);
    if (names.rank() != 1) {
      return invalid_argument("Expected debug_name to be a vector, got shape: ", names.shape().to_string());
    }
    if (serialized.rank() != 1) {
      return invalid_argument("Expected serialized to be a vector, got shape: ", serialized.shape().to_string());
    }
    TINYTF_RETURN_IF_ERROR(
        check_context_defaults(ctx, 2, spec_.context.dense, "default_value", "context_dense_shapes"));
    const int64_t count = serialized.num_elements();
    if (names.num_elements() > 0 && names.num_elements() != count) {
      return invalid_argument("example_names must be empty or have the correct number of elements");
    }
    const std::string* name = names.num_elements() > 0 ? names.data<std::string>() : nullptr;
    const Batch batch{spec_, serialized.data<std::string>(), name, count, 2};
    std::vector<SequenceRowParser> rows(static_cast<size_t>((count + kSequenceRow - 1) / kSequenceRow),
                                        SequenceRowParser(spec_, context_keys_.numbers, list_keys_.numbers));
    TINYTF_RETURN_IF_ERROR(parse(ctx, batch, rows));
    TINYTF_RETURN_IF_ERROR(check_context(ctx, batch, rows));
    TINYTF_RETURN_IF_ERROR(set_context(ctx, batch, rows));
    return set_lists(ctx, batch, rows);
  }

 private:
  using Rows = std::vector<SequenceRowParser>;

  Status parse(KernelContext& ctx, const Batch& batch, Rows& rows) const {
    std::vector<Status> statuses(rows.size());
    const double cost =
        kSequenceRow * kSequenceFeatureCost * static_cast<double>(spec_.context.size() + spec_.lists.size());
    ctx.parallel().run(static_cast<int64_t>(rows.size()), 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        try {
          statuses[row] = parse_row(batch, row, rows[row]);
        } catch (const std::bad_alloc&) {
          statuses[row] = Status(Code::kResourceExhausted, "Out of memory while parsing the features of the examples");
        }
      }
    });
    for (const Status& status : statuses) TINYTF_RETURN_IF_ERROR(status);
    return Status();
  }

  static Status parse_row(const Batch& batch, int64_t row, SequenceRowParser& parser) {
    for (int64_t i = row * kSequenceRow; i < std::min(batch.count, (row + 1) * kSequenceRow); ++i) {
      TINYTF_RETURN_IF_ERROR(parser.parse(batch.serialized[i], batch.name(i)));
    }
    return Status();
  }

  /// Checks that the largest number of values of each dense feature matches its shape.
  Status check_context(const KernelContext& ctx, const Batch& batch, Rows& rows) const {
    for (size_t i = 0; i < context_dense_.size(); ++i) {
      const int64_t wanted = spec_.context.dense[i].stride;
      int64_t most = ctx.input(batch.first_default + static_cast<int>(i)).num_elements();
      most = std::max(most, longest_of(columns(rows, context_sparse_.size() + i, false)));
      if (most != wanted) {
        return invalid_argument("Inconsistent number of elements for feature ", context_dense_[i], ": ", most, " vs ",
                                wanted);
      }
    }
    return Status();
  }

  static ValuesOfBatch columns(Rows& rows, size_t number, bool is_list) {
    ValuesOfBatch values;
    for (SequenceRowParser& row : rows) values.push_back(&(is_list ? row.list(number) : row.context(number)).values);
    return values;
  }

  Status set_context(KernelContext& ctx, const Batch& batch, Rows& rows) const {
    for (size_t i = 0; i < context_dense_.size(); ++i) TINYTF_RETURN_IF_ERROR(set_context_dense(ctx, batch, rows, i));
    const auto sparse = static_cast<int>(context_sparse_.size());
    for (int i = 0; i < sparse; ++i) {
      TINYTF_RETURN_IF_ERROR(set_sparse(ctx, outputs_.context_sparse + i, sparse, spec_.context.sparse[i],
                                        columns(rows, static_cast<size_t>(i), false), true));
    }
    return Status();
  }

  Status set_context_dense(KernelContext& ctx, const Batch& batch, Rows& rows, size_t i) const {
    const DenseFeature& dense = spec_.context.dense[i];
    const Tensor& value = ctx.input(batch.first_default + static_cast<int>(i));
    Shape shape = dense.shape.to_shape();
    shape.insert_dim(0, batch.count);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(outputs_.context_dense + static_cast<int>(i), shape));
    int64_t example = 0;
    for (SequenceRowParser& row : rows) {
      Column& column = row.context(context_sparse_.size() + i);
      size_t begin = 0;
      for (size_t k = 0; k < column.found.size(); ++k, ++example) {
        const size_t end = column.values.ends()[k];
        if (!column.found[k]) {
          if (value.num_elements() == 0 && dense.stride > 0) {
            return invalid_argument("Feature: ", context_dense_[i], " (data type: ", dtype_name(dense.dtype),
                                    ") is required but could not be found.");
          }
          copy_elements(value, 0, *out, example * dense.stride, dense.stride);
        } else if (end - begin != static_cast<size_t>(dense.stride)) {
          return invalid_argument("Unexpected number of elements in example ", batch.name(example));
        } else {
          move_values(dense.dtype, column.values, begin, end, *out, example * dense.stride);
        }
        begin = end;
      }
    }
    return Status();
  }

  static void move_values(DType dtype, FeatureValues& values, size_t begin, size_t end, Tensor& out, int64_t to) {
    with_feature_type(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const auto from = values.values(type).begin();
      std::move(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end), out.data<T>() + to);
    });
  }

  Status set_lists(KernelContext& ctx, const Batch& batch, Rows& rows) const {
    for (size_t i = 0; i < list_dense_.size(); ++i) TINYTF_RETURN_IF_ERROR(set_list_dense(ctx, batch, rows, i));
    for (size_t i = 0; i < list_sparse_.size(); ++i) TINYTF_RETURN_IF_ERROR(set_list_sparse(ctx, batch, rows, i));
    return Status();
  }

  Status set_list_dense(KernelContext& ctx, const Batch& batch, Rows& rows, size_t i) const {
    const DenseFeature& dense = spec_.lists.dense[i];
    const size_t number = list_sparse_.size() + i;
    TINYTF_ASSIGN_OR_RETURN(const int64_t most_items, most_items_of(rows, number, dense.stride, list_dense_[i]));
    Shape shape = dense.shape.to_shape();
    shape.insert_dim(0, most_items);
    shape.insert_dim(0, batch.count);
    const auto place = static_cast<int>(i);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(outputs_.list_dense + place, shape));
    TINYTF_ASSIGN_OR_RETURN(Tensor * lengths, ctx.allocate_output(outputs_.list_lengths + place, Shape({batch.count})));
    int64_t example = 0;
    for (SequenceRowParser& row : rows) {
      Column& column = row.list(number);
      size_t item = 0, begin = 0;
      for (size_t k = 0; k < column.found.size(); ++k, ++example) {
        if (!column.found[k] && !may_miss_[i]) {
          return invalid_argument("Missing feature ", list_dense_[i], " in example ", batch.name(example));
        }
        const size_t first = begin;
        for (size_t last = item + column.items[k]; item < last; ++item) {
          const size_t end = column.values.ends()[item];
          if (end - begin != static_cast<size_t>(dense.stride)) {
            return invalid_argument("Unexpected number of elements in feature ", list_dense_[i], ", example ",
                                    batch.name(example));
          }
          begin = end;
        }
        const int64_t room = most_items * dense.stride;
        move_values(dense.dtype, column.values, first, begin, *out, example * room);
        pad(dense.dtype, *out, example * room + static_cast<int64_t>(begin - first), (example + 1) * room);
        lengths->data<int64_t>()[example] = static_cast<int64_t>(column.items[k]);
      }
    }
    return Status();
  }

  /// Number of items in the longest list, computed from the number of its values if items have elements.
  static Result<int64_t> most_items_of(Rows& rows, size_t number, int64_t stride, const std::string& key) {
    int64_t most_items = 0, most_values = 0;
    for (SequenceRowParser& row : rows) {
      const Column& column = row.list(number);
      size_t item = 0, begin = 0;
      for (const size_t items : column.items) {
        item += items;
        const size_t end = item > 0 ? column.values.ends()[item - 1] : 0;
        most_values = std::max(most_values, static_cast<int64_t>(end - begin));
        most_items = std::max(most_items, static_cast<int64_t>(items));
        begin = end;
      }
    }
    if (stride == 0) return most_items;
    if (most_values % stride != 0) return invalid_argument("Unexpected shape error in feature ", key);
    return most_values / stride;
  }

  static void pad(DType dtype, Tensor& out, int64_t begin, int64_t end) {
    with_feature_type(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      std::fill(out.data<T>() + begin, out.data<T>() + end, T());
    });
  }

  Status set_list_sparse(KernelContext& ctx, const Batch& batch, Rows& rows, size_t i) const {
    const auto n = static_cast<int>(list_sparse_.size()), place = outputs_.list_sparse + static_cast<int>(i);
    const ValuesOfBatch values_of_items = columns(rows, i, true);
    int64_t total = 0;
    size_t most_items = 0;
    for (SequenceRowParser& row : rows) {
      total += static_cast<int64_t>(row.list(i).values.size());
      for (const size_t items : row.list(i).items) most_items = std::max(most_items, items);
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(place, Shape({total, 3})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(place + n, Shape({total})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(place + 2 * n, Shape({3})));
    auto* index = indices->data<int64_t>();
    int64_t example = 0, to = 0;
    for (SequenceRowParser& row : rows) {
      Column& column = row.list(i);
      size_t item = 0, at = 0;
      for (const size_t items : column.items) {
        for (size_t k = 0; k < items; ++k, ++item) {
          for (int64_t place_in_item = 0; at < column.values.ends()[item]; ++at, ++place_in_item) {
            *index++ = example;
            *index++ = static_cast<int64_t>(k);
            *index++ = place_in_item;
          }
        }
        ++example;
      }
      move_values(spec_.lists.sparse[i], column.values, 0, column.values.size(), *values, to);
      to += static_cast<int64_t>(column.values.size());
    }
    shape->data<int64_t>()[0] = batch.count;
    shape->data<int64_t>()[1] = static_cast<int64_t>(most_items);
    shape->data<int64_t>()[2] = longest_of(values_of_items);
    return Status();
  }

  const SequenceSpec spec_;
  const SequenceOutputs outputs_;
  const Strings context_sparse_, context_dense_, list_sparse_, list_dense_;
  const Keys context_keys_, list_keys_;  // refer to the vectors above
  std::vector<bool> may_miss_;           // for each dense list, whether it may be missing
};

Status sequence_example_shape(ShapeContext& c) {
  PartialShape batch;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1, &batch));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(check_sequence_counts(c));
  TINYTF_RETURN_IF_ERROR(set_sequence_shapes(c, batch));
  const auto lists = static_cast<int>(c.attr<int64_t>("Nfeature_list_dense"));
  for (int i = c.num_outputs() - lists; i < c.num_outputs(); ++i) c.set_output(i, batch);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_parse_sequence_example) {
  using namespace tinytf::ops;
  ops.op("ParseSequenceExample")
      .input("serialized: string")
      .input("debug_name: string")
      .input("context_dense_defaults: Tcontext_dense")
      .output("context_sparse_indices: Ncontext_sparse * int64")
      .output("context_sparse_values: context_sparse_types")
      .output("context_sparse_shapes: Ncontext_sparse * int64")
      .output("context_dense_values: Tcontext_dense")
      .output("feature_list_sparse_indices: Nfeature_list_sparse * int64")
      .output("feature_list_sparse_values: feature_list_sparse_types")
      .output("feature_list_sparse_shapes: Nfeature_list_sparse * int64")
      .output("feature_list_dense_values: feature_list_dense_types")
      .output("feature_list_dense_lengths: Nfeature_list_dense * int64")
      .attr("feature_list_dense_missing_assumed_empty: list(string) >= 0")
      .attr("context_sparse_keys: list(string) >= 0")
      .attr("context_dense_keys: list(string) >= 0")
      .attr("feature_list_sparse_keys: list(string) >= 0")
      .attr("feature_list_dense_keys: list(string) >= 0")
      .attr("Ncontext_sparse: int >= 0 = 0")
      .attr("Ncontext_dense: int >= 0 = 0")
      .attr("Nfeature_list_sparse: int >= 0 = 0")
      .attr("Nfeature_list_dense: int >= 0 = 0")
      .attr("context_sparse_types: list({float, int64, string}) >= 0 = []")
      .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []")
      .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []")
      .attr("context_dense_shapes: list(shape) >= 0 = []")
      .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []")
      .attr("feature_list_dense_shapes: list(shape) >= 0 = []")
      .shape(sequence_example_shape)
      .no_gradient()
      .doc(
          "Parses a vector of serialized SequenceExamples. Features of the context are returned as by ParseExample. "
          "Feature lists become SparseTensors, or dense tensors with one row per item, padded with zeros to the "
          "longest list, and `feature_list_dense_lengths` holds their lengths; `debug_name` identifies the examples in "
          "messages.");
  kernels.add<ParseSequenceExampleKernel>("ParseSequenceExample");
}
