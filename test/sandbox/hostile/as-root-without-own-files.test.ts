import { keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as root without a file system for each run',
  options: { environment: { RUNNER_OWN_FILES: '0', RUNNER_MEMORY_GROUPS: '0' } },
  landlock: true,
  needs: { ownFiles: false, memoryGroups: false },
  asRoot: true,
  isSampled: true,
});
