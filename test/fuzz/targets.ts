import type { FuzzTarget } from './target.ts';
import { bodies } from './targets/bodies.ts';
import { documents } from './targets/documents.ts';
import { images } from './targets/images.ts';
import { launcher } from './targets/launcher.ts';
import { programs } from './targets/programs.ts';
import { requests } from './targets/requests.ts';
import { spreadsheets } from './targets/spreadsheets.ts';

const ON_LINUX: readonly FuzzTarget[] = [launcher, programs];

/** Everything that takes what strangers send. */
export const targets: readonly FuzzTarget[] = [
  images,
  spreadsheets,
  documents,
  requests,
  bodies,
  ...(process.platform === 'linux' ? ON_LINUX : []),
];
