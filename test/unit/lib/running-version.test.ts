import { expect, it } from 'vitest';
import { describeVersion, runningVersion } from '../../../lib/packaging/running-version.ts';
import packageFile from '../../../package.json' with { type: 'json' };

it.each([
  ['v1.1.0', '1.1.0'],
  ['v1.1.0-7-g86b766f0', '1.1.0+7.g86b766f0'],
  ['86b766f0', '1.1.0+g86b766f0'],
  [undefined, '1.1.0'],
])('the version of a checkout that git describes as %s is %s', (description, version) => {
  expect(describeVersion('1.1.0', description)).toBe(version);
});

it('the version of a pre-release keeps its own hyphens', () => {
  expect(describeVersion('2.0.0-rc.1', 'v2.0.0-rc.1')).toBe('2.0.0-rc.1');
  expect(describeVersion('2.0.0-rc.1', 'v2.0.0-rc.1-3-g86b766f0')).toBe('2.0.0-rc.1+3.g86b766f0');
});

it('the running version is a version of Semantic Versioning that starts with the package’s', () => {
  expect(runningVersion()).toMatch(/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.]+)?$/);
  expect(runningVersion().split('+')[0]).toBe(packageFile.version);
});
