import { grantApiKeys } from './api-keys.ts';
import { grantAudit } from './audit.ts';
import { grantBreakers } from './breakers.ts';
import { grantCharges } from './charges.ts';
import { grantChatModels, grantTokenBudgets } from './chat-models.ts';
import { grantDataKey } from './data-key.ts';
import { grantErasure } from './erasure.ts';
import { grantExecutions } from './executions.ts';
import { grantExports } from './exports.ts';
import { grantFormularies } from './formularies.ts';
import type { Grant, Granted, GrantMaker, Sources } from './grant.ts';
import { grantInvocations } from './invocations.ts';
import { grantKnowledge } from './knowledge.ts';
import { grantFreePages, grantLimits } from './limits.ts';
import { grantMail } from './mail.ts';
import { grantMaster } from './master.ts';
import { grantOutbox } from './outbox.ts';
import { grantPayments } from './payments.ts';
import { grantQueues } from './queues.ts';
import { grantBedrock, grantOcr, grantPdf, grantTextract } from './readers.ts';
import { grantRunners } from './runners.ts';
import { grantRuns } from './runs.ts';
import { grantSecrets } from './secrets.ts';
import { grantSessions } from './sessions.ts';
import { grantSigning } from './signing.ts';
import { grantSockets } from './sockets.ts';
import { grantSources } from './sources.ts';
import { grantTables } from './tables.ts';
import { grantUploads } from './uploads.ts';
import { grantWebSearch } from './web-search.ts';

const makers: readonly GrantMaker[] = [
  grantApiKeys,
  grantLimits,
  grantFreePages,
  grantSessions,
  grantSigning,
  grantTables,
  grantSecrets,
  grantAudit,
  grantTokenBudgets,
  grantChatModels,
  grantWebSearch,
  grantCharges,
  grantInvocations,
  grantBreakers,
  grantSockets,
  grantUploads,
  grantExecutions,
  grantRuns,
  grantDataKey,
  grantErasure,
  grantExports,
  grantKnowledge,
  grantSources,
  grantQueues,
  grantOutbox,
  grantMail,
  grantPayments,
  grantMaster,
  grantFormularies,
  grantTextract,
  grantOcr,
  grantPdf,
  grantBedrock,
  grantRunners,
];

/** Exactly the rights and settings that an entry's `access` and `auth` imply. */
export function grantsOf(entry: Granted, sources: Sources): Required<Omit<Grant, 'network'>> & Pick<Grant, 'network'> {
  const grants = makers.flatMap((make) => make(entry, sources));
  const network = grants.find((grant) => grant.network !== undefined)?.network;
  return {
    statements: grants.flatMap(({ statements = [] }) => statements),
    environment: Object.assign({}, ...grants.map(({ environment }) => environment)),
    wildcards: grants.flatMap(({ wildcards = [] }) => wildcards),
    layers: grants.flatMap(({ layers = [] }) => layers),
    ...(network && { network }),
  };
}
