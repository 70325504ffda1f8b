import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nextVersion, releaseChangelog } from '../../../bin/release/changelog.ts';

const BEFORE = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A route.\n\n## [1.0.0]\n\n- All.\n';

it('a release moves the unreleased changes below its version and date', () => {
  expect(releaseChangelog(BEFORE, '1.1.0', '2026-12-01')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n### Added\n\n- A route.\n\n## [1.0.0]\n\n- All.\n',
  );
});

it('a release of the changelog of this repository keeps every line', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8').replace('## [Unreleased]\n', '## [Unreleased]\n\n- A change.\n');
  const released = releaseChangelog(text, '99.0.0', '2026-12-01');
  expect(released.replace('\n## [99.0.0] - 2026-12-01\n', '')).toBe(text);
});

it.each([
  ['nothing is unreleased', '## [Unreleased]\n\n## [1.0.0]\n', /nothing under "Unreleased"/],
  ['the version is listed', BEFORE.replace('1.0.0', '1.1.0'), /lists 1\.1\.0 already/],
  ['the heading is missing', '# Changelog\n', /no heading/],
])('a release is refused where %s', (_, text, message) => {
  expect(() => releaseChangelog(text, '1.1.0', '2026-12-01')).toThrow(message);
});

it('the next version follows semantic versioning', () => {
  expect(['major', 'minor', 'patch'].map((step) => nextVersion('1.2.3', step))).toEqual(['2.0.0', '1.3.0', '1.2.4']);
  expect(() => nextVersion('1.2.3', 'big')).toThrow('major, minor or patch');
});
