import { describe, expect, it } from 'vitest';
import { ThreadedTemplates } from '../../../../functions/adapters/workflows/threaded-templates.ts';
import { threadedYaml } from '../../../../functions/adapters/workflows/threaded-yaml.ts';

const attacker = { tenant: 'attacker' };
const other = { tenant: 'other' };
const slow = '{% for a in range(99999) %}{% set b = range(9999) %}{% endfor %}';

/** Whether the event loop turned while the work was under way: of work on this thread, no timer fires before its end. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await work().catch(() => undefined);
  clearInterval(timer);
  return turns;
}

describe('texts that take a parser long', () => {
  const templates = new ThreadedTemplates();

  it.each<[string, () => Promise<unknown>]>([
    ['a Jinja template of endless loops', () => templates.render(slow, {}, 'jinja2', attacker)],
    ['a YAML text of brackets', () => threadedYaml('['.repeat(100_000), attacker)],
    ['a YAML text of quoted lines', () => threadedYaml(`a: "${'x\n'.repeat(100_000)}"`, attacker)],
    ['a YAML text of many values', () => threadedYaml('- a\n'.repeat(100_000), attacker)],
  ])('leave the event loop free: %s', async (_case, work) => {
    expect(await turnsDuring(work)).toBeGreaterThan(5);
  });

  // Giving a YAML text up may take as long as its limit.
  it('are given up with a message that names the limit', { timeout: 30_000 }, async () => {
    await expect(templates.render(slow, {}, 'jinja2', attacker)).rejects.toThrow(/takes more time or memory/);
    await expect(threadedYaml('['.repeat(1_000_000), attacker)).rejects.toThrow(/Nest less/);
  });

  it('do not keep the thread from the next text', async () => {
    await expect(templates.render(slow, {}, 'jinja2', attacker)).rejects.toThrow();
    expect(await templates.render('{{ a }}', { a: 1 }, 'jinja2', attacker)).toBe('1');
    expect(await threadedYaml('a: [1, ~]', other)).toEqual({ a: [1, null] });
  });
});

describe('templates of several workspaces', () => {
  it('are filled in turn, however much one of them has queued', async () => {
    const templates = new ThreadedTemplates();
    let done = 0;
    const queued = Array.from({ length: 6 }, () =>
      templates.render(slow, {}, 'jinja2', attacker).catch(() => {
        done++;
      }),
    );
    for (let i = 0; i < 4; i++) await templates.render('{{ a }}', { a: 1 }, 'jinja2', other);
    expect(done).toBeLessThan(6);
    await Promise.all(queued);
  });

  it('leave the queue with their callers', async () => {
    const templates = new ThreadedTemplates();
    const gone = new AbortController();
    const caller = { ...attacker, signal: gone.signal };
    const queued = Array.from({ length: 20 }, () => templates.render(slow, {}, 'jinja2', caller));
    const settled = Promise.allSettled(queued);
    gone.abort(new Error('gone'));
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await templates.render('{{ a }}', { a: 1 }, 'jinja2', attacker)).toBe('1');
  });
});
