import { keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as root without a memory group',
  options: { environment: { RUNNER_MEMORY_GROUPS: '0' } },
  landlock: true,
  needs: { ownFiles: true, memoryGroups: false },
  asRoot: true,
  isSampled: true,
});
