import { expect } from 'vitest';
import type { EdgeSnippet } from '../edge/edge-snippet.ts';

/**
 * Memory and disk that no name and no open descriptor leads to: 300 MB against the limit of 100 MB of disk, 1 GB against 512 MB of
 * memory. A program that succeeds reports it and stays, so that the count sees it: it may be ended for a limit, get an error, or be
 * refused the call, but never end with 0.
 */
const SUCCEEDED = 'ESCAPED';
const keptIn = {
  kind: 'finished',
  stdout: expect.not.stringContaining(`${SUCCEEDED} and stayed`),
  exitCode: expect.toSatisfy((code: number) => code === 1 || code === 137),
};
const stay = `import time\nprint("${SUCCEEDED}", flush=True)\ntime.sleep(4)\nprint("${SUCCEEDED} and stayed", flush=True)\n`;

const prelude = `import ctypes, mmap, os, platform, socket, struct, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
x64 = platform.machine() == "x86_64"
def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result == -1: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
MB = 1 << 20
def write(name, size=50 * MB):
    with open(name, "wb") as f:
        for i in range(size // MB): f.write(b"x" * MB)
def map_page(fd, prot=1, flags=1):
    address = libc.mmap(None, ctypes.c_size_t(4096), prot, flags, fd, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), "mmap")
def hog(bytes_of_each, count):
    held = []
    for i in range(count): held.append(bytearray(b"x") * bytes_of_each)
    return held
`;

/** Holds in a thread what `hoard` gets, while the main thread ends; which thread's code the program ends with depends on the kernel. */
const inThread = (hoard: string) => `
def hold():
    try:
        held = []
        ${hoard}
    except (OSError, MemoryError): os._exit(1)
    import time
    print("${SUCCEEDED}", flush=True); time.sleep(4); print("${SUCCEEDED} and stayed", flush=True); os._exit(0)
threading.Thread(target=hold).start()
call(60 if x64 else 93, 1)
`;

const python = (code: string): EdgeSnippet => ({ language: 'python', code: prelude + code + stay, gives: keptIn });

export const holderSnippets: Readonly<Record<string, EdgeSnippet>> = {
  'terminals of the whole machine': python(
    'held = [os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY) for i in range(100)]\n',
  ),
  'disk: removed files, one page of each still mapped': python(`
for i in range(6):
    write("f"); fd = os.open("f", os.O_RDONLY); map_page(fd); os.close(fd); os.unlink("f")
`),
  'disk: removed files, in flight between two sockets': python(`
a, b = socket.socketpair()
for i in range(6):
    write("f"); fd = os.open("f", os.O_RDONLY); socket.send_fds(a, [b"x"], [fd]); os.close(fd); os.unlink("f")
`),
  'disk: removed files that are mapped behind a line longer than any buffer': python(`
top = os.getcwd()
for i in range(90): os.mkdir("d" * 240); os.chdir("d" * 240)
write("deep", MB); fd = os.open("deep", os.O_RDONLY)
# Before all others in the list of mappings.
if libc.mmap(ctypes.c_void_p(0x10000), ctypes.c_size_t(4096), 1, 0x11, fd, ctypes.c_long(0)) == ctypes.c_void_p(-1).value: raise OSError("mmap")
os.chdir(top)
for i in range(6):
    write("f"); fd = os.open("f", os.O_RDONLY)
    if libc.mmap(None, ctypes.c_size_t(50 * MB), 1, 1, fd, ctypes.c_long(0)) == ctypes.c_void_p(-1).value: raise OSError("mmap")
    os.close(fd); os.unlink("f")
`),
  'disk: programs that run and are removed': python(`
import shutil, subprocess
program = open("/bin/sleep", "rb").read()
for i in range(6):
    with open(os.open("p", os.O_CREAT | os.O_WRONLY, 0o700), "wb") as f:
        f.write(program)
        for j in range(50): f.write(b"x" * MB)
    child = subprocess.Popen(["./p", "30"])
    os.unlink("p")
`),
  'disk: removed files that a thread holds whose process looks empty': python(
    inThread('for i in range(6): write("f"); held.append(os.open("f", os.O_RDONLY)); os.unlink("f")'),
  ),
  'disk: many files at once, faster than the count': python(`
chunk = b"x" * (8 * MB)
for i in range(40):
    fd = os.open(str(i), os.O_CREAT | os.O_WRONLY)
    if os.write(fd, chunk) < len(chunk): raise OSError("short")
    os.close(fd)
for i in range(40): os.unlink(str(i))
print("${SUCCEEDED} and stayed", flush=True); os._exit(0)
`),
  'memory: shared pages, one of each still mapped': python(`
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
for i in range(16):
    size = 64 * MB
    address = libc.mmap(None, ctypes.c_size_t(size), 3, 0x21, -1, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value: raise OSError("mmap")
    ctypes.memset(address, 1, size)
    libc.munmap(address + 4096, size - 4096)
`),
  'memory: huge pages that are lent to pipes': python(`
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
held = []
for pipe in range(40):
    size = 34 * MB
    base = libc.mmap(None, size, 3, 0x22, -1, 0)
    start = (base + 2 * MB - 1) // (2 * MB) * 2 * MB
    libc.madvise(start, 32 * MB, 14)
    ctypes.memset(start, 1, 32 * MB)
    ends = os.pipe(); held.append(ends)
    for page in range(16):
        vector = struct.pack("QQ", start + page * 2 * MB, 1)
        call(278 if x64 else 75, ends[1], vector, 1, 0)
    libc.munmap(base, size)
`),
  'memory: pages of removed files that are lent to sockets': python(`
held = []
for i in range(14):
    write("f", 80 * MB)
    fd = os.open("f", os.O_RDONLY)
    a, b = socket.socketpair(); a.setblocking(False); held += [a, b]
    for page in range(0, 80 * MB, 64 * 1024):
        try: os.sendfile(a.fileno(), fd, page, 1)
        except BlockingIOError: break
    os.close(fd); os.unlink("f")
`),
  'memory: of a thread whose process looks empty': python(`
# Each process stays below its own limit; together they take twice what all may have.
import time
for i in range(3):
    if os.fork() == 0: break
${inThread('held = hog(64 * MB, 6)')}`),
};
