import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { intakeFiles } from '../../../lib/packaging/intake-image.ts';
import { call, EXTRACT_PATH, extractCall, problemOf } from '../../helpers/api.ts';
import { IMAGE_PATH, inImageRoot, removeImageRoots, whyNoImageRoot, writablePlaces } from '../../helpers/image-root.ts';
import { samplePage } from '../../helpers/page-images.ts';
import { rawConnection } from '../../helpers/raw-http.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

let data: InProcessService;
let image: string;
let child: ChildProcess;
let output = '';
/** The intake, as a client sees it, with the demo workspace's key. */
let intake: { baseUrl: string; apiKey: string };

/** The uid of the image's user `node`. */
const NODE_USER = 1000;

/**
 * The program of the container from a folder that holds what the image holds, and nothing else, on the stores of a local service; where
 * root can be made for it, as the image's user in a root that is read-only but for /tmp.
 */
beforeAll(async () => {
  data = await startService();
  image = await mkdtemp(join(tmpdir(), 'tripod-intake-'));
  for (const file of intakeFiles)
    if (file.startsWith('!')) await cp(file.slice(1), join(image, file.slice(1)), { recursive: true });
  const packages = join(process.cwd(), 'node_modules');
  const isRooted = whyNoImageRoot() === '';
  if (isRooted) await chmod(image, 0o755);
  else await symlink(packages, join(image, 'node_modules'));
  const master = fileURLToPath(SHIPPED_MASTER);
  // Below /app: the root has a private /tmp, and a checkout may be below the machine's.
  const root = { app: image, tmpMib: 512, more: { [packages]: '/app/node_modules', [dirname(master)]: '/app/master' } };
  const user = ['setpriv', `--reuid=${NODE_USER}`, `--regid=${NODE_USER}`, '--clear-groups', '--bounding-set=-all'];
  const [program = '', ...parameters] = isRooted
    ? [...inImageRoot(root), ...user, 'env', '--chdir=/app', 'node', 'intake/main.ts']
    : [process.execPath, 'intake/main.ts'];
  child = spawn(program, parameters, {
    cwd: image,
    env: {
      ...process.env,
      PORT: '0',
      TRIPOD_LOCAL: '0',
      MANY_AT_A_TIME: '1',
      READER: 'embedded',
      DRUG_MASTER: isRooted ? `file:///app/master/${basename(master)}` : SHIPPED_MASTER.href,
      LOG_LEVEL: 'INFO',
      ...(isRooted && { PATH: IMAGE_PATH, HOME: '/' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  intake = { baseUrl: `http://127.0.0.1:${await announcedPort()}`, apiKey: data.apiKey };
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await data?.stop();
  await rm(image, { recursive: true, force: true });
  removeImageRoots();
});

function announcedPort(): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The intake ended with ${code}:\n${output}`)));
    createInterface(child.stdout!).on('line', (line) => {
      output += `${line}\n`;
      const port = /^Tripod intake is ready: port (\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(port);
    });
  });
}

describe('the container intake', () => {
  it('works as a user without rights, in a root that is read-only but for /tmp', ({ skip }) => {
    const cannot = whyNoImageRoot();
    if (cannot !== '') skip(cannot);
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:(\\t${NODE_USER}){4}$`, 'm'));
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(writablePlaces(child.pid!).filter((place) => !/^\/(dev|proc)(\/|$)/.test(place))).toEqual(['/tmp']);
  });

  it('is healthy, and serves the routes of specification 1 on the same data', async () => {
    expect((await call(intake, 'GET', '/api/v1/health', { key: null })).status).toBe(200);
    expect((await call(intake, 'GET', '/api/v1/balance')).json).toEqual(
      (await call(data, 'GET', '/api/v1/balance')).json,
    );
    expect((await call(intake, 'GET', '/api/v1/balance', { key: null })).status).toBe(401);
    expect((await call(intake, 'GET', '/api/v1/nowhere')).status).toBe(404);
  });

  it('reads an inline image of 16 MB, and charges for it once', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
    // It is about bytes on their way, not about pixels: what follows the end of a PNG is not a part of the picture.
    const large = Buffer.concat([await samplePage(), Buffer.alloc(15_500_000)]);
    expect(large.length).toBeGreaterThan(15_000_000);
    const body = { image: large.toString('base64') };
    const first = await extractCall(intake, workspace, body, 'large-1');
    expect(first.status, JSON.stringify(first.json)).toBe(200);
    expect(first.json).toMatchObject({ foundTable: true, cost: { krw: 200, free: false }, balanceKrw: 800 });
    const again = await extractCall(intake, workspace, body, 'large-1');
    expect(again.json).toEqual(first.json);
    expect((await tracesOf(workspace.workspaceId)).charges).toHaveLength(1);
    expect(output).toContain('"route":"extraction.extract"');
  });

  it('413 for more than 26 MB, naming uploads', async () => {
    const answer = await call(intake, 'POST', EXTRACT_PATH, { raw: Buffer.alloc(27 * 1024 * 1024, 'A') });
    expect(answer.status).toBe(413);
    expect(problemOf(answer).message).toContain('POST /api/v1/uploads');
  });

  it('401 for a large body without a valid key, before any of it is read', async () => {
    const { socket, received } = await rawConnection(intake.baseUrl);
    socket.write(
      `POST ${EXTRACT_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.end();
    const answer = await received;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('"code":"invalid_key"');
    expect(answer).not.toContain('100 Continue');
  });

  it('ends cleanly on SIGTERM, after the request under way', async () => {
    const { socket, received } = await rawConnection(intake.baseUrl);
    const body = JSON.stringify({ lowBalanceThresholdKrw: 5 });
    const head = `PATCH /api/v1/balance HTTP/1.1\r\nHost: x\r\nx-api-key: ${intake.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(head + body.slice(0, 3));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write(body.slice(3));
    expect(await received).toMatch(/^HTTP\/1\.1 200 [\s\S]*"lowBalanceThresholdKrw":5/);
    expect(await gone).toEqual([0, null]);
  });
});
