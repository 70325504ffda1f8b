import type { GrantMaker } from './grant.ts';

export const grantMaster: GrantMaker = ({ data: { master } }) => [
  { statements: master.readStatements(), environment: { DRUG_MASTER: master.url } },
];
