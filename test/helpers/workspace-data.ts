import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { eraseData } from '../../functions/accounts/domain/erase-data.ts';
import { eraseDataWorker } from '../../functions/accounts/workers.ts';
import { exportResult } from '../../functions/accounts/workspace-schemas.ts';
import { erasePorts } from '../../functions/wiring/accounts/erase-data.ts';
import { aroundHandler } from '../../gateway/around-handler.ts';
import { call } from './api.ts';
import { bearer, login, tokensOf } from './auth.ts';
import { dataOf } from './chat.ts';
import type { TestService } from './service.ts';
import type { TestWorkspace } from './workspace.ts';

const PATH = '/api/v1/workspace';

/** Credentials of the owner. */
export async function asOwner(service: TestService, workspace: TestWorkspace) {
  return bearer(tokensOf(await login(service, workspace)).access_token);
}

export async function requestDeletion(service: TestService, workspace: TestWorkspace, name = 'Another') {
  const headers = await asOwner(service, workspace);
  return call(service, 'POST', `${PATH}/deletion`, { key: null, headers, body: { workspace_name: name } });
}

/** Everything that the erasing worker would do by then. */
export async function eraseAt(nowMs: number): Promise<void> {
  const ports = { ...erasePorts(), clock: { now: () => nowMs } };
  // Other files of the same service start passes at such times as well, and there is one a day.
  const last = await ports.erasures.pass();
  if (last?.targets.length === 0) await ports.erasures.savePass({ ...last, begunAtMs: 0 });
  // Within the rights that the worker has on AWS.
  await aroundHandler(eraseDataWorker.id, () => eraseData(Number.POSITIVE_INFINITY, ports))();
}

/** The records of a workspace's export, by the names of its files. */
export async function exportedRecords(service: TestService, workspace: TestWorkspace, id: string) {
  const current = async () => {
    const headers = await asOwner(service, workspace);
    return dataOf(await call(service, 'GET', `${PATH}/exports/${id}`, { key: null, headers }), exportResult.shape.data);
  };
  await expect.poll(async () => (await current()).status, { timeout: 30_000 }).toBe('completed');
  const { download_url, bytes } = await current();
  const archive = Buffer.from(await (await fetch(download_url!)).arrayBuffer());
  expect(archive.length).toBe(bytes);
  return Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, content]) => [
      name,
      Buffer.from(content)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ]),
  );
}
