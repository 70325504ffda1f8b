import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { call, EXTRACT_PATH, extractCall, problemOf } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

const untouched = { balanceKrw: 500, freeCallsUsed: 10, charges: [], extractions: [], idempotencyKeys: [] };

it('413 image_too_large: 19 MB', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  const image = randomBytes(19_000_000).toString('base64');
  const answer = await extractCall(service, workspace, { image }, 'order-1');
  expect(answer.status).toBe(413);
  expect(problemOf(answer)).toMatchObject({ code: 'image_too_large', message: expect.stringContaining('18 MB') });
  expect(await tracesOf(workspace.workspaceId)).toEqual(untouched);
});

it('413 image_too_large: a small file that would unpack to 400 megapixels', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  const bomb = blackPng(20_000, 20_000);
  expect(bomb.length).toBeLessThan(1_000_000);
  const answer = await extractCall(service, workspace, { image: bomb.toString('base64') }, 'order-1');
  expect(answer.status).toBe(413);
  expect(problemOf(answer)).toMatchObject({ code: 'image_too_large', message: expect.stringContaining('megapixels') });
  expect(await tracesOf(workspace.workspaceId)).toEqual(untouched);
});

it('413 for a body beyond what any image needs, from the gateway', async () => {
  const raw = Buffer.alloc(27 * 1024 * 1024, 'A');
  const answer = await call(service, 'POST', EXTRACT_PATH, { raw });
  expect(answer.status).toBe(413);
  const { code, message } = problemOf(answer);
  expect(code).toBe('request_too_large');
  expect(message).toContain('POST /api/v1/uploads');
});

/** One bit a pixel, all zero: what no image library likes to make, and any decompression bomb is. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}
