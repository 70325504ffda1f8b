const UNRELEASED = '## [Unreleased]\n';

/** Headings of a release, in their order: those of Keep a Changelog, and first what callers and operators must act on. */
export const HEADINGS: readonly string[] = [
  'Breaking changes',
  'Added',
  'Changed',
  'Deprecated',
  'Removed',
  'Fixed',
  'Security',
];

/** The changes since the last release, as CHANGELOG.md has them. @throws Error if there are none, or their headings are wrong */
export function unreleasedChanges(text: string): string {
  const { notes } = atUnreleased(text);
  if (notes === '') throw new Error('CHANGELOG.md has nothing under "Unreleased": say what the release changes.');
  const places = [...notes.matchAll(/^### (.+)$/gm)].map(([, heading]) => placeOf(heading!));
  if (places.some((place, index) => index > 0 && place <= places[index - 1]!))
    throw new Error(`The headings under "Unreleased" have this order, each once: ${HEADINGS.join(', ')}.`);
  return notes;
}

function placeOf(heading: string): number {
  const place = HEADINGS.indexOf(heading);
  if (place < 0) throw new Error(`"${heading}" is not a heading of a release: use ${HEADINGS.join(', ')}.`);
  return place;
}

/** Whether the changes break something that callers or operators rely on. */
export function hasBreakingChanges(changes: string): boolean {
  return /^### Breaking changes$/m.test(changes);
}

/**
 * Turns the changelog's unreleased section into a release.
 * @param date ISO date of the release
 * @throws Error if nothing is unreleased, a heading is wrong, or the version is listed already
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  if (text.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md lists ${version} already.`);
  const notes = unreleasedChanges(text);
  const { before, after } = atUnreleased(text);
  return `${before}\n## [${version}] - ${date}\n\n${notes}\n${after}`;
}

/** The changelog split at its unreleased section. */
function atUnreleased(text: string) {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## [Unreleased]".');
  const from = start + UNRELEASED.length;
  const next = text.indexOf('\n## [', from);
  const end = next < 0 ? text.length : next;
  return { before: text.slice(0, from), notes: text.slice(from, end).trim(), after: text.slice(end) };
}

/**
 * The version after another one.
 * @param step major, minor or patch
 * @throws Error if the step is another word
 */
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
