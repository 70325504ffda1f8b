import { expect, it } from 'vitest';
import { conversationFiles } from '../../../functions/adapters/chat/tools/conversation-files.ts';
import type { ChatMessage, ContentPart } from '../../../functions/chat/domain/messages.ts';

const said = (...content: ContentPart[]): ChatMessage => ({ role: 'user', content });
const file = (file_data: string, filename?: string): ContentPart => ({
  type: 'file',
  file: { file_data, ...(filename !== undefined && { filename }) },
});
const image = (url: string): ContentPart => ({ type: 'image_url', image_url: { url } });

it('files of a conversation have names that lead nowhere, and images have generated ones', () => {
  const messages = [
    said({ type: 'text', text: 'look' }, image('data:image/png;base64,AAAA'), image('https://example.com/a.png')),
    { role: 'assistant', content: 'yes' } as const,
    said(
      file('AAAA', '/etc/passwd'),
      file('data:;base64,AAAA', '..'),
      file('AAAA', 'main.py'),
      file('no base64!', 'x.txt'),
    ),
  ];
  expect(conversationFiles(messages).map(({ path }) => path)).toEqual([
    'image-2.png',
    '_etc_passwd',
    'file-5.bin',
    'file-6.bin',
  ]);
});

it('files of a conversation that are too large together are left out, the oldest first', () => {
  const large = 'A'.repeat(2_000_000);
  const messages = [said(file(large, 'first.bin')), said(file(large, 'second.bin'), file(large, 'third.bin'))];
  expect(conversationFiles(messages).map(({ path }) => path)).toEqual(['second.bin', 'third.bin']);
});
