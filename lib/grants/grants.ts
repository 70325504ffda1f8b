import type { AccessGrant, Facility } from '../../functions/shared/access.ts';
import { grantApiKeys } from './api-keys.ts';
import { grantAudit } from './audit.ts';
import { grantBreakers } from './breakers.ts';
import { grantBucket } from './buckets.ts';
import { grantChatCharges, grantSandboxCharges } from './charges.ts';
import { grantChatModels, grantTokenBudgets } from './chat-models.ts';
import { grantDataKey } from './data-key.ts';
import { grantErasure } from './erasure.ts';
import { allowTable, type Grant, type Granted, type GrantMaker, type Sources } from './grant.ts';
import { grantInvocations } from './invocations.ts';
import { grantFreePages, grantLimits } from './limits.ts';
import { grantMail } from './mail.ts';
import { grantMaster } from './master.ts';
import { addToOutbox, deliverOutbox } from './outbox.ts';
import { grantPaymentWebhook, grantTopUps } from './payments.ts';
import { grantQueue } from './queues.ts';
import { grantOcr, grantPdf, grantScans, grantTextract } from './readers.ts';
import { grantLanguages, grantPool } from './runners.ts';
import { grantSecrets } from './secrets.ts';
import { grantSessions } from './sessions.ts';
import { grantSigning } from './signing.ts';
import { grantSockets } from './sockets.ts';
import { askWebSearch, knowWebSearch } from './web-search.ts';

const facilities: Readonly<Record<Facility, GrantMaker>> = {
  audit: grantAudit,
  breakers: grantBreakers,
  'charges:chat': grantChatCharges,
  'charges:sandbox': grantSandboxCharges,
  'chat-models': grantChatModels,
  'drug-master': grantMaster,
  erasure: grantErasure,
  'free-pages': grantFreePages,
  mail: grantMail,
  ocr: grantOcr,
  'outbox:add': addToOutbox,
  'outbox:deliver': deliverOutbox,
  'payments:self': grantTopUps,
  'payments:webhook': grantPaymentWebhook,
  pdf: grantPdf,
  'pdf:scans': grantScans,
  'rate-limits': grantLimits,
  'runners:languages': grantLanguages,
  'runners:note': grantPool('runners:note'),
  'runners:run': grantPool('runners:run'),
  'runners:tend': grantPool('runners:tend'),
  'secrets:open': grantSecrets('kms:Decrypt'),
  'secrets:seal': grantSecrets('kms:Encrypt'),
  signing: grantSigning('secretsmanager:GetSecretValue'),
  'signing:rotate': grantSigning('secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'),
  sockets: grantSockets,
  textract: grantTextract,
  'token-budgets': grantTokenBudgets,
  'web-search:ask': askWebSearch,
  'web-search:know': knowWebSearch,
};

/** Exactly the rights and settings that an entry's `access` and `auth` imply. */
export function grantsOf(entry: Granted, sources: Sources): Required<Omit<Grant, 'network'>> & Pick<Grant, 'network'> {
  const grants = [
    ...impliedBy(entry).flatMap((make) => make(sources)),
    ...entry.access.flatMap((grant) => grantsFor(grant, sources)),
  ];
  const network = grants.find((grant) => grant.network !== undefined)?.network;
  return {
    statements: grants.flatMap(({ statements = [] }) => statements),
    environment: Object.assign({}, ...grants.map(({ environment }) => environment)),
    wildcards: grants.flatMap(({ wildcards = [] }) => wildcards),
    layers: [...new Set(grants.flatMap(({ layers = [] }) => layers))],
    ...(network && { network }),
  };
}

function grantsFor(grant: AccessGrant, sources: Sources): readonly Grant[] {
  if (typeof grant === 'string') return facilities[grant](sources);
  switch (grant.kind) {
    case 'table':
      return [allowTable(grant.table, grant.actions, sources)];
    case 'bucket':
      return grantBucket(grant, sources);
    case 'queue':
      return grantQueue(grant, sources);
    case 'invoke':
      return [grantInvocations(grant, sources)];
  }
}

/** Checking credentials, counting requests, and using the customer's key. */
function impliedBy({ auth, isUnlimited }: Granted): readonly GrantMaker[] {
  const byToken = auth?.includes('jwt') ?? false;
  return [
    ...(auth?.includes('api-key') ? [grantApiKeys] : []),
    ...(auth !== undefined && !isUnlimited ? [grantLimits] : []),
    ...(byToken || auth?.includes('cookie') ? [grantSessions({ byToken })] : []),
    grantDataKey,
  ];
}
