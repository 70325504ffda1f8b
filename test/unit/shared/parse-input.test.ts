import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { extractRoute } from '../../../functions/extraction/routes.ts';
import { parseInput } from '../../../functions/shared/http/parse-input.ts';
import type { Problem } from '../../../functions/shared/http/problem.ts';

function event(body: string | null, rest: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return { body, headers: {}, isBase64Encoded: false, ...rest } as APIGatewayProxyEvent;
}

function refusal(broken: APIGatewayProxyEvent): Problem {
  try {
    parseInput(extractRoute, broken);
  } catch (error) {
    return error as Problem;
  }
  throw new Error('It was let through.');
}

describe('the input of a request', () => {
  it('is parsed by the schemas of its route', () => {
    const headers = { 'Idempotency-Key': 'abc', 'X-Api-Key': 'left out' };
    expect(parseInput(extractRoute, event('{"image":"AA=="}', { headers }))).toEqual({
      query: {},
      body: { image: 'AA==' },
      headers: { 'idempotency-key': 'abc' },
    });
  });

  it('may come in base64, as API Gateway hands over binary bodies', () => {
    const body = Buffer.from('{"templateId":"기본"}').toString('base64');
    expect(parseInput(extractRoute, event(body, { isBase64Encoded: true })).body).toEqual({ templateId: '기본' });
  });

  it.each([
    [null, 'no body'],
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
  ])('%j is refused: %s', (body, message) => {
    const problem = refusal(event(body));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(problem.message).toContain(message);
  });

  it('every wrong field is named, in the details too', () => {
    const problem = refusal(event('{"image":1,"templateId":2,"mode":"fast"}'));
    expect(Object.keys(problem.details?.fields as object).sort()).toEqual(['image', 'mode', 'templateId']);
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(256), 'a\tb'])('Idempotency-Key %j is refused', (key) => {
    const problem = refusal(event('{}', { headers: { 'idempotency-key': key } }));
    expect(problem.message).toContain('idempotency-key: must be 1 to 255 visible ASCII characters');
  });
});
