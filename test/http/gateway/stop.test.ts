import { expect, it } from 'vitest';
import { startProbe } from '../../helpers/probe-gateway.ts';

it('lets a request under way finish, and takes no new one', async () => {
  let begun = () => {};
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const probe = await startProbe([
    {
      path: '/',
      run: async () => {
        begun();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { statusCode: 200, body: 'done' };
      },
    },
  ]);
  const response = fetch(probe.url);
  await running;
  const stopped = probe.gateway.stop(10);
  await expect(fetch(probe.url)).rejects.toThrow();
  finish();
  expect(await (await response).text()).toBe('done');
  await stopped;
});

it('cuts off what takes longer than the grace', async () => {
  let begun = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const probe = await startProbe([
    {
      path: '/',
      run: () => {
        begun();
        return new Promise(() => undefined);
      },
    },
  ]);
  const response = fetch(probe.url).catch(() => 'cut off');
  await running;
  await probe.gateway.stop(0.05);
  expect(await response).toBe('cut off');
});
