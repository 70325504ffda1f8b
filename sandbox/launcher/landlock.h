/* The files that a program may reach, and no signals beyond its own processes: what the kernel's Landlock enforces. */
#pragma once

#include "arguments.h"
#include "report.h"

enum {
  LL_EXECUTE = 1 << 0, LL_WRITE_FILE = 1 << 1, LL_READ_FILE = 1 << 2, LL_READ_DIR = 1 << 3, LL_MAKE_CHAR = 1 << 6,
  LL_MAKE_SOCK = 1 << 9, LL_MAKE_BLOCK = 1 << 11, LL_TRUNCATE = 1 << 14, LL_IOCTL_DEV = 1 << 15,
};
struct landlock_ruleset {
  uint64_t handled_access_fs, handled_access_net, scoped;
};
struct landlock_path {
  uint64_t allowed_access;
  int32_t parent_fd;
} __attribute__((packed));
enum { NR_LANDLOCK_CREATE = 444, NR_LANDLOCK_ADD = 445, NR_LANDLOCK_RESTRICT = 446, ABI_WITH_SCOPES = 6 };
/* The first versions of the interface that know a right. */
enum { ABI_WITH_REFER = 2, ABI_WITH_TRUNCATE = 3, ABI_WITH_NET = 4, ABI_WITH_IOCTL_DEV = 5 };
enum { RIGHTS_FIRST = 0x1fff, RIGHTS_WITH_REFER = 0x3fff, RIGHTS_WITH_TRUNCATE = 0x7fff, RIGHTS_WITH_IOCTL_DEV = 0xffff };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum { NET_BIND_AND_CONNECT_TCP = 3, SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3 };

/* Rights that only a directory can have are dropped for anything else. */
static const uint64_t LL_OF_FILES = LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV;

static void allow_path(int ruleset, const char *path, uint64_t rights, int required) {
  word fd = CALL(__NR_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC);
  if (fd < 0 && !required) return;
  need(path, fd);
  struct landlock_path rule = {.allowed_access = rights, .parent_fd = (int32_t)fd};
  word result = CALL(NR_LANDLOCK_ADD, ruleset, RULE_PATH_BENEATH, &rule, 0);
  if (result < 0) {
    rule.allowed_access &= LL_OF_FILES;
    need(path, CALL(NR_LANDLOCK_ADD, ruleset, RULE_PATH_BENEATH, &rule, 0));
  }
  CALL(__NR_close, fd);
}

static int landlock_ruleset(const struct launch *launch) {
  word abi = need("landlock", CALL(NR_LANDLOCK_CREATE, 0, 0, CREATE_RULESET_VERSION));
  if (!launch->has_uid && abi < ABI_WITH_SCOPES) fail("landlock without scopes", -ENOSYS);
  uint64_t handled = abi >= ABI_WITH_IOCTL_DEV  ? RIGHTS_WITH_IOCTL_DEV
                     : abi >= ABI_WITH_TRUNCATE ? RIGHTS_WITH_TRUNCATE
                     : abi >= ABI_WITH_REFER    ? RIGHTS_WITH_REFER
                                                : RIGHTS_FIRST;
  struct landlock_ruleset rules = {handled, abi >= ABI_WITH_NET ? NET_BIND_AND_CONNECT_TCP : 0,
                                   abi >= ABI_WITH_SCOPES ? SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS : 0};
  size_t size = abi >= ABI_WITH_SCOPES ? sizeof rules
                : abi >= ABI_WITH_NET  ? offsetof(struct landlock_ruleset, scoped)
                                       : offsetof(struct landlock_ruleset, handled_access_net);
  int ruleset = (int)need("landlock rules", CALL(NR_LANDLOCK_CREATE, &rules, size, 0));

  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  uint64_t read = LL_EXECUTE | LL_READ_FILE | LL_READ_DIR;
  for (size_t i = 0; i < COUNT(devices); i++)
    allow_path(ruleset, devices[i], (LL_READ_FILE | LL_WRITE_FILE | LL_IOCTL_DEV) & handled, 0);
  for (char **path = launch->readable; *path; path++) allow_path(ruleset, *path, read, 0);
  /* Of all processes its own: other command lines may hold secrets. Of that, nothing about the machine: not `net`, which
     `task` has too, and no mounts. */
  static const char *const own_facts[] = {
    "/proc/self/auxv", "/proc/self/cgroup", "/proc/self/cmdline", "/proc/self/comm", "/proc/self/environ", "/proc/self/fdinfo",
    "/proc/self/io", "/proc/self/limits", "/proc/self/maps", "/proc/self/oom_score_adj", "/proc/self/smaps_rollup",
    "/proc/self/stat", "/proc/self/statm", "/proc/self/status",
  };
  allow_path(ruleset, "/proc/self", LL_READ_DIR, 0);
  for (size_t i = 0; i < COUNT(own_facts); i++) allow_path(ruleset, own_facts[i], LL_READ_FILE, 0);
  const uint64_t own = handled & ~(uint64_t)(LL_MAKE_CHAR | LL_MAKE_BLOCK | LL_MAKE_SOCK);
  allow_path(ruleset, launch->directory, own, 1);
  if (launch->own_files)
    for (char **shared = launch->shared; *shared; shared++) allow_path(ruleset, *shared, own, 0);
  return ruleset;
}
