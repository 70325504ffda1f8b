import { readFileSync } from 'node:fs';

export const sandboxDockerfile = 'sandbox/Dockerfile';

/** The files of the runners' image, in the manner of .dockerignore: first nothing, then these. */
export const sandboxFiles: readonly string[] = readFileSync(
  new URL('../../sandbox/Dockerfile.dockerignore', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
