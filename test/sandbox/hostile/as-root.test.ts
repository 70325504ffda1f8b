import { expect, it } from 'vitest';
import { hostileSnippets } from './hostile-snippets.ts';
import { keepsIn } from './kept-in.ts';

it('the hostile suite has at least 120 snippets', () => {
  expect(hostileSnippets.length).toBeGreaterThanOrEqual(120);
});

keepsIn({
  ...{ name: 'as root', options: {}, landlock: true, needs: { ownFiles: true }, asRoot: true },
  triesAllPrestarted: true,
});
