import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../functions/shared/http/route.ts';
import { proxyEvent, type ReceivedRequest, sourceIpOf } from '../../../gateway/proxy-event.ts';
import { probeRoute } from '../../helpers/probe-gateway.ts';

const route: Route = { ...probeRoute, method: 'POST', path: '/probe' };

const received = (request: Partial<ReceivedRequest>): ReceivedRequest => ({
  requestId: 'r',
  receivedAtMs: 0,
  method: 'POST',
  path: '/probe',
  query: '',
  rawHeaders: [],
  peerAddress: '192.0.2.1',
  port: 3000,
  trustedProxy: 'none',
  pathParameters: null,
  body: Buffer.alloc(0),
  ...request,
});

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const header = fc.tuple(fc.constantFrom('X-A', 'x-a', 'Accept', 'X-Forwarded-For', 'Connection'), fc.string());

describe('proxyEvent', () => {
  it('gives back the very bytes of any binary body', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        const event = proxyEvent(route, received({ body, rawHeaders: ['Content-Type', 'application/octet-stream'] }));
        expect(Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')).toEqual(body);
      }),
    );
  });

  it('gives back the very text of any JSON body', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const body = Buffer.from(text);
        expect(proxyEvent(route, received({ body }))).toMatchObject({ body: body.toString(), isBase64Encoded: false });
      }),
    );
  });

  it('has the last of several values in the single map, and all of them, in order, in the other', () => {
    fc.assert(
      fc.property(fc.array(header), fc.string(), (headers, query) => {
        const event = proxyEvent(route, received({ rawHeaders: headers.flat(), query: encodeURIComponent(query) }));
        for (const [name, values] of Object.entries(event.multiValueHeaders)) {
          expect(event.headers[name]).toBe(values?.at(-1));
        }
        const sent = headers.filter(([name]) => name.toLowerCase() === 'x-a').map(([, value]) => value);
        const kept = Object.entries(event.multiValueHeaders).find(([name]) => name.toLowerCase() === 'x-a')?.[1] ?? [];
        expect(kept).toEqual(sent);
        expect(JSON.parse(JSON.stringify(event))).toEqual(event);
      }),
    );
  });

  it('never lets a client name its own last hop', () => {
    fc.assert(
      fc.property(fc.array(header), (headers) => {
        const event = proxyEvent(route, received({ rawHeaders: headers.flat() }));
        expect(event.headers['X-Forwarded-For']?.split(', ').at(-1)).toBe('192.0.2.1');
        expect(event.requestContext.identity.sourceIp).toBe('192.0.2.1');
      }),
    );
  });
});

describe('sourceIpOf', () => {
  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.1'],
    ['::1', '::1'],
    ['', ''],
  ])('turns %s into %j', (peerAddress, ip) => {
    expect(sourceIpOf({ trustedProxy: 'none', peerAddress, rawHeaders: ['X-Forwarded-For', '198.51.100.9'] })).toBe(ip);
  });

  it.each([
    [['X-Forwarded-For', '198.51.100.7'], '198.51.100.7'],
    [['x-forwarded-for', '1.1.1.1, 198.51.100.7'], '198.51.100.7'],
    [['x-forwarded-for', '1.1.1.1', 'X-FORWARDED-FOR', '2.2.2.2,  2001:db8::1 '], '2001:db8::1'],
    [['x-forwarded-for', '::ffff:198.51.100.7'], '198.51.100.7'],
    [['x-forwarded-for', '198.51.100.7, unknown'], '10.0.0.5'],
    [['x-forwarded-for', ''], '10.0.0.5'],
    [[], '10.0.0.5'],
  ])('behind a load balancer only its header counts: %j is %s', (rawHeaders, ip) => {
    expect(sourceIpOf({ trustedProxy: 'load-balancer', peerAddress: '10.0.0.5', rawHeaders })).toBe(ip);
  });

  it("behind a load balancer the client's own entries make no difference", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), (written, ip) => {
        const list = [...written.map((text) => text.replaceAll(/[\r\n]/g, '')), ip].join(', ');
        const event = proxyEvent(
          route,
          received({ trustedProxy: 'load-balancer', rawHeaders: ['X-Forwarded-For', list] }),
        );
        expect(event.requestContext.identity.sourceIp).toBe(ip);
        expect(event.headers['X-Forwarded-For']).toBe(list);
      }),
    );
  });
});
