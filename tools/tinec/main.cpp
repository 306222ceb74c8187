#include "tools/tinec/cli.hpp"

int main(int argc, char** argv) { return tinec::run_command_line(argc, argv); }
