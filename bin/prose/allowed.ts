import type { Allowed } from './findings.ts';

export const ALLOWED: readonly Allowed[] = [];
