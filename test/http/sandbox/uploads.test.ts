import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  execute,
  executeBatch,
  javascript,
  resultOf,
  resultsOf,
  sandboxService,
  submit,
  until,
} from '../../helpers/sandbox.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = sandboxService();
const MIB = 1024 * 1024;
/** The key of a file that was uploaded days ago. */
const OLD_UPLOAD = 'upl_01JDXM00000000000000000000';

type Caller = Pick<typeof service, 'baseUrl' | 'apiKey'>;

async function uploadOf(bytes: Uint8Array<ArrayBuffer>, caller: Caller = service): Promise<string> {
  const uploadUrl = await emptyUpload(bytes.length, caller);
  const { status } = await fetch(uploadUrl, { method: 'PUT', body: bytes });
  expect(status).toBe(200);
  return uploadUrl;
}

async function emptyUpload(size: number, caller: Caller = service): Promise<string> {
  const answer = await call(caller, 'POST', '/api/v1/execute/uploads', { body: { size } });
  const { upload_url, expires_in } = answer.json as { upload_url: string; expires_in: number };
  expect([answer.status, expires_in]).toEqual([200, 900]);
  return upload_url;
}

const prints = (files: readonly object[], rest: object = {}) =>
  javascript('for (const path of ["a.bin", "b/c.txt"]) console.log(require("fs").statSync(path).size)', {
    files,
    ...rest,
  });

describe('an uploaded file', () => {
  it('is found by programs of its workspace: single, batched and in the background', async () => {
    const upload_url = await uploadOf(Buffer.alloc(9 * MIB, 7));
    const body = prints([
      { path: 'a.bin', upload_url },
      { path: 'b/c.txt', content: 'xyz' },
    ]);
    expect(resultOf(await execute(service, body)).stdout).toBe(`${9 * MIB}\n3\n`);
    expect(resultsOf(await executeBatch(service, [body, body])).map(({ stdout }) => stdout)).toEqual([
      `${9 * MIB}\n3\n`,
      `${9 * MIB}\n3\n`,
    ]);
    const { execution_id } = await submit(service, body);
    expect((await until(service, execution_id)).result?.stdout).toBe(`${9 * MIB}\n3\n`);
  });

  it('may be a file of an earlier result, by its url', async () => {
    const writes = javascript('require("fs").writeFileSync("out/large", Buffer.alloc(5e6, 65))', { files: [] });
    const { files = [] } = resultOf(await execute(service, writes));
    const body = prints([
      { path: 'a.bin', upload_url: files[0]?.url },
      { path: 'b/c.txt', content: '' },
    ]);
    expect(resultOf(await execute(service, body)).stdout).toBe('5000000\n0\n');
  });
});

describe('an upload_url is refused before anything runs where it', () => {
  const refusal = async (upload_url: string, rest: object = {}) => {
    const answer = await execute(service, javascript('0', { files: [{ path: 'a', upload_url }], ...rest }));
    return [answer.status, (answer.json as { detail?: string }).detail];
  };
  const notOurs = [400, expect.stringMatching(/^files\.0\.upload_url must be an upload_url of POST/)];

  it("is of another workspace's upload or result, by any spelling", async () => {
    const mine = await uploadOf(Buffer.from('mine'));
    const other = await createWorkspace();
    const theirs = await uploadOf(Buffer.from('theirs'), { ...service, apiKey: other.apiKey });
    expect(await refusal(theirs)).toEqual(notOurs);
    const id = /upl_[0-9A-Z]{26}/.exec(theirs)![0];
    for (const path of [
      `..%2F${other.workspaceId}%2Fuploads%2F${id}`,
      `../${other.workspaceId}/uploads/${id}`,
      '%E0%A4%A',
      '',
    ])
      expect(await refusal(mine.replace(/uploads\/upl_[0-9A-Z]{26}/, path)), path).toEqual(notOurs);
  });

  it('leads to another object of the workspace, another bucket or the web', async () => {
    const mine = await uploadOf(Buffer.from('mine'));
    const { execution_id } = resultOf(await execute(service, javascript('0')));
    const others = [
      mine.replace(/uploads\/upl_[0-9A-Z]{26}/, `${execution_id}/program`),
      mine.replace('-executions/', '-uploads/'),
      mine.replace('127.0.0.1', 'localhost'),
      'http://169.254.169.254/latest/meta-data/',
      `${service.baseUrl}/api/v1/health`,
      'file:///etc/passwd',
    ];
    for (const address of others) expect(await refusal(address), address).toEqual(notOurs);
  });

  it('has expired, or has no file yet', async () => {
    const empty = await emptyUpload(4);
    expect(await refusal(empty)).toEqual([400, 'files.0.upload_url has no file; PUT it there first.']);
    const old = empty.replace(/upl_[0-9A-Z]{26}/, OLD_UPLOAD);
    expect(await refusal(old)).toEqual([400, 'files.0.upload_url is older than 24 hours; upload the file again.']);
  });

  it('holds more than the disk or the service allows', async () => {
    const large = await uploadOf(Buffer.alloc(13 * MIB));
    const files = ['a', 'b'].map((path) => ({ path, upload_url: large }));
    expect(await refusal(large, { files })).toEqual([400, expect.stringContaining('24 MiB in all')]);
    expect(await refusal(large, { resources: { disk_mb: 10 } })).toEqual([
      400,
      'files must be at most half of disk_mb.',
    ]);
    const batch = await executeBatch(
      service,
      [0, 1].map(() => javascript('0', { files: files.slice(0, 1) })),
    );
    expect([batch.status, batch.json]).toEqual([400, { detail: expect.stringMatching(/^1\.files.*24 MiB in all/) }]);
  });

  it('is one of ten thousand', async () => {
    const upload_url = await emptyUpload(4);
    const files = Array.from({ length: 10_000 }, (_, index) => ({ path: `f${index}`, upload_url }));
    expect(await refusal(upload_url, { files })).toEqual([400, expect.stringContaining('100')]);
  });
});

it.each([0, -1, 1.5, 24 * MIB + 1, '4', undefined])('refuses an upload of size %s', async (size) => {
  const answer = await call(service, 'POST', '/api/v1/execute/uploads', { body: { size } });
  expect([answer.status, answer.json]).toEqual([400, { detail: expect.stringContaining('size') }]);
});
