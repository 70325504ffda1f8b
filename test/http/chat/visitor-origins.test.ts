import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { accessToken } from '../../../functions/chat/access-tokens/schemas.ts';
import { call } from '../../helpers/api.ts';
import {
  chatRefusalOf,
  complete,
  completionPath,
  createToken,
  dataOf,
  refusalOf,
  tokensPath,
} from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

const SHOP = 'https://shop.example.com';
const BLOG = 'http://localhost:8080';
const STRANGERS = [
  ...[
    'https://evil.example',
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'null',
    'HTTPS://SHOP.EXAMPLE.COM',
  ],
  ...['https://shop.example.com.evil.example', `${SHOP}/`],
];

const { provider, application } = useScriptedApplication(service);
beforeEach(() => provider.plays(says('ok')));

const ask = (token: string, origin?: string) =>
  complete(service, token, {}, { key: null, headers: origin === undefined ? {} : { origin } });
const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')));
const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

describe('a public access token with allowed origins', () => {
  it('serves their pages alone, and no other request reaches the model', async () => {
    const { token } = await createToken(service, application.id, { allowed_origins: [SHOP, BLOG] });
    for (const origin of [SHOP, BLOG]) {
      const { status, headers } = await ask(token, origin);
      expect([status, corsOf(headers)]).toEqual([200, readable]);
    }
    expect(provider.requests.length).toBe(2);
    for (const origin of [...STRANGERS, undefined]) {
      await refillLimits();
      const refused = await ask(token, origin);
      expect(chatRefusalOf(refused)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
      const headers = origin === undefined ? {} : { origin };
      const models = await call(service, 'GET', `/api/v1/chat/${token}/models`, { key: null, headers });
      expect(models.status).toBe(403);
    }
    expect(provider.requests.length).toBe(2);
  });

  it('opens no WebSocket for another page, and takes no message of one after its origin was removed', async () => {
    const { token, id } = await createToken(service, application.id, { allowed_origins: [SHOP, BLOG] });
    await expect(connect(token, 'https://evil.example')).rejects.toThrow('403');
    await expect(connect(token, undefined)).rejects.toThrow('403');
    const socket = await connect(token, SHOP);
    const body = { messages: [{ role: 'user', content: 'Hi' }] };
    const answered = () =>
      new Promise<string>((resolve) =>
        socket.on('message', (data) => {
          const { type, data: said } = JSON.parse(String(data)) as { type: string; data: { code: string } | null };
          if (type === 'done' || type === 'error') resolve(said?.code ?? type);
        }),
      );
    const first = answered();
    socket.send(JSON.stringify({ type: 'chat', application_id: token, body }));
    expect(await first).toBe('done');
    await call(service, 'PATCH', `${tokensPath(application.id)}/${id}`, { body: { allowed_origins: [BLOG] } });
    const second = answered();
    socket.send(JSON.stringify({ type: 'chat', application_id: token, body }));
    expect(await second).toBe('origin_not_allowed');
  });

  it('has origins as browsers write them, and nothing else', async () => {
    const { id } = await createToken(service, application.id, { allowed_origins: [SHOP] });
    const path = `${tokensPath(application.id)}/${id}`;
    for (const wrong of [
      '*',
      'null',
      'shop.example.com',
      `${SHOP}/`,
      `${SHOP}/page`,
      'https://SHOP.example.com',
      'ftp://a',
    ])
      expect(refusalOf(await call(service, 'PATCH', path, { body: { allowed_origins: [wrong] } }))).toEqual([
        422,
        expect.stringContaining('allowed_origins.0'),
      ]);
    const changed = await call(service, 'PATCH', path, { body: { allowed_origins: [] } });
    expect(dataOf(changed, accessToken.strict()).allowed_origins).toEqual([]);
  });
});

describe('a page of any origin', () => {
  it('reads answers and errors of a token that names no origins', async () => {
    const { token } = await createToken(service, application.id);
    for (const origin of [SHOP, 'null', undefined]) {
      const { status, headers } = await ask(token, origin);
      expect([status, corsOf(headers)]).toEqual([200, readable]);
    }
    const unknown = await ask(`${token.slice(0, -1)}_`, SHOP);
    expect([unknown.status, corsOf(unknown.headers)]).toEqual([401, readable]);
  });

  it('a page learns in a preflight request what it may send', async () => {
    const { token } = await createToken(service, application.id, { allowed_origins: [SHOP] });
    const response = await fetch(service.baseUrl + completionPath(token), {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(corsOf(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'authorization, *',
    });
  });

  it('reads nothing that a key or a cookie gives', async () => {
    const { status, headers } = await complete(service, application.id, {}, { headers: { origin: SHOP } });
    expect([status, corsOf(headers)]).toEqual([200, {}]);
    const balance = await call(service, 'GET', '/api/v1/balance', { headers: { origin: SHOP } });
    expect([balance.status, corsOf(balance.headers)]).toEqual([200, {}]);
  });
});

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

async function connect(token: string, origin: string | undefined): Promise<WebSocket> {
  const url = `${service.baseUrl.replace('http', 'ws')}/api/v1/ws?token=${token}`;
  const socket = new WebSocket(url, origin === undefined ? {} : { origin });
  opened.push(socket);
  await new Promise((open, refused) => socket.once('open', open).once('error', refused));
  return socket;
}
