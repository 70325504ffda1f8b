import { describe, expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { impliedErrors } from '../../../functions/shared/http/implied-errors.ts';
import { parseInput } from '../../../functions/shared/http/parse-input.ts';
import { bodyLimitOf, DEFAULT_BODY_LIMIT, EVENT_BODY_LIMIT } from '../../../functions/shared/http/route.ts';
import { requestOf } from '../../helpers/http-request.ts';

const MB = 1024 * 1024;
/** Routes that take pictures, files and programs. */
const FILES = [
  ...['extraction.extract', 'extraction.extract-batch-async', 'extraction.put-own-list'],
  ...['chat.complete-chat', 'chat.complete-preview', 'chat.create-response'],
  ...['sandbox.execute', 'sandbox.execute-async', 'sandbox.execute-batch'],
];

describe('the largest body of a route', () => {
  it('is 1 MB, unless the route takes longer texts, or files', () => {
    const larger = routes.filter((route) => bodyLimitOf(route).maxBytes > EVENT_BODY_LIMIT.maxBytes);
    expect(larger.map(({ id }) => id).toSorted()).toEqual(FILES.toSorted());
    expect(DEFAULT_BODY_LIMIT.maxBytes).toBe(MB);
  });

  it('is 1 MB for routes that anyone may call', () => {
    const open = routes.filter(({ auth, method }) => auth.length === 0 && method !== 'GET');
    expect(open.length).toBeGreaterThan(5);
    for (const route of open) expect(bodyLimitOf(route).maxBytes, route.id).toBeLessThanOrEqual(MB);
  });

  it.each(routes.filter(({ body }) => body).map((route) => [route.id, route] as const))(
    'is documented for %s, and a body beyond it is a 413 that names it',
    async (_id, route) => {
      const { maxBytes } = bodyLimitOf(route);
      expect(impliedErrors(route)[413]?.description).toContain(`more than ${maxBytes / 1024} KB`);
      const body = requestOf({ body: `{"a":"${'x'.repeat(maxBytes)}"}` });
      await expect(
        parseInput({ errors: route.errors, body: route.body!, ...limitOf(route) }, body),
      ).rejects.toMatchObject({
        status: 413,
        message: expect.stringContaining(`at most ${maxBytes} bytes`),
      });
    },
  );
});

function limitOf({ bodyLimit }: (typeof routes)[number]) {
  return bodyLimit === undefined ? {} : { bodyLimit };
}
