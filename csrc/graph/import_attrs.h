#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/function_library.h"
#include "graph/graph_def_view.h"
#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf {

/// Decides whether an attr that a node's op does not declare can be dropped: OK, or the error to report. `value` is a
/// serialized AttrValue, `node` the node's name in this graph.
using UndeclaredAttrFn =
    std::function<Status(const OpDef& op, std::string_view attr, std::string_view value, const std::string& node)>;

/// The parsed attrs of an imported node; defaults are not filled in.
struct ImportedAttrs {
  AttrMap attrs;
  /// The attr `_output_shapes`. It becomes an attr of the node only if the node's op is not declared.
  std::optional<std::vector<PartialShape>> output_shapes;
  AttrProtos written;  ///< For nodes of undeclared ops: serialized AttrValues as they were read.
};

/// Checks the attrs of nodes against their declarations during one import. Not thread-safe.
class AttrImporter {
 public:
  AttrImporter(int32_t producer, UndeclaredAttrFn undeclared)
      : producer_(producer), undeclared_(std::move(undeclared)) {}

  /// InvalidArgument, with TensorFlow's message, if an attr is missing, undeclared, of another kind than declared, or
  /// invalid. `name`: the node's name in this graph, for messages. `value`: the attr `value`, if it is stored outside
  /// the NodeDef; else null.
  Result<ImportedAttrs> read(const OpDef& op, const NodeDefView& node, const std::string& name, const AttrValue* value);
  /// Parses the attrs of a node whose op is not declared: keeps their bytes, and also their values if they can be
  /// parsed. `_class` and `_output_shapes` are kept as values only. `_output_shapes` stays an attr of the node, because
  /// it may be the only source for the number of outputs.
  static Result<ImportedAttrs> read_unknown(const NodeDefView& node, const std::string& name);

 private:
  Status check_undeclared(const OpDef& op, const NodeDefView::Attr& attr, const std::string& name);

  const int32_t producer_;
  const UndeclaredAttrFn undeclared_;
  std::unordered_set<std::string> left_out_;  // Keys of op, attr and value that `undeclared_` accepted.
};

}  // namespace tinytf
