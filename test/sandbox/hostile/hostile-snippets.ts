import type { LanguageName } from '../../../functions/sandbox/domain/run.ts';
import { type Attempts, deviceAttempts, kernelAttempts, SYSCALL } from './kernel-attempts.ts';

/** One thing that a program must not be able to do; where it can, the program prints ESCAPED. */
export interface HostileSnippet {
  readonly language: LanguageName;
  readonly name: string;
  readonly code: string;
  /** Harmless if runs have separate users, or without Landlock: skipped there. */
  readonly only?: 'with Landlock' | 'with Landlock alone' | 'with Landlock or own files';
}

/** Python statements that must raise. */
const python: Attempts = {
  'TCP socket': 'import socket; socket.create_connection(("127.0.0.1", 9), 1)',
  'any IPv4 socket': 'import socket; socket.socket()',
  'IPv6 socket': 'import socket; socket.socket(socket.AF_INET6)',
  'UDP socket': 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))',
  'unix socket': 'import socket; socket.socket(socket.AF_UNIX)',
  'unix datagram pair': 'import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)',
  'netlink socket': 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)',
  'raw socket': 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)',
  'packet socket': 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)',
  vsock: 'import socket; socket.socket(40, socket.SOCK_STREAM)',
  'kernel crypto socket': 'import socket; socket.socket(38, socket.SOCK_SEQPACKET)',
  'metadata address': 'import urllib.request; urllib.request.urlopen("http://169.254.170.2/v2/credentials", timeout=2)',
  'instance metadata':
    'import urllib.request; urllib.request.urlopen("http://169.254.169.254/latest/meta-data", timeout=2)',
  'name look-up': 'import socket; socket.getaddrinfo("example.com", 80)',
  io_uring: `${SYSCALL}call(425, 8, ctypes.create_string_buffer(256))`,
  'x32 socket': `${SYSCALL}call(0x40000000 + 41, 2, 1, 0)`,
  memfd: 'import os; os.memfd_create("x")',
  // Instances are limited per user: one program could take those of all, and those of the operator.
  'an inotify instance': `${SYSCALL}call(294 if x64 else 26, 0)`,
  'an inotify instance, the former way': `${SYSCALL}call(253 if x64 else 26, 0)`,
  'a fanotify instance': `${SYSCALL}call(300 if x64 else 262, 0, 0)`,
  'an asynchronous I/O context': `${SYSCALL}call(206 if x64 else 0, 64, ctypes.create_string_buffer(8))`,
  'ptrace of the parent': `${SYSCALL}import os; call(101 if x64 else 117, 16, os.getppid(), 0, 0)`,
  'memory of the parent': 'import os; open(f"/proc/{os.getppid()}/mem", "rb").read(1)',
  'environment of the parent': 'import os; open(f"/proc/{os.getppid()}/environ", "rb").read(1)',
  'descriptors of the parent': 'import os; os.listdir(f"/proc/{os.getppid()}/fd")',
  'reading another process': `${SYSCALL}import os; call(310 if x64 else 270, os.getppid(), 0, 0, 0, 0, 0)`,
  'pidfd of the parent': 'import os; fd = os.pidfd_open(os.getppid()); import signal; signal.pidfd_send_signal(fd, 9)',
  'user namespace': `${SYSCALL}call(272 if x64 else 97, 0x10000000)`,
  'clone into a namespace': `${SYSCALL}call(56 if x64 else 220, 0x10000011, 0, 0, 0, 0)`,
  clone3: `${SYSCALL}call(435, ctypes.create_string_buffer(88), 88)`,
  mount: `${SYSCALL}call(165 if x64 else 40, b"none", b"/tmp", b"tmpfs", 0, 0)`,
  'new mount interface': `${SYSCALL}call(430, b"tmpfs", 0)`,
  chroot: 'import os; os.chroot(".")',
  bpf: `${SYSCALL}call(321 if x64 else 280, 0, 0, 0)`,
  'perf events': `${SYSCALL}call(298 if x64 else 241, 0, 0, 0, 0, 0)`,
  keyring: `${SYSCALL}call(250 if x64 else 219, 0, -3, 0)`,
  userfaultfd: `${SYSCALL}call(323 if x64 else 282, 0)`,
  'shared memory segment': `${SYSCALL}call(29 if x64 else 194, 0x7171, 4096, 0o1666)`,
  'message queue': `${SYSCALL}call(68 if x64 else 186, 0x7171, 0o1666)`,
  'POSIX message queue': `${SYSCALL}call(240 if x64 else 180, b"tripod", 0o102, 0o666, 0)`,
  'file handle': `${SYSCALL}call(304 if x64 else 265, -100, 0, 0)`,
  'kernel module': `${SYSCALL}call(313 if x64 else 273, 0, b"", 0)`,
  'set the clock': 'import time; time.clock_settime(time.CLOCK_REALTIME, 0)',
  'host name': 'import socket; socket.sethostname("x")',
  'become root': 'import os; os.setuid(0)',
  'become another run': 'import os; os.setuid(40001 if os.getuid() != 40001 else 40002)',
  'join a group': 'import os; os.setgroups([0])',
  'a user by capability': `${SYSCALL}call(117 if x64 else 147, 0, 0, 0)`,
  'other priority for all': 'import os; os.setpriority(os.PRIO_USER, 0, 5)',
  'more processors': 'import os; os.sched_setaffinity(0, range(os.cpu_count()))',
  'limits of the parent': 'import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (8, 8))',
  'higher limits': 'import resource; resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999))',
  'more memory for data': 'import resource; resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))',
  'signal to the parent': 'import os; os.kill(os.getppid(), 9)',
  'signal to init': 'import os; os.kill(1, 0)',
  'hide from the watch': `${SYSCALL}call(157 if x64 else 167, 4, 0, 0, 0, 0)`,
  'read /etc/shadow': 'open("/etc/shadow").read()',
  'read the home of root': 'import os; os.listdir("/root")',
  'write to the root': 'open("/escaped", "w")',
  'write to /etc': 'open("/etc/passwd", "a")',
  'write to /usr': 'open("/usr/bin/escaped", "w")',
  'write over the interpreter': 'import sys, os; open(os.path.realpath(sys.executable), "r+b")',
  'directories of other runs': 'import os; os.listdir("..")',
  'symlink to a secret': 'import os; os.symlink("/etc/shadow", "link"); open("link").read()',
  'hard link to a secret': 'import os; os.link("/etc/shadow", "hard")',
  'hard link to its own reader': 'import os; os.link("/etc/passwd", "hard"); open("hard", "a")',
  'block device': 'import os; os.mknod("disk", 0o60600, os.makedev(8, 0)); open("disk").read(1)',
  'kernel memory': 'open("/dev/mem", "rb")',
  'kernel log': 'open("/dev/kmsg")',
  'kernel settings': 'open("/proc/sys/kernel/core_pattern", "w")',
  'kernel trigger': 'open("/proc/sysrq-trigger", "w").write("b")',
  'set-uid root': 'import os, shutil; shutil.copy("/bin/sh", "sh"); os.chown("sh", 0, 0)',
  'mode of a file of the system': 'import os; os.chmod("/etc/passwd", 0o777)',
  'terminal input': 'import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b"x")',
  'mode of what the runner owns, by descriptor': 'import os; os.fchmod(os.open("main.py", os.O_RDONLY), 0o4755)',
  'owner of what the runner owns, by descriptor':
    'import os; fd = os.open("main.py", os.O_RDONLY); os.fchown(fd, 54321, os.stat(fd).st_gid)',
  'times of what the runner owns, by descriptor': 'import os; os.utime(os.open("main.py", os.O_RDONLY), (0, 0))',
  'attribute of what the runner owns, by descriptor':
    'import os; os.setxattr(os.open("main.py", os.O_RDONLY), "user.x", b"x")',
  'removing an attribute of what the runner owns, by descriptor':
    'import os; os.removexattr(os.open("main.py", os.O_RDONLY), "user.x")',
  'flags of what the runner owns, by descriptor': `import os, fcntl, struct
fd = os.open("main.py", os.O_RDONLY)
for number, size in ((0x40086602, 8), (0x40086685, 128), (0x401c5820, 28), (0x40087602, 8)):
    try: fcntl.ioctl(fd, number, bytes(size))
    except OSError as error: last = error
    else: break
else: raise last`,
  'a lease of what the runner owns': 'import os, fcntl; fcntl.fcntl(os.open("main.py", 0), fcntl.F_SETLEASE, 0)',
  'notices of a directory of all': 'import os, fcntl; fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, 1)',
  'watching what others execute': `${SYSCALL}fd = call(294 if x64 else 26, 0)
call(254 if x64 else 27, fd, b"/usr/bin", 0x20)`,
  'interfaces of the machine, by its own output': 'import fcntl; fcntl.ioctl(1, 0x8912, bytes(40))',
  'list of mounts': `${SYSCALL}import struct
call(458, struct.pack("IIQQQ", 32, 0, 0xffffffffffffffff, 0, 0), ctypes.create_string_buffer(512), 64, 0)`,
  'asynchronous requests of the whole machine': `${SYSCALL}call(206 if x64 else 0, 60000, ctypes.create_string_buffer(8))`,
  'larger buffers of sockets':
    'import socket; socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)',
  'time stamps of sockets, a state of the machine': 'import socket; socket.socketpair()[0].setsockopt(1, 29, 1)',
  'an option of a socket that no list names': 'import socket; socket.socketpair()[0].setsockopt(1, 42, 1)',
  'a futex table of the kernel of any size': `${SYSCALL}call(157 if x64 else 167, 78, 1, 1 << 12, 0, 0)`,
  'a filter of system calls': `${SYSCALL}import struct
instruction = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 1, ctypes.addressof(instruction)))
call(317 if x64 else 277, 1, 0, program)`,
  'a filter of system calls by prctl': `${SYSCALL}import struct
instruction = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 1, ctypes.addressof(instruction)))
call(157 if x64 else 167, 22, 2, program)`,
  'rules of Landlock': `${SYSCALL}call(444, ctypes.create_string_buffer(b"\\x01" + bytes(7)), 8, 0)`,
  'a scheduling cookie of the kernel': `${SYSCALL}call(157 if x64 else 167, 62, 1, 0, 0, 0)`,
  'names of mappings': `${SYSCALL}import mmap
page = mmap.mmap(-1, 4096)
start = ctypes.addressof(ctypes.c_char.from_buffer(page))
call(157 if x64 else 167, 0x53564d41, 0, start, 4096, ctypes.create_string_buffer(b"a" * 70))`,
  'merged pages': 'import mmap; mmap.mmap(-1, 4096).madvise(12)',
  'a filter of a socket':
    'import socket, ctypes, struct; code = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 1)); socket.socketpair()[0].setsockopt(1, 26, struct.pack("<HxxxxxxQ", 1, ctypes.addressof(code)))',
  'an option of a descriptor that no list names': 'import os, fcntl; fcntl.fcntl(0, 1050, 0)',
  'larger pipes': 'import os, fcntl; fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)',
};

/** Only Landlock keeps these in; without it they leave nothing behind, which another test looks at. */
const pythonWithLandlock: Attempts = {
  'command lines of others': 'open("/proc/1/cmdline").read()',
  'list of processes': 'import os; os.listdir("/proc")',
  'connections of the machine': 'open("/proc/self/net/tcp").read()',
  'connections of the machine, by a thread': 'import os; open(f"/proc/self/task/{os.getpid()}/net/tcp").read()',
  'mounts of the machine': 'open("/proc/self/mountinfo").read()',
  'the service’s own files': 'import glob; open("/proc/mounts"); open("/etc/hosts")',
};

/** With files of its own a program has others in these places, which another test looks at. */
const pythonWithLandlockAlone: Attempts = {
  'write to /tmp': 'open("/tmp/tripod-escaped", "w")',
  'write to /dev/shm': 'open("/dev/shm/tripod-escaped", "w")',
  'write to /var/tmp': 'open("/var/tmp/tripod-escaped", "w")',
  'read /tmp': 'import os; os.listdir("/tmp")',
};

/** JavaScript, in an async function, that must throw. */
const javascript: Attempts = {
  fetch: 'await fetch("http://127.0.0.1:9/", { signal: AbortSignal.timeout(2000) })',
  'TCP connection': 'const s = require("net").connect(9, "127.0.0.1"); await require("events").once(s, "connect")',
  'TCP server': 'const s = require("net").createServer().listen(0); await require("events").once(s, "listening")',
  'unix server': 'const s = require("net").createServer().listen("./s"); await require("events").once(s, "listening")',
  'UDP socket': 'const s = require("dgram").createSocket("udp4").bind(0); await require("events").once(s, "listening")',
  'name look-up': 'await require("dns/promises").lookup("example.com")',
  'name server':
    'const { Resolver } = require("dns/promises"); await new Resolver({ timeout: 500, tries: 1 }).resolve4("example.com")',
  'kill the runner': 'process.kill(process.ppid, "SIGKILL")',
  'become root': 'process.setuid(0)',
  'environment of the runner': 'require("fs").readFileSync("/proc/" + process.ppid + "/environ")',
  'read a secret through a link': 'const fs = require("fs"); fs.symlinkSync("/etc/shadow", "l"); fs.readFileSync("l")',
  'write over its own program':
    'require("fs").writeFileSync("main.js", "1"); require("fs").openSync("/proc/self/exe", "r+")',
  debugger:
    'process.debugPort = 9229; require("inspector").open(0, "127.0.0.1"); if (!require("inspector").url()) throw 1',
  'a child that is set free':
    'const c = require("child_process").spawn("/usr/bin/id", [], { uid: 0 }); await require("events").once(c, "spawn")',
  'binding to the system':
    'process.binding("tcp_wrap").TCP && new (process.binding("tcp_wrap").TCP)(0).bind("127.0.0.1", 0) && (() => { throw 1 })()',
  'other run’s directory': 'require("fs").readdirSync("..")',
};

/** Ruby that must raise. */
const ruby: Attempts = {
  'TCP socket': 'require "socket"; TCPSocket.new("127.0.0.1", 9)',
  'TCP server': 'require "socket"; TCPServer.new("127.0.0.1", 0)',
  'UDP socket': 'require "socket"; UDPSocket.new',
  'unix server': 'require "socket"; UNIXServer.new("s")',
  'raw socket': 'require "socket"; Socket.new(:INET, :RAW, 1)',
  'name look-up': 'require "socket"; Addrinfo.getaddrinfo("example.com", 80)',
  HTTP: 'require "net/http"; Net::HTTP.get(URI("http://169.254.170.2/"))',
  'socket by number': 'raise if syscall(41, 2, 1, 0) < 0',
  'become root': 'Process::Sys.setuid(0)',
  'kill the parent': 'Process.kill(:KILL, Process.ppid)',
  'read a secret': 'File.read("/etc/shadow")',
  'list other runs': 'Dir.children("..")',
  'write outside': 'File.write("/usr/escaped", "x")',
  chroot: 'Dir.chroot(".")',
  'higher limits': 'Process.setrlimit(:NPROC, 100000, 100000)',
  'environment of the parent': 'File.read("/proc/#{Process.ppid}/environ")',
};

/** Go expressions of type error that must not be nil, with the packages they need. */
const go: Readonly<Record<string, readonly [imports: string, body: string]>> = {
  'TCP connection': ['net', '_, err := net.Dial("tcp", "127.0.0.1:9"); return err'],
  'TCP server': ['net', '_, err := net.Listen("tcp", "127.0.0.1:0"); return err'],
  'UDP socket': ['net', '_, err := net.ListenPacket("udp", "127.0.0.1:0"); return err'],
  'unix socket': ['net', '_, err := net.Listen("unix", "s"); return err'],
  'name look-up': ['net', '_, err := net.LookupHost("example.com"); return err'],
  HTTP: ['net/http', '_, err := http.Get("http://169.254.170.2/"); return err'],
  'raw socket': ['syscall', '_, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_RAW, 1); return err'],
  'netlink socket': ['syscall', '_, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0); return err'],
  ptrace: ['os;syscall', 'return syscall.PtraceAttach(os.Getppid())'],
  namespace: [
    'os/exec;syscall',
    'c := exec.Command("/bin/true"); c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: 0x10000000}; return c.Run()',
  ],
  'become root': ['syscall', 'return syscall.Setuid(0)'],
  mount: ['syscall', 'return syscall.Mount("none", "/tmp", "tmpfs", 0, "")'],
  'kill the parent': ['os;syscall', 'return syscall.Kill(os.Getppid(), 9)'],
  'read a secret': ['os', '_, err := os.ReadFile("/etc/shadow"); return err'],
  'list other runs': ['os', '_, err := os.ReadDir(".."); return err'],
};

/** Commands that must fail. */
const bash: Attempts = {
  'TCP by redirection': 'exec 3<>/dev/tcp/127.0.0.1/9',
  'UDP by redirection': 'exec 3<>/dev/udp/127.0.0.1/9',
  'kill everything else': 'kill -9 $PPID',
  'read a secret': 'cat /etc/shadow',
  'write outside': 'echo x > /usr/escaped',
  'more processes': 'ulimit -u 100000',
  'list other runs': 'ls ..',
  mount: 'mount -t tmpfs none .',
  namespaces: 'unshare -U true',
  'nice the rest': 'renice -n 5 -p $PPID',
};

function indented(code: string): string {
  return code
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

const inPython = (code: string) =>
  `try:\n${indented(code)}\n    print("ESCAPED")\nexcept Exception as error:\n    print("kept in:", error)\n`;
const inJavascript = (code: string) =>
  `(async () => { ${code} })().then(() => { console.log("ESCAPED"); process.exit() }, (error) => { console.log("kept in:", String(error)); process.exit() });`;
const inRuby = (code: string) =>
  `begin\n  ${code}\n  puts "ESCAPED"\nrescue Exception => error\n  puts "kept in: #{error.message}"\nend\n`;
const inBash = (code: string) => `if ( ${code} ) 2>error; then echo ESCAPED; else echo "kept in: $(cat error)"; fi\n`;
const inGo = ([imports, body]: readonly [string, string]) => `package main
import ("fmt"; ${imports
  .split(';')
  .map((name) => JSON.stringify(name))
  .join('; ')})
func attempt() error { ${body} }
func main() { if err := attempt(); err == nil { fmt.Println("ESCAPED") } else { fmt.Println("kept in:", err) } }
`;

function snippets<T>(
  language: LanguageName,
  attempts: Readonly<Record<string, T>>,
  wrap: (attempt: T) => string,
  only?: HostileSnippet['only'],
): HostileSnippet[] {
  return Object.entries(attempts).map(([name, attempt]) => ({
    language,
    name,
    code: wrap(attempt),
    ...(only && { only }),
  }));
}

export const hostileSnippets: readonly HostileSnippet[] = [
  ...snippets('python', { ...python, ...kernelAttempts }, inPython),
  ...snippets('python', deviceAttempts, inPython, 'with Landlock or own files'),
  ...snippets('python', pythonWithLandlock, inPython, 'with Landlock'),
  ...snippets('python', pythonWithLandlockAlone, inPython, 'with Landlock alone'),
  ...snippets('javascript', javascript, inJavascript),
  ...snippets('ruby', ruby, inRuby),
  ...snippets('go', go, inGo),
  ...snippets('bash', bash, inBash),
];
