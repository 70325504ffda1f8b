import { expect, it } from 'vitest';
import { Problem } from '../../../../functions/shared/http/problem.ts';
import { VersionMismatch } from '../../../../functions/shared/invocation-version.ts';
import { refusals } from '../../../../functions/shared/middleware/refusals.ts';
import { type Exchange, middy } from '../../../../functions/shared/middy.ts';

const toProblem = (error: unknown) => (error === 'own' ? new Problem(404, 'not_found', 'There is none.') : null);
const failing = (error: unknown) =>
  middy<Exchange, () => Promise<unknown>>(() => Promise.reject(error)).use(refusals(toProblem))();

it('an error of the service is a refusal, as its API would give it', async () => {
  expect(await failing('own')).toEqual({ refused: { status: 404, code: 'not_found', message: 'There is none.' } });
});

it('a call of another version is refused with 503', async () => {
  expect(await failing(new VersionMismatch('Wait.'))).toMatchObject({ refused: { status: 503 } });
});

it('any other error fails the function', async () => {
  await expect(failing(new Error('broken'))).rejects.toThrow('broken');
});
