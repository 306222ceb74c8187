#include "tools/tinec/call_arguments.hpp"

#include <algorithm>

#include "tools/tinec/dtype.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/slice.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::pair<std::string, std::string> assignment(const std::string& text, const char* option, const char* form) {
  if (auto pair = parse_assignment(text)) return *pair;
  throw Usage(ticked(option) + " takes " + ticked(form) + ", not " + ticked(text));
}

// "c.npy", "c.npy[1:]", "c.npy:5x7", "c.npy:5x7,f32", "c.npy:f32". A colon before a slash is part of a folder's name.
void parse_destination(const std::string& text, OutputText& out) {
  std::tie(out.file, out.items) = split_slice(text);
  if (out.items) return;
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || text.find('/', colon) != text.npos) return;
  out.file = text.substr(0, colon);
  std::string shape = text.substr(colon + 1), type;
  const std::size_t comma = shape.find(',');
  if (comma != shape.npos) {
    type = shape.substr(comma + 1);
    shape.resize(comma);
  } else if (parse_dtype(shape)) {
    std::swap(shape, type);
  }
  if (!shape.empty()) out.shape = parse_shape(shape);
  if ((!out.shape && (!shape.empty() || type.empty())) || (comma != shape.npos && type.empty()))
    throw Usage(ticked(text.substr(colon + 1)) + " behind " + ticked(out.file) +
                " is not `SHAPE`, `SHAPE,DTYPE` or `DTYPE`, as in `c=c.npy:5x7,f32`");
  if (!type.empty() && !(out.type = parse_dtype(type))) {
    std::vector<std::string> names;
    for (int t = 0; t <= static_cast<int>(DType::f64); ++t) names.push_back(name(static_cast<DType>(t)));
    throw Usage("element type " + ticked(type) + " does not exist; there are " + list_of(nearest_first(type, names)));
  }
}

bool looks_like_file(const std::string& text) {
  return split_slice(text).first.ends_with(".npy") || text.find('/') != text.npos;
}

}  // namespace

std::vector<InputText> parse_inputs(const std::vector<std::string>& texts) {
  std::vector<InputText> out;
  for (const std::string& text : texts) {
    const auto [name, value] = assignment(text, "--arg", "NAME=FILE.npy` or `NAME=NUMBER");
    for (const InputText& other : out)
      if (other.name == name) throw Usage("parameter " + ticked(name) + " is given twice with `--arg`");
    out.push_back({name, value});
  }
  return out;
}

std::vector<OutputText> parse_outputs(const std::vector<std::string>& texts) {
  std::vector<OutputText> out;
  for (const std::string& text : texts) {
    const auto [name, value] = assignment(text, "--out", "NAME=FILE.npy` or `NAME=FILE.npy:SHAPE,DTYPE");
    OutputText o;
    o.name = name;
    parse_destination(value, o);
    for (const OutputText& other : out) {
      if (other.name == name) throw Usage("parameter " + ticked(name) + " is given twice with `--out`");
      if (other.file == o.file) throw Usage("two outputs go to " + ticked(o.file));
    }
    out.push_back(std::move(o));
  }
  return out;
}

CallArguments::CallArguments(const tine::core::Definition& kernel, const std::vector<InputText>& inputs,
                             const std::vector<OutputText>& outputs)
    : kernel_(kernel), parameters_(kernel.sources.size()) {
  for (const InputText& input : inputs) take_input(input);
  for (const OutputText& output : outputs) take_output(output);
  check_complete();
  for (Parameter& p : parameters_) {
    p.dims = p.view.shape;
    p.dims.insert(p.dims.end(), p.view.strides.begin(), p.view.strides.end());
  }
}

int CallArguments::find(const std::string& name, const char* option) const {
  const auto at = std::find(kernel_.parameters.begin(), kernel_.parameters.end(), name);
  if (at == kernel_.parameters.end())
    throw Failure("kernel " + ticked(kernel_.name) + " has no parameter " + ticked(name) + " for " + ticked(option) +
                  "; it has " + list_of(nearest_first(name, kernel_.parameters)));
  return static_cast<int>(at - kernel_.parameters.begin());
}

// "parameter `a` (f32, rank 2)"
std::string CallArguments::described(int i) const {
  const auto [type, rank] = kernel_.sources[static_cast<std::size_t>(i)];
  return "parameter " + ticked(kernel_.parameters[static_cast<std::size_t>(i)]) + " (" + name(type) +
         (rank == 0 ? ", scalar)" : ", rank " + std::to_string(rank) + ")");
}

void CallArguments::take_array(int i, const npy::View& all, const std::string& file, const char* items) {
  const auto [type, rank] = kernel_.sources[static_cast<std::size_t>(i)];
  if (!fits(all.element, type))
    throw Failure(described(i) + " cannot take " + ticked(file) + ", whose elements are " + name(all.element) +
                  "; it takes " + name(element_of(type)) +
                  (element_of(type).kind == 'u' && tine::is_float(type) ? " bits" : ""));
  Parameter& p = parameters_[static_cast<std::size_t>(i)];
  try {
    p.view = items ? slice(all, items) : all;
  } catch (const Failure& e) {
    throw Failure(ticked(file) + ": " + e.what());
  }
  if (static_cast<int>(p.view.shape.size()) != rank)
    throw Failure(described(i) + " cannot take " + ticked(file) + ", which has rank " +
                  std::to_string(p.view.shape.size()) + " (shape " + shape_text(p.view.shape) + ")");
  p.given = true;
}

void CallArguments::take_input(const InputText& input) {
  const std::string& value = input.value;
  const int i = find(input.name, "--arg");
  Parameter& p = parameters_[static_cast<std::size_t>(i)];
  const auto [type, rank] = kernel_.sources[static_cast<std::size_t>(i)];
  if (rank == 0 && !looks_like_file(value)) {
    try {
      p.scalar = parse_scalar(value, type);
    } catch (const Failure& e) {
      throw Failure(described(i) + ": " + e.what());
    }
    p.given = true;
    return;
  }
  if (rank > 0 && !looks_like_file(value) && parse_integer(value))
    throw Failure(described(i) + " is a tensor; give it a .npy file, not the number " + ticked(value));
  const auto [file, items] = split_slice(value);
  arrays_.push_back(npy::read(file));
  npy::View& all = arrays_.back().view;
  if (type == DType::b1)  // a kernel relies on 0 and 1, and a file may hold anything
    for (std::size_t k = 0; k < arrays_.back().buffer.size(); ++k) all.data[k] = std::byte{all.data[k] != std::byte{0}};
  if (rank == 0 && !items && std::all_of(all.shape.begin(), all.shape.end(), [](int64_t n) { return n == 1; }))
    all.shape.clear(), all.strides.clear();  // one element is a scalar
  take_array(i, all, file, items ? items->c_str() : nullptr);
  if (rank == 0) p.scalar = scalar_bits(p.view.data, type);
}

void CallArguments::take_output(const OutputText& wanted) {
  const int i = find(wanted.name, "--out");
  Parameter& p = parameters_[static_cast<std::size_t>(i)];
  const auto [type, rank] = kernel_.sources[static_cast<std::size_t>(i)];
  if (rank == 0) throw Failure(described(i) + " is passed by value and cannot be an output");
  if (wanted.type && *wanted.type != type &&
      !(element_of(*wanted.type) == element_of(type) && element_of(type).kind == 'u'))
    throw Failure(described(i) + " cannot be written as " + name(*wanted.type) +
                  "; a kernel of that type is another kernel");
  check_writable(wanted.file);

  if (p.given) {  // in place
    if (wanted.items)
      throw Usage("parameter " + ticked(wanted.name) + " has an `--arg` already, so that `--out` takes no slice");
    if (wanted.shape && *wanted.shape != p.view.shape)
      throw Failure(described(i) + " has shape " + shape_text(p.view.shape) + " by `--arg`, but " +
                    shape_text(*wanted.shape) + " by `--out`");
  } else if (wanted.items) {  // a part of what the file holds
    arrays_.push_back(npy::read(wanted.file));
    take_array(i, arrays_.back().view, wanted.file, wanted.items->c_str());
    outputs_.push_back({i, wanted.file, arrays_.back().view});
    return;
  } else {
    std::vector<int64_t> shape;
    if (wanted.shape) {
      shape = *wanted.shape;
    } else {
      try {
        shape = npy::read_header(wanted.file).shape;
      } catch (const Failure& e) {
        throw Failure("the shape of " + described(i) + " is unknown, for " + e.what() + "; give it, as in `--out " +
                      wanted.name + "=" + wanted.file + ":5x7`");
      }
    }
    arrays_.push_back(npy::make_array(element_of(type), shape, described(i)));
    take_array(i, arrays_.back().view, wanted.file, nullptr);
  }
  outputs_.push_back({i, wanted.file, p.view});
}

void CallArguments::check_complete() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].given) continue;
    const std::string& n = kernel_.parameters[i];
    const bool tensor = kernel_.sources[i].rank > 0;
    throw Failure(described(static_cast<int>(i)) + " is not given; give `--arg " + n +
                  (tensor ? "=FILE.npy` or `--out " + n + "=FILE.npy:SHAPE`" : "=NUMBER`"));
  }
}

std::vector<tine::Argument> CallArguments::arguments() const {
  std::vector<tine::Argument> out;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& p = parameters_[i];
    tine::Argument a;
    a.type = static_cast<uint8_t>(kernel_.sources[i].type);
    a.rank = static_cast<uint8_t>(kernel_.sources[i].rank);
    a.scalar = p.scalar;
    if (a.rank > 0) a.data = p.view.data, a.dims = p.dims.data();
    out.push_back(a);
  }
  return out;
}

std::vector<int> CallArguments::outputs() const {
  std::vector<int> out;
  for (const Output& o : outputs_) out.push_back(o.parameter);
  return out;
}

void CallArguments::write_outputs() const {
  for (const Output& o : outputs_) npy::write(o.file, o.whole);
}

}  // namespace tinec
