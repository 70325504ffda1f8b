import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Answers as Go does, in the form that the toolchain is asked for. */
const GO = `#!/bin/sh
case $1 in
  env) printf '/go\\n/go/tool\\ngo9.9.9\\n' ;;
  list) echo 'packagefile fmt=/go/fmt.a' ;;
esac`;

let folder: string;
beforeAll(() => {
  // Not below /tmp, which other users may not be able to pass.
  folder = mkdtempSync('/var/tmp/tripod-go-');
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'go'), GO, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

it.runIf(process.platform === 'linux')(
  'the image’s Go is found on the PATH of the image, outside /usr/bin',
  async () => {
    const env = { PATH: folder, RUNNER_GO_CACHE: join(folder, 'cache') };
    const { stdout } = await promisify(execFile)(process.execPath, ['sandbox/prepare-go.ts'], { env });
    expect(stdout).toBe('Go 9.9.9 is ready.\n');
  },
);
