import { ORDINARY_USER } from '../../helpers/go-library.ts';
import { isRoot, keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as an ordinary user',
  options: isRoot ? { uid: ORDINARY_USER } : {},
  landlock: true,
  needs: { ownFiles: true },
  asRoot: false,
});
