import { describe, expect, it, vi } from 'vitest';
import { useOwnService } from '../../helpers/service.ts';

const FRONTEND = 'https://app.example.com';
vi.stubEnv('CORS_ORIGINS', `${FRONTEND} http://localhost:5173`);
const service = useOwnService();

const request = (method: string, path: string, headers: Record<string, string>) =>
  fetch(`${service.baseUrl}${path}`, { method, headers });
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary'));
const allowed = { 'access-control-allow-origin': FRONTEND, 'access-control-expose-headers': '*', vary: 'origin' };

describe('a request from a page', () => {
  it.each([
    ['a handler’s answer', 'GET', '/api/v1/health', 200],
    ['a handler’s error', 'GET', '/api/v1/balance', 401],
    ['the gateway’s error', 'GET', '/api/v1/nowhere', 404],
    ['a method that the path has not', 'PUT', '/api/v1/balance', 405],
  ])('of a listed origin may read %s', async (_, method, path, status) => {
    const response = await request(method, path, { origin: FRONTEND });
    expect(response.status).toBe(status);
    expect(corsOf(response)).toEqual(allowed);
  });

  it.each(['https://evil.example', 'https://app.example.com.evil.example', 'http://app.example.com', 'null', ''])(
    'of the origin “%s” may not, and caches keep the two apart',
    async (origin) => {
      expect(corsOf(await request('GET', '/api/v1/health', { origin }))).toEqual({ vary: 'origin' });
    },
  );
});

describe('a browser that asks before it sends', () => {
  const asks = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-anything',
  };

  it('a preflight request lists the methods of the path, and allows any header', async () => {
    const response = await request('OPTIONS', '/api/v1/api-keys', { origin: FRONTEND, ...asks });
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual({
      ...allowed,
      'access-control-allow-methods': 'POST, GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'authorization, *',
      'access-control-max-age': '7200',
    });
  });

  it('a preflight request from an unlisted origin gets no permission', async () => {
    const response = await request('OPTIONS', '/api/v1/api-keys', { origin: 'https://evil.example', ...asks });
    expect(corsOf(response)).toEqual({ vary: 'origin' });
  });
});
