#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "graph/graph_def_view.h"
#include "op/node_info.h"

namespace tinytf {

// Ops that are not declared here. A GraphDef may contain such nodes: they are kept unchanged but cannot run.

/// What other nodes reveal about the outputs of such a node.
struct UnknownOutputs {
  int64_t count = 0;                 ///< Lower bound of the number of outputs.
  std::map<int64_t, ArgType> types;  ///< Types that consumers expect, by output.
};

/// The types of the outputs of a node whose op is not declared. They follow from the producer's declaration, if there
/// is one that fits the attrs. Otherwise the number of outputs is `known.count`, or the length of a type list attr
/// (`Tout`, `output_types`, `component_types`, `out_types`) if that is greater. Each output has the type that its
/// consumers expect, else the one in the list attr, else the one in a single type attr (`Tout`, `dtype`, `out_type`,
/// `output_type`, `DstT`, `T`), else variant.
std::vector<ArgType> unknown_output_types(const NodeDefView& node, const OpDef* producers, const UnknownOutputs& known);

/// A declaration for this one node, with an input, output or attr for each that the node has. It is stateful, so that
/// no pass evaluates, merges or drops the node.
OpDef declare_unknown_op(std::string_view name, const std::vector<ArgType>& inputs, const std::vector<ArgType>& outputs,
                         const AttrMap& attrs);

/// Whether a declaration was made by declare_unknown_op.
bool is_unknown_op(const OpDef& op);

}  // namespace tinytf
