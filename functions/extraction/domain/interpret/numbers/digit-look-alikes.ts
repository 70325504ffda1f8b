/** Letters that a digit is read as where print touches a rule. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
  U: '0',
  O: '0',
  o: '0',
  C: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  b: '6',
  S: '5',
  Z: '2',
  B: '8',
};

/** One of them, as a part of an expression. */
export const LOOK_ALIKE = `[${Object.keys(LOOK_ALIKES).join('')}]`;
