import { DOCKER } from './docker-setting.ts';
import { keepsIn } from './kept-in.ts';

keepsIn({
  name: 'with Docker’s capabilities, without Landlock',
  options: DOCKER,
  landlock: false,
  needs: { ownFiles: false, memoryGroups: false },
  asRoot: true,
});
