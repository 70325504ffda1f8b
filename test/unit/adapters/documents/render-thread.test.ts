import { expect, it } from 'vitest';
import { threadedRenderer } from '../../../../functions/adapters/documents/render-thread.ts';

const never = new AbortController().signal;
const quotes = { kind: 'docx', markdown: `${'>'.repeat(100_000)} a`, title: null } as const;
const small = { kind: 'docx', markdown: 'a', title: null } as const;

it('a document that takes too long is refused, and the next one is made', async () => {
  const slow = threadedRenderer({ seconds: 0.5, heapMb: 384 }).render('ws', quotes, never);
  await expect(slow).rejects.toMatchObject({
    refusal: 'invalid_request',
    message: expect.stringMatching(/more than 0.5 seconds/),
  });
  const bytes = await threadedRenderer().render('ws', small, never);
  expect(Buffer.from(bytes.subarray(0, 2)).toString()).toBe('PK');
});

it('a document that takes too much memory is refused, and the process lives', async () => {
  const markdown = '|a|b|\n|-|-|\n'.concat('|c|d|\n'.repeat(4_000));
  const large = threadedRenderer({ seconds: 60, heapMb: 24 }).render('ws', { ...small, markdown }, never);
  await expect(large).rejects.toMatchObject({
    refusal: 'invalid_request',
    message: expect.stringMatching(/24 MB to make/),
  });
});

it('a document whose client has gone is given up', async () => {
  const gone = new AbortController();
  const given = threadedRenderer().render('ws', quotes, gone.signal);
  gone.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  await expect(threadedRenderer().render('ws', small, gone.signal)).rejects.toThrow('gone');
});

it('files of one workspace wait for one another, and those of another one do not', async () => {
  const renderer = threadedRenderer();
  const gone = new AbortController();
  const ended: string[] = [];
  const first = renderer.render('ws', quotes, gone.signal).catch(() => ended.push('first'));
  const second = renderer.render('ws', small, never).then(() => ended.push('second'));
  // Twice, so that the second of the first workspace would have ended in between.
  await renderer.render('other', small, never);
  await renderer.render('other', small, never);
  ended.push('of another');
  gone.abort(new Error('gone'));
  await Promise.all([first, second]);
  expect(ended).toEqual(['of another', 'first', 'second']);
});
