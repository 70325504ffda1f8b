import { isRoot, keepsIn } from './kept-in.ts';

keepsIn({
  name: 'as an ordinary user',
  options: isRoot ? { uid: 54_321 } : {},
  landlock: true,
  asRoot: false,
});
