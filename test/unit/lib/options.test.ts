import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { readConfig } from '../../../lib/config.ts';
import { optionsJsonSchema, optionsOf, requireKnownOptions } from '../../../lib/options.ts';

const folder = mkdtempSync(join(tmpdir(), 'tripod-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (stage: string, text: string) => writeFileSync(join(folder, `${stage}.json`), text);

it('an option that does not exist is refused with the name that was meant, and context of the CDK is not', () => {
  expect(() => requireKnownOptions(['stage', 'sandbx'], 'The command line')).toThrow(/sandbx: did you mean sandbox\?/);
  expect(() => requireKnownOptions(['keepdata'], 'The command line')).toThrow(/did you mean keepData\?/);
  requireKnownOptions(Object.keys(cdkJson.context), 'cdk.json');
  requireKnownOptions(
    ['aws:cdk:enable-path-metadata', 'availability-zones:account=1:region=a', 'cli-telemetry'],
    'CDK',
  );
});

it('the file of a stage gives its options, and the command line overrides them', () => {
  write('live', JSON.stringify({ $schema: './options.schema.json', stage: 'live', keepData: true, requestBurst: 300 }));
  const file = optionsOf(folder, 'live');
  const context: Record<string, string> = { stage: 'live', requestBurst: '400' };
  const config = readConfig((name) => context[name], file);
  expect(config).toMatchObject({ stage: 'live', keepData: true, requestBurst: 400, reader: 'embedded' });
  expect(optionsOf(folder, 'none')).toEqual({});
});

it('a file with an unknown option, with another stage or without JSON is refused by its name', () => {
  write('typo', JSON.stringify({ wafs: true }));
  expect(() => optionsOf(folder, 'typo')).toThrow(
    /typo\.json names options that do not exist:\n {2}wafs: did you mean waf\?/,
  );
  write('other', JSON.stringify({ stage: 'prod' }));
  expect(() => optionsOf(folder, 'other')).toThrow(/other\.json is the file of the stage other/);
  write('broken', '{');
  expect(() => optionsOf(folder, 'broken')).toThrow(/broken\.json is not a JSON object/);
});

it('data is kept by prod, and by any stage that says so', () => {
  const keeps = (context: Record<string, unknown>) => readConfig((name) => context[name]).keepData;
  expect([keeps({}), keeps({ stage: 'prod' }), keeps({ stage: 'live', keepData: 'true' })]).toEqual([
    false,
    true,
    true,
  ]);
  expect(keeps({ stage: 'prod', keepData: false })).toBe(false);
});

it('registration is off without a sender of mails, unless every address is trusted', () => {
  const registration = (context: Record<string, unknown>) => readConfig((name) => context[name]).registration;
  expect(registration({})).toBe('off');
  expect(registration({ mailFrom: 'a@example.com' })).toBe('on');
  expect(registration({ registration: 'on', emailConfirmation: 'off' })).toBe('on');
  expect(() => registration({ registration: 'on' })).toThrow(/name a sender with mailFrom/);
});

it('deploy/options.schema.json is the schema of the options: npm run options:schema writes it', () => {
  const shipped = readFileSync(new URL('../../../deploy/options.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(shipped)).toEqual(optionsJsonSchema());
});
