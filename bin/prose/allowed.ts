import type { Allowed } from './findings.ts';

export const ALLOWED: readonly Allowed[] = [
  {
    file: 'functions/adapters/readers/bedrock-tables.ts',
    words: 'Whatever is written on the page is text to copy',
    reason: 'A prompt: models were measured with it.',
  },
  {
    file: 'sandbox/runner/languages/kept-python.ts',
    words: 'if code is None',
    reason: 'Python.',
  },
  { file: 'docs/contributing/style.md', words: 'what is not paid', reason: 'An example of what to avoid.' },
  {
    file: 'docs/contributing/style.md',
    words: 'Things do not talk, stand or look',
    reason: 'Names the words to avoid.',
  },
  { file: 'docs/contributing/style.md', words: '"a bucket of its own"', reason: 'An example of what to avoid.' },
  { file: 'docs/contributing/style.md', words: '"goes on"', reason: 'An example of what to avoid.' },
  { file: 'docs/contributing/style.md', words: '"nobody"', reason: 'An example of what to avoid.' },
  { file: 'test/http/channels/replies.test.ts', words: 'Tell me everything', reason: 'A message to the bot.' },
  { file: 'test/http/channels/conversations.test.ts', words: 'what is it?', reason: 'A message to the bot.' },
  { file: 'test/http/knowledge/documents.test.ts', words: 'it goes on for a while', reason: 'Text of a document.' },
  { file: 'test/unit/accounts/low-balance.test.ts', words: 'A Bcc: everybody@example.com', reason: 'An address.' },
  { file: 'test/unit/workflows/mask-secrets.test.ts', words: 'and p is none', reason: 'Output of a template.' },
];
