import { expect, it } from 'vitest';
import { isBrowser } from '../../../functions/accounts/session-reply.ts';

const deployment = { baseUrl: 'https://api.example.com/', allowedOrigins: ['https://app.example.com'] };
const own = { origin: 'https://console.example.com', 'sec-fetch-site': 'same-origin' };

it.each([
  [{ origin: 'https://api.example.com' }, true],
  [{ origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' }, true],
  [own, true],
  [{ ...own, 'sec-fetch-site': 'same-site' }, false],
  [{ ...own, 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://evil.example.com' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{}, false],
])('a call with %o gets a session cookie: %s', (headers, expected) => {
  expect(isBrowser(headers, deployment)).toBe(expected);
});
