/*
 * Starts one untrusted program, confined, and ends everything that it started.
 *
 *   launch <uid|-> <processors> <data bytes> <file bytes> <processes> <landlock 0|1> <pipe|-> <run directory> [readable path]... -- <program> [argument]...
 *
 * With a uid (root only) the program runs as that user, which nothing else uses; with `-` as the caller itself, which is
 * safe only under a Landlock that scopes signals. In the run directory a named pipe is made, where one is asked for. Descriptor 3 gets lines:
 *   R <wait status> <started ns> <ended ns> <user+system µs> <peak resident KiB>   the program ended; CLOCK_MONOTONIC
 *   E <step> <errno>                                                              it could not be started: nothing of it has run
 *   M <KiB>                                                                       what SIGUSR2 asked for
 * SIGUSR1 binds all threads of the run to so many processors; SIGUSR2 asks what its processes hold in memory, each page
 * counted once. SIGTERM, or the death of the caller, ends the run. When this process has ended, no process of it is left.
 *
 * Without a C library and without looking at its environment: what a user puts there is for the program alone.
 */
#include <linux/time.h>
#include <linux/wait.h>

#include "processes.h"

enum { MIN_ARGUMENTS = 11, FIRST_PATH = 9, NS_OF_SECOND = 1000000000, US_OF_SECOND = 1000000, KILL_AGAIN_NS = 20000000 };

static uint64_t now_ns(void) {
  struct { int64_t seconds, ns; } time = {0, 0};
  CALL(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.seconds * NS_OF_SECOND + (uint64_t)time.ns;
}

#define SIGNAL(number) (1ull << ((number) - 1))
static const uint64_t SIGNALS = SIGNAL(SIGCHLD) | SIGNAL(SIGTERM) | SIGNAL(SIGUSR1) | SIGNAL(SIGUSR2);

static __attribute__((noreturn)) void supervise(const struct launch *launch, word program, uint64_t started_ns) {
  struct { int64_t seconds, ns; } pause = {0, KILL_AGAIN_NS};
  struct line result = {.length = 0};
  int ending = 0;
  for (;;) {
    word signal = CALL(__NR_rt_sigtimedwait, &SIGNALS, 0, ending ? &pause : 0, sizeof SIGNALS);
    if (signal == SIGTERM) ending = 1;
    if ((signal == SIGUSR1 || signal == SIGUSR2) && !ending) sample_run(launch, program, signal);
    for (;;) {
      int status = 0;
      /* struct rusage: user time, system time, peak resident size, and others. */
      int64_t usage[18] = {0};
      word pid = CALL(__NR_wait4, -1, &status, WNOHANG, usage);
      if (pid == -ECHILD) {
        if (result.length > 0) report(&result);
        quit(0);
      }
      if (pid <= 0) break;
      if (pid != program) continue;
      ending = 1;
      put_text(&result, "R");
      put_number(&result, (uint64_t)status);
      put_number(&result, started_ns);
      put_number(&result, now_ns());
      put_number(&result, (uint64_t)((usage[0] + usage[2]) * US_OF_SECOND + usage[1] + usage[3]));
      put_number(&result, (uint64_t)usage[4]);
    }
    if (ending) kill_all(launch, program);
  }
}

__attribute__((used, noreturn)) void start(word *stack) {
  int count = (int)stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  /* What the caller had open is not for the program; the report is not either. */
  CALL(__NR_close_range, REPORT_FD + 1, ~0u, 0);
  CALL(__NR_fcntl, REPORT_FD, F_SETFD, FD_CLOEXEC);
  if (count < MIN_ARGUMENTS) fail("arguments", -EINVAL);

  struct launch launch = {
    .has_uid = !equal(arguments[1], "-"), .uid = (uint32_t)number(arguments[1]), .processors = number(arguments[2]),
    .data_bytes = number(arguments[3]), .file_bytes = number(arguments[4]), .processes = number(arguments[5]),
    .landlock = equal(arguments[6], "1"), .pipe = arguments[7], .directory = arguments[8], .readable = arguments + FIRST_PATH,
  };
  if (launch.has_uid && launch.uid == 0) fail("uid", -EINVAL);
  if (!launch.has_uid && !launch.landlock) fail("same user without landlock", -EINVAL);
  int at = FIRST_PATH;
  while (at < count && !equal(arguments[at], "--")) at++;
  if (at + 1 >= count) fail("arguments", -EINVAL);
  arguments[at] = 0;
  launch.program = arguments + at + 1;

  CALL(__NR_prctl, PR_SET_PDEATHSIG, SIGTERM);
  CALL(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
  CALL(__NR_rt_sigprocmask, SIG_BLOCK, &SIGNALS, 0, sizeof SIGNALS);
  uint64_t started_ns = now_ns();
  word program = need("fork", fork_process());
  if (program == 0) become_program(&launch, environment);
  /* The caller sees the end of the output when the last process of the run is gone. */
  CALL(__NR_close, 0);
  CALL(__NR_close, 1);
  CALL(__NR_close, 2);
  supervise(&launch, program, started_ns);
}
