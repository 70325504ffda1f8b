const UNRELEASED = '## [Unreleased]\n';

/**
 * Turns the changelog's unreleased section into a release.
 * @param date ISO date of the release
 * @throws Error if nothing is unreleased, or the version is listed already
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## [Unreleased]".');
  if (text.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md lists ${version} already.`);
  const from = start + UNRELEASED.length;
  const next = text.indexOf('\n## [', from);
  const notes = text.slice(from, next < 0 ? undefined : next).trim();
  if (notes === '') throw new Error('CHANGELOG.md has nothing under "Unreleased": say what the release changes.');
  const rest = next < 0 ? '\n' : `\n${text.slice(next)}`;
  return `${text.slice(0, from)}\n## [${version}] - ${date}\n\n${notes}${rest}`;
}

/** The version after another one. @throws Error where the step is neither major, minor nor patch */
export function nextVersion(version: string, step: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  switch (step) {
    case 'major':
      return `${major + 1}.0.0`;
    case 'minor':
      return `${major}.${minor + 1}.0`;
    case 'patch':
      return `${major}.${minor}.${patch + 1}`;
    default:
      throw new Error(`A release is major, minor or patch, not ${JSON.stringify(step)}.`);
  }
}
