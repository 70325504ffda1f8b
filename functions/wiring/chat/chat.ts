import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoAudit } from '../../adapters/accounts/dynamo-audit.ts';
import { DynamoAccessTokens } from '../../adapters/chat/dynamo-access-tokens.ts';
import { DynamoApplications } from '../../adapters/chat/dynamo-applications.ts';
import { DynamoBudgets } from '../../adapters/chat/dynamo-budgets.ts';
import { DynamoConversations } from '../../adapters/chat/dynamo-conversations.ts';
import { DynamoSessionTurns } from '../../adapters/chat/dynamo-session-turns.ts';
import { DynamoSockets } from '../../adapters/chat/dynamo-sockets.ts';
import { ProcessSessionTurns } from '../../adapters/chat/process-session-turns.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { accessTokenAuthenticator } from '../../chat/access-token-authenticator.ts';
import type { TokenPorts } from '../../chat/domain/access-tokens.ts';
import type { SessionRuns } from '../../chat/domain/conversations.ts';
import type { SessionTurns } from '../../chat/domain/session-turns.ts';
import { toProblem } from '../../chat/http-errors.ts';
import { environment } from '../../shared/environment.ts';
import { memoize } from '../../shared/memoize.ts';
import { httpPorts } from '../shared/http.ts';

/** Time between two polls of a session’s line. */
const TURN_POLL_MS = 250;

export const http = { ...httpPorts, toProblem };

/** For the chat of an application, which public access tokens may use too. */
export const publicHttp = {
  ...http,
  authenticators: {
    ...http.authenticators,
    'path-token': memoize(() => accessTokenAuthenticator(accessTokenStore())),
  },
};

/** Sorts by time, and is a completion's id in OpenAI's form. */
export const completionId = (): string => ulidIds.next('chatcmpl').replace('_', '-');

/** @param accounts table of the audit trail; null where nothing is changed. */
export function applications(accounts: string | null = null): DynamoApplications {
  return new DynamoApplications(dynamoClient(), applicationsTable(), accounts, jitteredBackoff);
}

/** @param accounts table of the audit trail; null where nothing is changed. */
export function accessTokenStore(accounts: string | null = null): DynamoAccessTokens {
  return new DynamoAccessTokens(dynamoClient(), applicationsTable(), accounts);
}

/** For changes that the audit trail records. */
export function changePorts() {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return { applications: applications(ACCOUNTS_TABLE), clock: systemClock, ids: ulidIds };
}

/** @param usageTable null where no turns are appended. */
export function conversations(usageTable: string | null = null): DynamoConversations {
  const { CONVERSATIONS_TABLE } = environment('CONVERSATIONS_TABLE');
  const ports = { clock: systemClock, ids: ulidIds, backoff: jitteredBackoff, process: onlyProcess() };
  return new DynamoConversations(dynamoClient(), CONVERSATIONS_TABLE, usageTable, ports);
}

/** Id of the process where one answers all requests. */
const onlyProcess = memoize(() => (environment('MANY_AT_A_TIME').MANY_AT_A_TIME ? randomUUID() : null));

/** One for all handlers of a process, whose messages of a session wait for each other. */
export const sessionTurns = memoize((): SessionTurns => {
  const { CONVERSATIONS_TABLE, MANY_AT_A_TIME } = environment('CONVERSATIONS_TABLE', 'MANY_AT_A_TIME');
  if (MANY_AT_A_TIME) return new ProcessSessionTurns();
  return new DynamoSessionTurns(dynamoClient(), CONVERSATIONS_TABLE, {
    clock: systemClock,
    ids: ulidIds,
    backoff: jitteredBackoff,
    pause: { wait: (signal) => sleep(TURN_POLL_MS, undefined, { signal }).catch(() => undefined) },
  });
});

export const clock = systemClock;
export const ids = ulidIds;

export function auditTrail(): DynamoAudit {
  return new DynamoAudit(dynamoClient(), environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE, systemClock);
}

export function budgetPorts() {
  const budgets = new DynamoBudgets(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE);
  return { budgets, clock: systemClock };
}

export function sockets(): DynamoSockets {
  const { CONVERSATIONS_TABLE } = environment('CONVERSATIONS_TABLE');
  return new DynamoSockets(dynamoClient(), CONVERSATIONS_TABLE, systemClock);
}

export function conversationPorts() {
  return { applications: applications(), conversations: conversations() };
}

/** Runs of workflows, loaded with the first erasure. */
export const sessionRuns: SessionRuns = {
  erase: async (session, isOf = null) => (await import('../workflows/workflows.ts')).sessionRuns().erase(session, isOf),
};

export function tokenPorts(): TokenPorts {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return { tokens: accessTokenStore(ACCOUNTS_TABLE), clock: systemClock, ids: ulidIds, random: randomBytes };
}

function applicationsTable(): string {
  return environment('APPLICATIONS_TABLE').APPLICATIONS_TABLE;
}
