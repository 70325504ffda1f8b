/** The files of the runners' image, in the manner of .dockerignore: first nothing, then these. */
export const sandboxFiles = [
  '*',
  '!package.json',
  '!package-lock.json',
  '!.npmrc',
  '!sandbox',
  '!functions/sandbox/domain',
] as const;

export const sandboxDockerfile = 'sandbox/Dockerfile';
