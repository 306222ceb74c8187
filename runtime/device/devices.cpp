#include "runtime/device/devices.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "runtime/device/cuda.hpp"
#include "runtime/device/emulated.hpp"

namespace tine::device {
namespace {

std::unique_ptr<launch::Device> make(const std::string& name) {
  for (const int architecture : emulated_architectures())
    if (name == "emulated:sm_" + std::to_string(architecture)) return make_emulated(architecture);
  if (name == "cuda") return make_cuda(name, -1);
  const std::string number = name.starts_with("cuda:") ? name.substr(5) : "";
  if (!number.empty() && number.size() < 5 && number.find_first_not_of("0123456789") == number.npos)
    return make_cuda(name, std::stoi(number));
  std::string known;
  for (const std::string& n : names()) known += (known.empty() ? "" : ", ") + ticked(n);
  fail(Diag::bad_device, {}, {name, known});
}

}  // namespace

launch::Device* find(const std::string& name) {
  if (name == "cpu") return nullptr;
  static std::mutex mutex;
  static auto* devices = new std::map<std::string, std::unique_ptr<launch::Device>>;  // calls may outlive static objects
  const std::lock_guard lock(mutex);
  std::unique_ptr<launch::Device>& d = (*devices)[name];
  if (!d) d = make(name);
  return d.get();
}

std::vector<std::string> names() {
  std::vector<std::string> all = {"cpu", "cuda", "cuda:0"};
  for (const int architecture : emulated_architectures()) all.push_back("emulated:sm_" + std::to_string(architecture));
  return all;
}

}  // namespace tine::device
