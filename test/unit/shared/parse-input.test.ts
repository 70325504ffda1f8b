import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { extractRoute } from '../../../functions/extraction/routes.ts';
import { executeRoute } from '../../../functions/sandbox/routes.ts';
import { parseInput } from '../../../functions/shared/http/parse-input.ts';
import type { Problem } from '../../../functions/shared/http/problem.ts';
import type { Route } from '../../../functions/shared/http/route.ts';
import { requestOf, type Sent } from '../../helpers/http-request.ts';

async function refusal(broken: Sent, route: Pick<Route, 'body' | 'errors'> = extractRoute): Promise<Problem> {
  try {
    await parseInput(route, requestOf(broken));
  } catch (error) {
    return error as Problem;
  }
  throw new Error('It was let through.');
}

describe('the input of a request', () => {
  it('is parsed by the schemas of its route', async () => {
    const headers = { 'Idempotency-Key': 'abc', 'X-Api-Key': 'left out' };
    expect(await parseInput(extractRoute, requestOf({ body: '{"image":"AA=="}', headers }))).toEqual({
      query: {},
      body: { image: 'AA==' },
      headers: { 'idempotency-key': 'abc' },
    });
  });

  it('may come in base64, as API Gateway hands over binary bodies', async () => {
    const request = requestOf({
      body: '{"templateId":"기본"}',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(request.body.isBase64).toBe(true);
    expect((await parseInput(extractRoute, request)).body).toEqual({ templateId: '기본' });
  });

  it.each(['application/json', 'application/octet-stream'])('may start with a byte order mark, as %s', async (type) => {
    const request = requestOf({ body: '\ufeff{"templateId":"기본"}', headers: { 'content-type': type } });
    expect((await parseInput(extractRoute, request)).body).toEqual({ templateId: '기본' });
  });

  it.each([
    [Buffer.from('{"templateId":"\xb1\xe2"}', 'latin1'), 400, 'not valid UTF-8'],
    [Buffer.from([0x1f, 0x8b, 8, 0, 0xff, 0xfe]), 415, 'compressed'],
  ])('as bytes %j is refused: %s %s', async (body, status, message) => {
    const problem = await refusal({ body });
    expect(problem.status).toBe(status);
    expect(problem.message).toContain(message);
  });

  it('with a content-encoding is refused as such', async () => {
    const problem = await refusal({ body: '{}', headers: { 'content-encoding': 'br' } });
    expect(problem).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(problem.message).toContain('content-encoding br');
  });

  it.each([
    ['', 'no body'],
    ['{"image":', 'not JSON'],
    ["{'image':'AA=='}", 'not JSON'],
    ['[]', 'the body: '],
    ['null', 'the body: '],
    ['"text"', 'the body: '],
    ['{"image":12}', 'image: expected string'],
    ['{"imageUrl":"page.png"}', 'imageUrl: '],
    ['{"templateId":""}', 'templateId: '],
    ['{"imageURL":"https://example.com/a.png"}', 'imageURL: is not known here'],
  ])('%j is refused: %s', async (body, message) => {
    const problem = await refusal({ body });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(problem.message).toContain(message);
  });

  it('every wrong field is named, in the details too', async () => {
    const problem = await refusal({ body: '{"image":1,"templateId":2,"mode":"fast"}' });
    expect(Object.keys(problem.details?.fields as object).sort()).toEqual(['image', 'mode', 'templateId']);
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(256), 'a\tb'])('Idempotency-Key %j is refused', async (key) => {
    const problem = await refusal({ body: '{}', headers: { 'idempotency-key': key } });
    expect(problem.message).toContain('idempotency-key: must be 1 to 255 visible ASCII characters');
  });

  it.each(['constructor', 'toString'])('a member %s is named like any other', async (name) => {
    const problem = await refusal({ body: `{"${name}":1,"image":"AA=="}` });
    expect(problem.message).toContain(`${name}: is not known here`);
    expect(JSON.stringify(problem.details)).toContain(`"${name}":`);
    const nested = await refusal(
      { body: `{"a":{"${name}":1}}` },
      { errors: 'detail', body: z.object({ a: z.record(z.string(), z.string()) }) },
    );
    expect(nested.message).toContain(`a.${name}: expected string`);
  });

  it('a member __proto__ is refused at any depth', async () => {
    for (const body of ['{"__proto__":1,"image":"AA=="}', '{"a":[{"__proto__":null}]}', '{"\\u005f_proto__":1}']) {
      const problem = await refusal({ body });
      expect(problem.message).toContain('__proto__: is not known here');
      expect(JSON.stringify(problem.details)).toContain('"__proto__":');
    }
  });

  it.each([
    '{"templateId":"\\ud83d"}',
    '{"templateId":"a\\uDE00b"}',
    '{"a":["\\ud83d\\ud83d\\ude00"]}',
    '{"\\ud800":1}',
  ])('half of a surrogate pair is refused: %s', async (body) => {
    expect((await refusal({ body })).message).toContain('half of a surrogate pair');
  });

  it('half of a surrogate pair after many other escapes is refused', async () => {
    const body = `{"a":"${'\\n'.repeat(20_000)}\\ud83d"}`;
    expect((await refusal({ body })).message).toContain('half of a surrogate pair');
  });

  it('many escapes are text like any other', async () => {
    const body = `{"name":"${'\\\\u\\n'.repeat(20_000)}"}`;
    const parsed = await parseInput({ errors: 'detail', body: z.object({ name: z.string() }) }, requestOf({ body }));
    expect(parsed.body).toEqual({ name: '\\u\n'.repeat(20_000) });
  });

  it('a whole surrogate pair is text like any other', async () => {
    const { body } = await parseInput(
      { errors: 'detail', body: z.object({ name: z.string() }) },
      requestOf({ body: '{"name":"\\ud83d\\ude00"}' }),
    );
    expect(body).toEqual({ name: '😀' });
  });

  it('reports a refused name in a record with the reason', async () => {
    const body = (name: string) => ({
      body: JSON.stringify({ language: 'python', code: '1', environment: { [name]: '1' } }),
    });
    expect((await refusal(body('LD_PRELOAD'), executeRoute)).message).toContain(
      'environment.LD_PRELOAD: this name is not allowed',
    );
    expect((await refusal(body('a b'), executeRoute)).message).toContain('environment.a b: a name consists of letters');
  });
});
