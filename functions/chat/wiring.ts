import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoUsage } from '../adapters/accounts/dynamo-usage.ts';
import { DynamoAccessTokens } from '../adapters/chat/dynamo-access-tokens.ts';
import { DynamoApplications } from '../adapters/chat/dynamo-applications.ts';
import { DynamoConversations } from '../adapters/chat/dynamo-conversations.ts';
import { DynamoSockets } from '../adapters/chat/dynamo-sockets.ts';
import { ModelsByProvider } from '../adapters/chat/models-by-provider.ts';
import { webModelAddresses } from '../adapters/chat/web-model-addresses.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../adapters/shared/system-ports.ts';
import { environment } from '../shared/environment.ts';
import { logger } from '../shared/logging.ts';
import { memoize } from '../shared/memoize.ts';
import { memoizeAsync } from '../shared/memoize-async.ts';
import { Recent } from '../shared/recent.ts';
import { httpPorts } from '../wiring.ts';
import { accessTokenAuthenticator } from './access-token-authenticator.ts';
import type { TokenPorts } from './domain/access-tokens.ts';
import type { Application } from './domain/application.ts';
import type { CompletePorts } from './domain/complete.ts';
import type { KnowledgeSearch } from './domain/knowledge/knowledge-search.ts';
import type { ManagePorts } from './domain/manage-applications.ts';
import { toProblem } from './http-errors.ts';
import { secretBox } from './secret-box.ts';

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
  return new DynamoApplications(dynamoClient(), applicationsTable(), accounts, {
    recent: recentApplications(),
    backoff: jitteredBackoff,
  });
}

const recentApplications = memoize(() => new Recent<Application>(systemClock));

/** @param accounts table of the audit trail; null where nothing is changed. */
export function accessTokenStore(accounts: string | null = null): DynamoAccessTokens {
  return new DynamoAccessTokens(dynamoClient(), applicationsTable(), accounts);
}

export function managePorts(): ManagePorts {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  return {
    ...changePorts(),
    secrets: secretBox(),
    addresses: webModelAddresses({ allowLoopback: TRIPOD_LOCAL }),
    bases: { findAll: async (...bases) => (await knowledgeWiring()).bases().findAll(...bases) },
    random: randomBytes,
  };
}

/** For changes that the audit trail records. */
export function changePorts() {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return { applications: applications(ACCOUNTS_TABLE), clock: systemClock, ids: ulidIds };
}

/** @param usageTable null where no turns are appended. */
export function conversations(usageTable: string | null = null): DynamoConversations {
  const { CONVERSATIONS_TABLE } = environment('CONVERSATIONS_TABLE');
  const ports = { clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
  return new DynamoConversations(dynamoClient(), CONVERSATIONS_TABLE, usageTable, ports);
}

export function sockets(): DynamoSockets {
  const { CONVERSATIONS_TABLE } = environment('CONVERSATIONS_TABLE');
  return new DynamoSockets(dynamoClient(), CONVERSATIONS_TABLE, systemClock);
}

export function completePorts() {
  const { TRIPOD_LOCAL, USAGE_TABLE } = environment('TRIPOD_LOCAL', 'USAGE_TABLE');
  const images = memoizeAsync(async () => {
    const { imageFetcher } = await import('../adapters/chat/web-images.ts');
    return imageFetcher(TRIPOD_LOCAL);
  });
  const knowledge: KnowledgeSearch = { search: async (query) => (await knowledgeWiring()).knowledge().search(query) };
  const tools = memoizeAsync(async () => {
    const { ToolsByType } = await import('../adapters/chat/tools/application-tools.ts');
    return new ToolsByType({ allowLoopback: TRIPOD_LOCAL, secrets: secretBox(), clock: systemClock, knowledge });
  });
  return {
    applications: applications(),
    conversations: conversations(USAGE_TABLE),
    usage: new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff),
    models: new ModelsByProvider({ allowLoopback: TRIPOD_LOCAL, secrets: secretBox() }),
    images: async (url: string, signal: AbortSignal) => (await images())(url, signal),
    knowledge,
    workflows: {
      async *answer(...request) {
        const { workflowAnswers } = await import('../workflows/chat-answers.ts');
        return yield* workflowAnswers().answer(...request);
      },
    },
    tools: { of: async (...application) => (await tools()).of(...application) },
    onFault: (tool, error) => logger().error('A tool failed', { tool, error: error as Error }),
    pause: { wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined) },
    clock: systemClock,
  } satisfies CompletePorts & Pick<ManagePorts, 'applications'>;
}

/** Loaded with the first application that has knowledge bases. */
const knowledgeWiring = memoizeAsync(() => import('./knowledge/wiring.ts'));

export function conversationPorts() {
  return { applications: applications(), conversations: conversations() };
}

export function tokenPorts(): TokenPorts {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return { tokens: accessTokenStore(ACCOUNTS_TABLE), clock: systemClock, ids: ulidIds, random: randomBytes };
}

function applicationsTable(): string {
  return environment('APPLICATIONS_TABLE').APPLICATIONS_TABLE;
}
