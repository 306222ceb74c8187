// From `--arg` and `--out` to the arguments of a call, and from the call's results to files.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dsl/core/definition.hpp"
#include "tine/argument.hpp"
#include "tools/tinec/dtype.hpp"
#include "tools/tinec/npy.hpp"

namespace tinec {

/// `--arg`: "a=a.npy", "a=a.npy[::2]", "eps=1e-5".
struct InputText {
  std::string name, value;
};
/// `--out`: "c=c.npy", "c=c.npy:5x7,f32", "c=c.npy[1:]".
struct OutputText {
  std::string name, file;
  std::optional<std::string> items;
  std::optional<std::vector<int64_t>> shape;
  std::optional<DType> type;
};
/// Both throw a Usage for texts of another form.
std::vector<InputText> parse_inputs(const std::vector<std::string>&);
std::vector<OutputText> parse_outputs(const std::vector<std::string>&);

/// Owns the arrays of one call.
class CallArguments {
 public:
  /// Reads files. Throws a Failure for what does not fit the kernel or the files.
  CallArguments(const tine::core::Definition&, const std::vector<InputText>&, const std::vector<OutputText>&);
  CallArguments(const CallArguments&) = delete;

  /// One for each parameter; valid as long as this object.
  std::vector<tine::Argument> arguments() const;
  /// The parameters that `--out` names.
  std::vector<int> outputs() const;
  /// Writes what `--out` asks for.
  void write_outputs() const;

 private:
  struct Parameter {
    bool given = false;
    uint64_t scalar = 0;
    npy::View view;
    std::vector<int64_t> dims;  // sizes, then strides
  };
  struct Output {
    int parameter;
    std::string file;
    npy::View whole;  // what the file will hold; the parameter sees all or a part of it
  };

  int find(const std::string& name, const char* option) const;
  std::string described(int parameter) const;
  void take_input(const InputText&);
  void take_output(const OutputText&);
  void take_array(int parameter, const npy::View& all, const std::string& file, const char* items);
  void check_complete() const;

  const tine::core::Definition& kernel_;
  std::vector<Parameter> parameters_;
  std::deque<npy::Array> arrays_;
  std::vector<Output> outputs_;
};

}  // namespace tinec
