import { describe, expect, it } from 'vitest';
import { knownHosts } from '../../../gateway/known-hosts.ts';

describe('a service that listens on loopback', () => {
  it.each(['127.0.0.1:3000', 'localhost:3000', 'LocalHost', 'tripod.localhost:3000', '[::1]:3000', '192.168.0.7:3000'])(
    'is %s',
    (host) => expect(knownHosts('127.0.0.1')?.(host)).toBe(true),
  );
  it.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example:3000',
    'localhost.evil.example',
    'localhos',
    '',
  ])('is not %j', (host) => expect(knownHosts('127.0.0.1')?.(host)).toBe(false));
  it('is the name of the given address', () => {
    expect(knownHosts('my.localhost')?.('my.localhost:3000')).toBe(true);
    expect(knownHosts('::1')?.('evil.example')).toBe(false);
  });
});

it('is any name for a service that other machines reach', () => {
  expect(knownHosts('0.0.0.0')).toBeUndefined();
  expect(knownHosts('192.168.0.7')).toBeUndefined();
});
