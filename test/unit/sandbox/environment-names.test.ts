import { expect, it } from 'vitest';
import { executionRequest } from '../../../functions/sandbox/schemas.ts';

const isTaken = (name: string) =>
  executionRequest.safeParse({ code: '1', language: 'python', environment: { [name]: 'x' } }).success;

it.each([
  'NODE_ENV',
  'GOOGLE_API_KEY',
  'ENV',
  'GOAL',
  'NPM_TOKEN',
  'PYTHONUNBUFFERED',
  'RUBY_VERSION',
  'LD_SDK_KEY',
  'PERL',
  'IFS',
])('%s is a name that programs may be given', (name) => {
  expect(isTaken(name)).toBe(true);
});

it.each(['LD_PRELOAD', 'NODE_OPTIONS', 'PYTHONPATH', 'RUBYOPT', 'GOROOT', 'BASH_ENV', 'PERL5OPT', 'OPENSSL_CONF'])(
  '%s is refused, since it changes what runs a program',
  (name) => {
    expect(isTaken(name)).toBe(false);
  },
);
