import { expect, it } from 'vitest';
import type { ExecutionId } from '../../../functions/sandbox/domain/execution.ts';
import { type FileToMake, makeFile } from '../../../functions/sandbox/domain/files/make-file.ts';
import type { StoredFile } from '../../../functions/sandbox/domain/output-files.ts';

const work = { kind: 'pdf', markdown: 'a', title: null } as const;

/** The place of a file, and its name. */
async function madeOf(file: Partial<FileToMake>) {
  const put: [ExecutionId, StoredFile][] = [];
  const ports = {
    renderer: { render: async () => Buffer.from('bytes') },
    files: {
      put: async (id: ExecutionId, _: number, stored: StoredFile) => {
        put.push([id, stored]);
        return `${id.workspaceId}/${id.executionId}`;
      },
      link: async (object: string) => `https://files.example/${object}`,
    },
  };
  const given = { workspaceId: 'ws', onceKey: 'key', work, name: null, ...file };
  const { url, path } = await makeFile(given, new AbortController().signal, ports);
  expect(put).toHaveLength(1);
  return { url, path, id: put[0]![0], mediaType: put[0]![1].mediaType };
}

it('a file has one place for a key, which a retry writes again, and is below its workspace', async () => {
  const first = await madeOf({});
  expect(first.url).toMatch(/^https:\/\/files\.example\/ws\/file_[0-9a-f]{64}$/);
  expect((await madeOf({})).url).toBe(first.url);
  const others = [{ onceKey: 'other' }, { name: 'b' }, { work: { ...work, markdown: 'b' } }, { workspaceId: 'w2' }];
  const urls = await Promise.all(others.map(async (file) => (await madeOf(file)).url));
  expect(new Set([first.url, ...urls]).size).toBe(5);
});

it.each([
  [null, 'document.pdf'],
  ['보고서', '보고서.pdf'],
  ['a.PDF', 'a.pdf'],
  ['a.docx', 'a.docx.pdf'],
  ['../../etc/passwd', '_.._etc_passwd.pdf'],
  ['.hidden', 'hidden.pdf'],
  ['a\r\nb"c', 'a_b_c.pdf'],
  ['...', 'document.pdf'],
  ['x'.repeat(300), `${'x'.repeat(80)}.pdf`],
])('the name %j becomes %s', async (name, path) => {
  expect(await madeOf({ name })).toMatchObject({ path, mediaType: 'application/pdf' });
});
