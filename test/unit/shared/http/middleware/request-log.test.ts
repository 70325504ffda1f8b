import { afterEach, expect, it, vi } from 'vitest';
import { delivery } from '../../../../../functions/shared/http/middleware/delivery.ts';
import { requestLog } from '../../../../../functions/shared/http/middleware/request-log.ts';
import { logger } from '../../../../../functions/shared/logging.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

afterEach(() => vi.restoreAllMocks());

it('a request leaves one line after its response, with its caller and nothing of its contents', async () => {
  const steps: unknown[] = [];
  vi.spyOn(logger(), 'info').mockImplementation((...line) => void steps.push(line));
  const principal = { workspaceId: 'ws_1', kind: 'key', id: 'k1', role: 'owner', scopes: [] } as const;
  await exchanged([requestLog({ id: 'system.test' }), delivery()], {
    shared: { principal, send: async () => void steps.push('sent') },
  });
  const line = {
    ...{ requestId: 'req-1', route: 'system.test', status: 200, durationMs: expect.any(Number) },
    ...{ workspaceId: 'ws_1', principal: { kind: 'key', id: 'k1' } },
  };
  expect(steps).toEqual(['sent', ['request', line]]);
});
