#include "dsl/include/tine/error.hpp"

#include <atomic>
#include <string>

namespace tine {

struct Error::Text {
  std::atomic<int> references{1};
  std::string message, file, what;
  int line;
  const char* id;
};

Error::Error(const char* message, const char* file, int line, const char* id) : text_(new Text) {
  text_->message = message;
  text_->file = file ? file : "";
  text_->line = line;
  text_->id = id;
  if (!text_->file.empty()) text_->what = text_->file + ":" + std::to_string(line) + ": ";
  text_->what += text_->message;
}
Error::Error(const Error& o) noexcept : std::exception(o), text_(o.text_) { ++text_->references; }
Error& Error::operator=(const Error& o) noexcept {
  ++o.text_->references;
  if (--text_->references == 0) delete text_;
  text_ = o.text_;
  return *this;
}
Error::~Error() {
  if (--text_->references == 0) delete text_;
}
const char* Error::what() const noexcept { return text_->what.c_str(); }
const char* Error::message() const noexcept { return text_->message.c_str(); }
const char* Error::file() const noexcept { return text_->file.c_str(); }
int Error::line() const noexcept { return text_->line; }
const char* Error::id() const noexcept { return text_->id; }

UserError::~UserError() = default;
RuntimeError::~RuntimeError() = default;
InternalError::~InternalError() = default;

}  // namespace tine
