import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../local/settings.ts';

describe('readSettings', () => {
  it('has a value for everything', () => {
    expect(readSettings({})).toEqual({ host: '127.0.0.1', port: 3000, dataDirectory: resolve('.local'), debug: false });
  });

  it('takes what the environment says', () => {
    expect(readSettings({ PORT: '0', HOST: '0.0.0.0', TRIPOD_DATA_DIR: '/data', DEBUG: 'true' })).toEqual({
      host: '0.0.0.0',
      port: 0,
      dataDirectory: '/data',
      debug: true,
    });
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '70000'],
    ['PORT', ''],
    ['PORT', '3e3'],
    ['HOST', 'http://localhost'],
    ['HOST', ''],
    ['TRIPOD_DATA_DIR', ' '],
    ['DEBUG', 'maybe'],
  ])('refuses %s=%j, names the variable and says what it may be', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name} is ${JSON.stringify(value)}; it must be `);
  });

  it('names every wrong variable at once', () => {
    expect(() => readSettings({ PORT: 'x', DEBUG: 'x' })).toThrow(/PORT is[\s\S]*\nDEBUG is/);
  });
});
