/* The way from a process of the launcher to the program, which leaves privileges behind. */
#pragma once

#include <linux/prctl.h>
#include <linux/stat.h>

#include "landlock.h"
#include "limits.h"
#include "seccomp.h"

static const char MAX_OOM_SCORE[] = "1000";
/* Below what answers requests, level with what reads pages (functions/adapters/readers/pool/reader-worker.ts). */
enum { NICER = 10, MAX_NICE = 19, KERNEL_NICE_OFFSET = 20 };
/* Share of the whole run, compared with the service: with two runs per processor, each of the three gets a fair share. */
static const char SESSION_NICE[] = "5";
enum { PRIVATE_UMASK = 077, PIPE_MODE = S_IFIFO | 0600 };

/* If the kernel has no such setting, or refuses it now, the run continues without it. */
static void write_setting(const char *path, const char *value, word length) {
  word file = CALL(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  CALL(__NR_write, file, value, length);
  CALL(__NR_close, file);
}

/* When the machine is out of memory, the kernel ends a program and not a service. */
static void volunteer_for_oom_killer(void) {
  write_setting("/proc/self/oom_score_adj", MAX_OOM_SCORE, sizeof MAX_OOM_SCORE - 1);
}

/* One of the two counts: where sessions are scheduled as groups, the priority of a process counts within its session only. */
static void yield_processors(void) {
  word nice = KERNEL_NICE_OFFSET - CALL(__NR_getpriority, PRIO_PROCESS, 0) + NICER;
  CALL(__NR_setpriority, PRIO_PROCESS, 0, nice < MAX_NICE ? nice : MAX_NICE);
  write_setting("/proc/self/autogroup", SESSION_NICE, sizeof SESSION_NICE - 1);
}

/* Called with the caller's rights and little memory in use: existing pages stay on the caller's account. */
static void join_memory_group(const struct launch *launch) {
  if (equal(launch->memory_group, "-")) return;
  word members = need("memory group", CALL(__NR_openat, AT_FDCWD, launch->memory_group, O_WRONLY | O_CLOEXEC));
  need("memory group", CALL(__NR_write, members, "0", 1));
  CALL(__NR_close, members);
}

static __attribute__((noreturn)) void become_program(const struct launch *launch, char **environment) {
  CALL(__NR_setsid);
  uint64_t no_signals = 0;
  CALL(__NR_rt_sigprocmask, SIG_SETMASK, &no_signals, 0, sizeof no_signals);
  join_memory_group(launch);
  set_limits(launch);
  volunteer_for_oom_killer();
  yield_processors();

  /* Opened while it can be reached: an interpreter may be in a home that is closed to the run's user. */
  word file = -1;
  if (launch->program[0][0] == '/')
    file = need(launch->program[0], CALL(__NR_openat, AT_FDCWD, launch->program[0], O_PATH | O_CLOEXEC));
  int ruleset = launch->landlock ? landlock_ruleset(launch) : -1;
  if (launch->has_uid) {
    need("groups", CALL(__NR_setgroups, 0, 0));
    need("group", CALL(__NR_setresgid, launch->uid, launch->uid, launch->uid));
    need("user", CALL(__NR_setresuid, launch->uid, launch->uid, launch->uid));
  }
  CALL(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  CALL(__NR_umask, PRIVATE_UMASK);
  need("run directory", CALL(__NR_chdir, launch->directory));
  if (!equal(launch->pipe, "-")) need("pipe", CALL(__NR_mknodat, AT_FDCWD, launch->pipe, PIPE_MODE, 0));
  need("no_new_privs", CALL(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (ruleset >= 0) {
    need("landlock restrict", CALL(NR_LANDLOCK_RESTRICT, ruleset, 0));
    CALL(__NR_close, ruleset);
  }
  restrict_system_calls(launch);
  const char *name = file < 0 ? launch->program[0] : "";
  fail("program", CALL(__NR_execveat, file < 0 ? AT_FDCWD : file, name, launch->program, environment, AT_EMPTY_PATH));
}
