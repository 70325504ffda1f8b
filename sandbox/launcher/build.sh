#!/bin/sh
# Builds the launcher for both processors: Debian's gcc and gcc-aarch64-linux-gnu. The results are committed, since users have no compiler.
set -eu
cd "$(dirname "$0")"
flags='-std=gnu11 -Os -Wall -Wextra -Werror -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-pie -nostdlib -static -no-pie -s -Wl,--build-id=none -Wl,-z,noexecstack'
gcc $flags -fcf-protection=none -o "${1:-.}/launch-linux-x64" launch.c
aarch64-linux-gnu-gcc $flags -o "${1:-.}/launch-linux-arm64" launch.c
