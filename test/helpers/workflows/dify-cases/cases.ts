import { ANSWERS } from './answers.ts';
import type { DifyCase } from './case.ts';
import { CONDITIONS } from './conditions.ts';
import { CONTAINERS } from './containers.ts';
import { FLOW } from './flow.ts';
import { SERVICES } from './services.ts';
import { VALUES } from './values.ts';

/** Files with one feature each, for both engines. */
export const DIFY_CASES: readonly DifyCase[] = [
  ...CONDITIONS,
  ...ANSWERS,
  ...VALUES,
  ...FLOW,
  ...CONTAINERS,
  ...SERVICES,
];
