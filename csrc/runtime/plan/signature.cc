#include "runtime/plan/signature.h"

#include "graph/passes/subgraph.h"

namespace tinytf {

std::vector<int64_t> key_of(const RunSignature& signature) {
  std::vector<int64_t> key;
  const auto append = [&key](const std::vector<Endpoint>& endpoints) {
    for (Endpoint e : endpoints) key.push_back(key_of(e));
    key.push_back(-1);
  };
  append(signature.feeds);
  append(signature.fetches);
  for (Node* node : signature.targets) key.push_back(node->id);
  if (signature.is_partial) key.push_back(-1);
  return key;
}

}  // namespace tinytf
