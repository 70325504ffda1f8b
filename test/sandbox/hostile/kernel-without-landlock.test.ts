import { keepsIn } from './kept-in.ts';

/** Starts a command whose Landlock calls all give ENOSYS. */
const WITHOUT_LANDLOCK = `
import ctypes, os, struct, sys
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7fff0000)]
table = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(table)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
`;

keepsIn({
  name: 'on a kernel that has no Landlock',
  options: { prefix: ['python3', '-c', WITHOUT_LANDLOCK] },
  landlock: false,
  asRoot: true,
  isSampled: true,
});
