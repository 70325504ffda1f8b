import { keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as root without Landlock',
  options: { environment: { RUNNER_LANDLOCK: '0' } },
  landlock: false,
  needs: { ownFiles: true },
  asRoot: true,
  isSampled: true,
});
