import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasBreakingChanges, nextVersion, releaseChangelog } from '../../../bin/release/changelog.ts';

const BEFORE = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A route.\n\n## [1.0.0]\n\n- All.\n';

it('a release moves the unreleased changes below its version and date', () => {
  expect(releaseChangelog(BEFORE, '1.1.0', '2026-12-01')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n### Added\n\n- A route.\n\n## [1.0.0]\n\n- All.\n',
  );
});

it('a release of the changelog of this repository keeps every line', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8').replace(
    /## \[Unreleased\]\n[\s\S]*?(?=\n## \[)/,
    '## [Unreleased]\n\n### Added\n\n- A change.\n',
  );
  const released = releaseChangelog(text, '99.0.0', '2026-12-01');
  expect(released.replace('\n## [99.0.0] - 2026-12-01\n', '')).toBe(text);
});

it.each([
  ['nothing is unreleased', '## [Unreleased]\n\n## [1.0.0]\n', /nothing under "Unreleased"/],
  ['the version is listed', BEFORE.replace('1.0.0', '1.1.0'), /lists 1\.1\.0 already/],
  ['the heading is missing', '# Changelog\n', /no heading/],
  ['a kind of change is unknown', BEFORE.replace('### Added', '### News'), /"News" is not a heading of a release/],
  ['the kinds are in another order', BEFORE.replace('### Added', '### Fixed\n\n- It.\n\n### Added'), /have this order/],
])('a release is refused where %s', (_, text, message) => {
  expect(() => releaseChangelog(text, '1.1.0', '2026-12-01')).toThrow(message);
});

it('the next version follows semantic versioning', () => {
  expect(['major', 'minor', 'patch'].map((step) => nextVersion('1.2.3', step))).toEqual(['2.0.0', '1.3.0', '1.2.4']);
  expect(() => nextVersion('1.2.3', 'big')).toThrow('major, minor or patch');
});

it('a release knows its breaking changes by their heading', () => {
  expect(hasBreakingChanges('### Breaking changes\n\n- A route is gone.')).toBe(true);
  expect(hasBreakingChanges('### Changed\n\n- No ### Breaking changes.')).toBe(false);
});

it('every release of this repository is dated, newest first', () => {
  const releases = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d.*)$/gm)].map(([, rest]) => rest!);
  for (const release of releases) expect(release).toMatch(/^\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const dates = releases.map((release) => release.slice(-10));
  expect(dates).toEqual(dates.toSorted().toReversed());
});
