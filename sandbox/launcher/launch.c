/*
 * Starts one untrusted program, confined, and ends everything that it started.
 *
 *   launch <uid|-> <processors> <memory bytes> <data bytes> <file bytes> <processes> <files> <landlock 0|1> <own files 0|1> <collects 0|1> <pipe|-> <memory group|-> <run directory>
 *     [readable path]... -- [shared directory]... -- <program> [argument]... [--then <program> [argument]...]...
 *   launch --empty <uid|-> <directory>
 *
 * With a uid (root only) the program runs as that user, which nothing else uses; with `-` as the caller itself, which is safe only under
 * a Landlock that confines signals. With own files, the program writes to a file system in memory that only the run sees and that starts
 * with a copy of the run directory; this process stays in it, so that the caller finds it by /proc/<pid>/cwd. If asked for, a named pipe
 * is made in the run directory. The program joins the memory group by its file cgroup.procs. Of several programs each starts when the one
 * before has ended with 0, and only the last one reads the input. Descriptor 3, a socket, gets lines:
 *   P <input> <output> <errors>   descriptors of this process, for the caller to open before it writes a byte
 *   R <wait status> <started ns> <ended ns> <user+system µs> <peak resident KiB> <programs ended>   the last of them ended; CLOCK_MONOTONIC
 *   E <step> <errno>              it could not be started: no part of it has run
 *   M                             own files are mounted
 *   S <private KiB> <mapped shared KiB> <shared KiB> <sockets> <pipes> <disk KiB> <files> <unsized files> <terminals>   the reply to
 *                                 SIGUSR2; with own files also the last line before R
 *   F, N                          files below out/, see outputs.h, before R and before H
 *   H                             all processes are halted
 * SIGUSR1 binds all threads of the run to the given number of processors. SIGUSR2 asks for the resources that the run holds: memory, with
 * shared pages counted once where that matters; the maximum of shared memory, mapped or not; removed files that are still held, also on
 * disk. SIGTSTP halts all processes, again where they are halted already, and SIGCONT resumes them: the next collection sends the files that
 * have changed since. SIGTERM, or the
 * death of the caller, ends the run. Once this process has ended, no process of the run exists, and no file of its user remains in the
 * shared directories. `--empty` removes everything in a directory, with the user's rights.
 *
 * Built without a C library, and never reads its environment, which is meant for the program alone.
 */
#include <linux/time.h>
#include <linux/wait.h>

#include "outputs.h"
#include "processes.h"
#include "samples.h"

enum { MIN_ARGUMENTS = 17, LAST_NUMBER = 10, FIRST_PATH = 14, EMPTY_ARGUMENTS = 4, NS_OF_SECOND = 1000000000, US_OF_SECOND = 1000000, KILL_AGAIN_NS = 20000000 };

static uint64_t now_ns(void) {
  struct { int64_t seconds, ns; } time = {0, 0};
  CALL(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.seconds * NS_OF_SECOND + (uint64_t)time.ns;
}

/* Programs that follow the one that is running. */
struct steps {
  char **next, **end, **environment;
};

/* Ends a list of arguments at a mark that another program may follow. @returns that one, or null */
static char **split_program(char **program, char **end) {
  for (; program < end; program++)
    if (equal(*program, "--then")) {
      *program = 0;
      return program + 1 < end ? program + 1 : 0;
    }
  return 0;
}

/* The caller sees the end of the output when the last process of the run is gone. */
static void close_streams(void) {
  CALL(__NR_close, 0);
  CALL(__NR_close, 1);
  CALL(__NR_close, 2);
}

static word start_program(const struct launch *launch, char **environment, int is_last) {
  word program = need("fork", fork_process());
  if (program != 0) return program;
  if (!is_last) {
    word nothing = need("input", CALL(__NR_openat, AT_FDCWD, "/dev/null", O_RDONLY));
    CALL(__NR_dup3, nothing, 0, 0);
    CALL(__NR_close, nothing);
  }
  become_program(launch, environment);
}

/*
 * Pipes as a shell would give them: sockets, which callers have at hand, cannot be opened by /dev/stdin and its like. The caller opens the
 * other ends by /proc/<pid>/fd, and says so by a byte.
 */
static void offer_pipes(const struct launch *launch, int outer[3]) {
  struct line offer = {.length = 0};
  put_text(&offer, "P");
  for (int stream = 0; stream < 3; stream++) {
    int ends[2];
    need("pipes", CALL(__NR_pipe2, ends, O_CLOEXEC));
    const int inner = stream == 0 ? ends[0] : ends[1];
    outer[stream] = stream == 0 ? ends[1] : ends[0];
    if (launch->has_uid) need("pipes", CALL(__NR_fchown, inner, launch->uid, launch->uid));
    need("pipes", CALL(__NR_dup3, inner, stream, 0));
    CALL(__NR_close, inner);
    put_number(&offer, (uint64_t)outer[stream]);
  }
  report(&offer);
}

static void await_pipes(const int outer[3]) {
  char byte;
  /* The caller is gone. */
  if (CALL(__NR_read, REPORT_FD, &byte, 1) != 1) quit(EXIT_NOT_STARTED);
  for (int stream = 0; stream < 3; stream++) CALL(__NR_close, outer[stream]);
}

#define SIGNAL(number) (1ull << ((number) - 1))
static const uint64_t SIGNALS = SIGNAL(SIGCHLD) | SIGNAL(SIGTERM) | SIGNAL(SIGUSR1) | SIGNAL(SIGUSR2) | SIGNAL(SIGTSTP) | SIGNAL(SIGCONT);

/* A sample that is being sent would be mixed with the files. */
static void halt(struct run *run, word *sampler) {
  /* A timer can resume halted processes. */
  if (run->is_halted) {
    signal_all_now(run->launch, run->program, SIGSTOP);
    return;
  }
  run->is_halted = 1;
  if (*sampler > 0) {
    CALL(__NR_kill, *sampler, SIGKILL);
    CALL(__NR_wait4, *sampler, 0, 0, 0);
    *sampler = 0;
  }
  signal_all_now(run->launch, run->program, SIGSTOP);
  collect_outputs(run->launch);
  struct line halted = {.length = 0};
  put_text(&halted, "H");
  report(&halted);
}

static void go_on(struct run *run) {
  run->is_halted = 0;
  struct { int64_t seconds, ns; } now = {0, 0};
  /* The clock of changes to files, which is behind the other one. */
  CALL(__NR_clock_gettime, CLOCK_REALTIME_COARSE, &now);
  outputs.since_seconds = now.seconds;
  outputs.since_ns = now.ns;
  signal_all_now(run->launch, run->program, SIGCONT);
}

static __attribute__((noreturn)) void supervise(struct launch *launch, struct steps steps, word program, uint64_t started_ns) {
  struct { int64_t seconds, ns; } pause = {0, KILL_AGAIN_NS};
  struct line result = {.length = 0};
  struct run run = {.launch = launch, .launcher = CALL(__NR_getpid), .program = program};
  word sampler = 0;
  uint64_t cpu_us = 0, ended = 0;
  int ending = 0;
  for (;;) {
    word signal = CALL(__NR_rt_sigtimedwait, &SIGNALS, 0, ending ? &pause : 0, sizeof SIGNALS);
    if (signal == SIGTERM) ending = 1;
    if (signal == SIGUSR1 && !ending && fork_process() == 0) bind_processors(&run);
    if (signal == SIGUSR2 && !ending && sampler <= 0) {
      sampler = fork_process();
      if (sampler == 0) report_sample(&run);
    }
    if (signal == SIGTSTP && !ending) halt(&run, &sampler);
    if (signal == SIGCONT && !ending) go_on(&run);
    for (;;) {
      int status = 0;
      /* struct rusage: user time, system time, peak resident size, and others. */
      int64_t usage[18] = {0};
      word pid = CALL(__NR_wait4, -1, &status, WNOHANG, usage);
      if (pid == -ECHILD) {
        collect_outputs(launch);
        sweep(launch);
        if (launch->own_files) report_own_files(launch);
        if (result.length > 0) report(&result);
        quit(0);
      }
      if (pid <= 0) break;
      if (pid == sampler) sampler = 0;
      if (pid != run.program) continue;
      ended++;
      cpu_us += (uint64_t)((usage[0] + usage[2]) * US_OF_SECOND + usage[1] + usage[3]);
      if (status == 0 && steps.next && !ending) {
        launch->program = steps.next;
        steps.next = split_program(launch->program, steps.end);
        run.program = start_program(launch, steps.environment, steps.next == 0);
        if (steps.next == 0) close_streams();
        continue;
      }
      ending = 1;
      put_text(&result, "R");
      put_number(&result, (uint64_t)status);
      put_number(&result, started_ns);
      put_number(&result, now_ns());
      put_number(&result, cpu_us);
      put_number(&result, (uint64_t)usage[4]);
      put_number(&result, ended);
    }
    if (ending && sampler > 0) CALL(__NR_kill, sampler, SIGKILL);
    if (ending) signal_all(launch, run.program, SIGKILL);
  }
}

static __attribute__((noreturn)) void empty(char **arguments) {
  const struct launch launch = {.has_uid = !equal(arguments[2], "-"), .uid = (uint32_t)number(arguments[2])};
  become_user(&launch);
  remove_entries(arguments[3], -1);
  quit(0);
}

/* Ends a list of arguments at its mark. @returns the first argument after it */
static char **end_list(char **list, char **end) {
  for (; list < end; list++)
    if (equal(*list, "--")) {
      *list = 0;
      return list + 1;
    }
  fail("arguments", -EINVAL);
}

__attribute__((used, noreturn)) void start(word *stack) {
  int count = (int)stack[0];
  char **arguments = (char **)(stack + 1);
  if (count == EMPTY_ARGUMENTS && equal(arguments[1], "--empty")) empty(arguments);
  char **environment = arguments + count + 1;
  /* What the caller had open is not for the program; the report is not either. */
  CALL(__NR_close_range, REPORT_FD + 1, ~0u, 0);
  CALL(__NR_fcntl, REPORT_FD, F_SETFD, FD_CLOEXEC);
  if (count < MIN_ARGUMENTS) fail("arguments", -EINVAL);

  struct launch launch = {
    .has_uid = !equal(arguments[1], "-"), .uid = (uint32_t)number(arguments[1]), .processors = number(arguments[2]),
    .memory_bytes = number(arguments[3]), .data_bytes = number(arguments[4]), .file_bytes = number(arguments[5]),
    .processes = number(arguments[6]), .entries = number(arguments[7]), .landlock = equal(arguments[8], "1"),
    .own_files = equal(arguments[9], "1"), .collects = equal(arguments[10], "1"), .pipe = arguments[11],
    .memory_group = arguments[12], .directory = arguments[13],
    .readable = arguments + FIRST_PATH,
  };
  for (int at = launch.has_uid ? 1 : 2; at <= LAST_NUMBER; at++)
    if (!is_whole_number(arguments[at])) fail("arguments", -EINVAL);
  /* To the kernel the largest number is not a user, but "as before". */
  if (launch.has_uid && (number(arguments[1]) >= UINT32_MAX || launch.uid == 0)) fail("uid", -EINVAL);
  if (!launch.has_uid && !launch.landlock) fail("same user without landlock", -EINVAL);
  launch.shared = end_list(launch.readable, arguments + count);
  launch.program = end_list(launch.shared, arguments + count);
  char **next = split_program(launch.program, arguments + count);
  if (launch.program >= arguments + count) fail("arguments", -EINVAL);

  CALL(__NR_prctl, PR_SET_PDEATHSIG, SIGTERM);
  CALL(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
  CALL(__NR_rt_sigprocmask, SIG_BLOCK, &SIGNALS, 0, sizeof SIGNALS);
  int outer[3];
  offer_pipes(&launch, outer);
  if (launch.own_files) mount_own_files(&launch);
  await_pipes(outer);
  uint64_t started_ns = now_ns();
  word program = start_program(&launch, environment, next == 0);
  const struct steps steps = {.next = next, .end = arguments + count, .environment = environment};
  if (next == 0) close_streams();
  supervise(&launch, steps, program, started_ns);
}
