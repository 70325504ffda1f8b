import type { GrantMaker } from './grant.ts';

export const grantMaster: GrantMaker = ({ access }, { data: { master } }) =>
  access.master ? [{ statements: master.readStatements(), environment: { DRUG_MASTER: master.url } }] : [];
