/** The files of the container intake's image, in the manner of .dockerignore: first nothing, then these. */
export const intakeFiles = [
  '*',
  '!package.json',
  '!package-lock.json',
  '!.npmrc',
  '!functions',
  '!intake',
  '!layers/ocr',
  '!gateway',
] as const;

export const intakeDockerfile = 'intake/Dockerfile';
