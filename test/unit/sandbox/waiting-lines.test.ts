import { describe, expect, it } from 'vitest';
import { WaitingLines } from '../../../functions/sandbox/domain/waiting-lines.ts';

const MIB = 2 ** 20;
const FULL = expect.objectContaining({ name: 'SandboxUnavailable', retryAfterSeconds: 5 });

describe('the lines of a workspace', () => {
  it('hold 32 MiB of programs in all, and a larger program waits alone', () => {
    const lines = new WaitingLines();
    const first = lines.join('a', 'now', 20 * MIB);
    lines.join('a', 'background', 12 * MIB);
    expect(() => lines.join('a', 'session', 1)).toThrow(FULL);
    // Another workspace has its own.
    const large = lines.join('b', 'now', 40 * MIB);
    expect(() => lines.join('b', 'now', 1)).toThrow(FULL);
    first.leave();
    // Once.
    first.leave();
    lines.join('a', 'now', 20 * MIB);
    expect(() => lines.join('a', 'now', 1)).toThrow(FULL);
    large.leave();
    expect(lines.join('b', 'now', 1).isFirst()).toBe(true);
  });

  it('have 200 places in all, regardless of their names', () => {
    const lines = new WaitingLines();
    const places = Array.from({ length: 200 }, (_, index) => lines.join('a', `session ${index % 50}`, 0));
    expect(() => lines.join('a', 'a further session', 0)).toThrow(FULL);
    places[0]?.leave();
    expect(places[50]?.isFirst()).toBe(true);
    expect(places[51]?.isFirst()).toBe(false);
    lines.join('a', 'a further session', 0);
  });

  it('give a turn to the next program of the same line, when those before it have left', async () => {
    const lines = new WaitingLines();
    const [first, second, third] = ['now', 'now', 'now'].map((name) => lines.join('a', name, 0));
    let turns = '';
    void second?.turn.then(() => {
      turns += 'second ';
    });
    void third?.turn.then(() => {
      turns += 'third ';
    });
    second?.leave();
    await Promise.resolve();
    expect(turns).toBe('');
    first?.leave();
    await third?.turn;
    expect(turns).toBe('third ');
  });
});
