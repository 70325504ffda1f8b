import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../local/settings.ts';

const EXTERNAL = {
  STORES: 'external',
  AWS_ENDPOINT_URL_DYNAMODB: 'https://d:18443',
  AWS_ENDPOINT_URL_S3: 'http://s:7070',
  AWS_ENDPOINT_URL_SQS: 'http://q:9324',
  STORES_KEY_ID: 'key',
  // Any file that is there.
  STORES_SECRET_FILE: 'package.json',
};

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

  it('takes external stores with one key, whose secret is in a file', () => {
    expect(readSettings({ ...EXTERNAL, PUBLIC_URL: 'https://tripod.example/' })).toMatchObject({
      publicUrl: 'https://tripod.example',
      stores: {
        sqs: 'http://q:9324',
        region: 'ap-northeast-2',
        accessKeyId: 'key',
        secretAccessKey: expect.stringContaining('tripod'),
      },
    });
  });

  it('leaves endpoints of a developer’s AWS settings alone unless external stores are wanted', () => {
    expect(readSettings({ ...EXTERNAL, STORES: 'embedded' }).stores).toBeUndefined();
  });

  it.each([
    ['AWS_ENDPOINT_URL_S3', undefined, 'AWS_ENDPOINT_URL_S3 is not set; it must be an address such as'],
    ['AWS_ENDPOINT_URL_SQS', 'q:9324', 'AWS_ENDPOINT_URL_SQS is "q:9324"; it must be an address such as'],
    ['STORES_KEY_ID', undefined, 'STORES_KEY_ID is not set; it must be the id'],
    ['STORES_SECRET_FILE', 'nowhere', 'STORES_SECRET_FILE is "nowhere"; it must be the path of a readable file'],
    ['STORES', 'aws', 'STORES is "aws"; it must be embedded'],
    ['PUBLIC_URL', 'http://tripod.example', 'PUBLIC_URL is "http://tripod.example"; it must be the https address'],
  ])('refuses external stores with %s=%j, and says what it must be', (name, value, message) => {
    expect(() => readSettings({ ...EXTERNAL, [name]: value })).toThrow(message);
  });
});
