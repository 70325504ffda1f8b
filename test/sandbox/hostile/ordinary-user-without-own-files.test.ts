import { ORDINARY_USER } from '../../helpers/go-library.ts';
import { isRoot, keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as an ordinary user who may not mount',
  options: { ...(isRoot && { uid: ORDINARY_USER }), environment: { RUNNER_OWN_FILES: '0' } },
  landlock: true,
  needs: { ownFiles: false },
  asRoot: false,
  isSampled: true,
});
