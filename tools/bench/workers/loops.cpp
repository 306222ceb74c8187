// Contestant: C loops by clang -O3 -march=native -ffast-math -fveclib=libmvec. With more threads, rows are shared out
// evenly to threads that wait in between.
#include "tools/bench/loops/loops.h"

#include <barrier>
#include <cstdlib>
#include <memory>
#include <thread>

#include "tools/bench/workers/worker.hpp"

namespace {

using bench::Case;
using bench::Job;

// Threads that run one function over their share of the rows, again and again. They live as long as the process.
class Team {
 public:
  explicit Team(int threads) : threads_(threads), start_(threads), end_(threads) {
    for (int i = 1; i < threads; ++i)
      std::thread([this, i] {
        for (;;) start_.arrive_and_wait(), share(i), end_.arrive_and_wait();
      }).detach();
  }
  void run(std::size_t rows, const std::function<void(std::size_t, std::size_t)>& f) {
    rows_ = rows, function_ = &f;
    if (threads_ > 1) start_.arrive_and_wait();
    share(0);
    if (threads_ > 1) end_.arrive_and_wait();
  }

 private:
  void share(int i) {
    const auto n = static_cast<std::size_t>(threads_), k = static_cast<std::size_t>(i);
    (*function_)(rows_ * k / n, rows_ * (k + 1) / n);
  }
  int threads_;
  std::barrier<> start_, end_;
  std::size_t rows_ = 0;
  const std::function<void(std::size_t, std::size_t)>* function_ = nullptr;
};

Team& team() {
  static Team* t = new Team(std::getenv("BENCH_THREADS") ? std::atoi(std::getenv("BENCH_THREADS")) : 1);
  return *t;
}

Job prepare(const Case& c) {
  if (c.type != "f32") throw bench::Missing{"loops are f32"};
  if (c.sizes.size() != 2) throw bench::Missing{"no loop for this operation"};
  const std::size_t rows = static_cast<std::size_t>(c[0]), columns = static_cast<std::size_t>(c[1]);
  const auto a = std::make_shared<std::vector<float>>(bench::data(c[0] * c[1], 1, 4));
  const auto b = std::make_shared<std::vector<float>>(bench::data(c.operation == "rms_norm" ? c[1] : c[0] * c[1], 2));
  const auto y = std::make_shared<std::vector<float>>(a->size());
  std::function<void(std::size_t, std::size_t)> part;
  if (c.operation == "add")
    part = [=](auto i, auto j) { loop_add(a->data(), b->data(), y->data(), i, j, columns); };
  else if (c.operation == "silu")
    part = [=](auto i, auto j) { loop_silu(a->data(), y->data(), i, j, columns); };
  else if (c.operation == "softmax")
    part = [=](auto i, auto j) { loop_softmax(a->data(), y->data(), i, j, columns); };
  else if (c.operation == "rms_norm")
    part = [=](auto i, auto j) { loop_rms_norm(a->data(), b->data(), 1e-6f, y->data(), i, j, columns); };
  else
    throw bench::Missing{"no loop for this operation"};
  return {[=] { team().run(rows, part); }, [=] { return *y; }, ""};
}

}  // namespace

int main() {
  return bench::serve("clang " __clang_version__ " -O3 -march=native -ffast-math -fveclib=libmvec", prepare);
}
