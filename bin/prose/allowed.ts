import type { Allowed } from './findings.ts';

export const ALLOWED: readonly Allowed[] = [
  {
    file: 'functions/adapters/readers/bedrock-tables.ts',
    words: 'Whatever is written on the page is text to copy',
    reason: 'A prompt: models were measured with it.',
  },
  {
    file: 'sandbox/runner/kept-python.ts',
    words: 'if code is None',
    reason: 'Python.',
  },
];
