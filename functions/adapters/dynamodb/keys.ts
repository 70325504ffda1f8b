import { createHash } from 'node:crypto';
import type { ErasureOrder } from '../../accounts/domain/erasure.ts';
import type { UsageKey } from '../../accounts/domain/usage.ts';

/**
 * Keys of every item in the tables. In accounts, a workspace's items are in its partition; API keys, e-mail addresses, sessions and
 * signed-in users have their own partitions, since they are looked up before the workspace is known.
 */
export const API_KEY_PARTITIONS = 'API_KEY#';
export const apiKeyKey = (id: string) => ({ pk: `${API_KEY_PARTITIONS}${id}`, sk: 'API_KEY' }) as const;
/** Login credentials of an e-mail address. */
export const emailKey = (email: string) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' }) as const;
export const workspaceKey = (workspaceId: string) => inWorkspace(workspaceId, 'WORKSPACE');
/** A user in the workspace's partition, for lists and mails. */
export const userKey = (workspaceId: string, userId: string) => inWorkspace(workspaceId, `USER#${userId}`);
/** The same user in a separate partition, which every function may read to check credentials. */
export const USER_PARTITIONS = 'USER#';
export const signedInUserKey = (userId: string) => ({ pk: `${USER_PARTITIONS}${userId}`, sk: 'USER' }) as const;
export const invitationKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `INVITATION#${id}`);
/** Mark of an address whose member was removed, until an invitation is accepted. */
export const removedMemberKey = (workspaceId: string, email: string) =>
  inWorkspace(workspaceId, `REMOVED_MEMBER#${createHash('sha256').update(email).digest('hex')}`);
/** Credential of an owner whose address waits for its confirmation. */
export const pendingCredentialKey = (userId: string) => ({ pk: `UNCONFIRMED#${userId}`, sk: 'UNCONFIRMED' }) as const;
/** Second factor of a user, apart from the user, whom every function may read. */
export const secondFactorKey = (userId: string) => ({ pk: `SECOND_FACTOR#${userId}`, sk: 'SECOND_FACTOR' }) as const;
/** Identity provider of a workspace. */
export const identityProviderKey = (workspaceId: string) => inWorkspace(workspaceId, 'IDENTITY_PROVIDER');
/** A domain that a workspace has proved. */
export const provedDomainKey = (domain: string) => ({ pk: `DOMAIN#${domain}`, sk: 'DOMAIN' }) as const;
/** A sign-in that is under way at an identity provider, by the hash of its state. */
export const signInFlowKey = (stateHash: string) => ({ pk: `SIGN_IN#${stateHash}`, sk: 'SIGN_IN' }) as const;
/** Leads from a person of the identity provider to a member, and back. */
export const identityKey = (workspaceId: string, hash: string) => inWorkspace(workspaceId, `IDENTITY#${hash}`);
export const identityOfUserKey = (workspaceId: string, userId: string) =>
  inWorkspace(workspaceId, `IDENTITY_OF#${userId}`);
/** Links of mails, by the hash of their token. */
export const LINK_PARTITIONS = 'LINK#';
export const linkKey = (hash: string) => ({ pk: `${LINK_PARTITIONS}${hash}`, sk: 'LINK' }) as const;
export const SESSION_PARTITIONS = 'SESSION#';
export const sessionKey = (sessionId: string) => ({ pk: `${SESSION_PARTITIONS}${sessionId}`, sk: 'SESSION' }) as const;
/** Points at a session of a user. */
export const sessionsOfUser = (userId: string) => `SESSIONS_OF#${userId}`;
export const userSessionKey = (userId: string, sessionId: string) =>
  ({ pk: sessionsOfUser(userId), sk: sessionId }) as const;
export const SIGNING_KEYS_PARTITION = 'SIGNING_KEYS';
export const SIGNING_KEYS_KEY = { pk: SIGNING_KEYS_PARTITION, sk: 'SIGNING_KEYS' } as const;
/** Points at an API key, so that the workspace's keys can be listed. */
export const ownedApiKeyKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${OWNED_API_KEYS}${id}`);
export const OWNED_API_KEYS = 'API_KEY#';
/** Counts the keys that were added to a workspace: of two additions at once, one sees the other's key. */
export const keyRingKey = (workspaceId: string) => inWorkspace(workspaceId, 'KEY_RING');
export const accountKey = (workspaceId: string) => inWorkspace(workspaceId, 'ACCOUNT');
/** In the order in which the account changed; two changes cannot take the same place. */
export const entryKey = (workspaceId: string, sequence: number) =>
  inWorkspace(workspaceId, `${ENTRIES}${padded(sequence)}`);
export const ENTRIES = 'ENTRY#';
/** Money that is held for work under way. */
export const HOLDS = 'HOLD#';
/** Mark of paid work, which may be repeated. */
export const paidKey = (workspaceId: string, workId: string) => inWorkspace(workspaceId, `PAID#${workId}`);
export const holdKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${HOLDS}${id}`);
/** Holds a payment's place, so that it is posted once. */
export const topUpKey = (workspaceId: string, reference: string) => inWorkspace(workspaceId, `TOP_UP#${reference}`);
/** The same of what owners post themselves: their own words must not take the place of a payment. */
export const ownTopUpKey = (workspaceId: string, reference: string) =>
  inWorkspace(workspaceId, `OWN_TOP_UP#${reference}`);
/** In the order of time, since the ids are. */
/** Audit entries lie apart from the balance, so that functions may add some that may not write it. */
export const auditPartition = (workspaceId: string) => `WORKSPACE#${workspaceId}#AUDIT`;
export const AUDIT_PARTITIONS = auditPartition('*');
export const auditKey = (workspaceId: string, auditId: string) => ({ pk: auditPartition(workspaceId), sk: auditId });
/** Mails that wait for delivery are stored together, in a partition that streams can be filtered by. */
export const OUTBOX_PARTITION = 'OUTBOX';
export const outboxKey = (noticeId: string) => ({ pk: OUTBOX_PARTITION, sk: noticeId }) as const;
export const EXTRACTIONS = 'EXTRACTION#';
export const extractionKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${EXTRACTIONS}${id}`);
/** List entries of extractions from the workspace's line, whose pages are in separate partitions. */
export const LINED_EXTRACTIONS = 'LINED_EXTRACTION#';
export const linedExtractionKey = (workspaceId: string, id: string) =>
  inWorkspace(workspaceId, `${LINED_EXTRACTIONS}${id}`);
/** People's decisions about the lines of an extraction. */
export const reviewKey = (workspaceId: string, extractionId: string) =>
  inWorkspace(workspaceId, `EXTRACTION_REVIEW#${extractionId}`);
/** List entries of jobs. */
export const LISTED_JOBS = 'LISTED_JOB#';
export const listedJobKey = (workspaceId: string, jobId: string) => inWorkspace(workspaceId, `${LISTED_JOBS}${jobId}`);
export const exportRecordKey = (workspaceId: string, exportId: string) =>
  inWorkspace(workspaceId, `EXPORT#${exportId}`);
/** Data that is to be erased, in the order of time. */
export const ERASURES_PARTITION = 'ERASURES';
export const erasureOrderKey = ({ kind, workspaceId, dueAtMs }: ErasureOrder) =>
  ({ pk: ERASURES_PARTITION, sk: `${String(dueAtMs).padStart(16, '0')}#${kind}#${workspaceId}` }) as const;
/** Progress of the erasure that is under way. */
export const ERASURE_PASS_KEY = { pk: 'ERASURE_PASS', sk: 'ERASURE_PASS' } as const;
/** Settlements that wait to be posted together, in the order in which their extractions started. */
export const settlementLinePartition = (workspaceId: string) => `WORKSPACE#${workspaceId}#SETTLEMENTS`;
export const WAITING = 'WAITING#';
export const waitingKey = (workspaceId: string, extractionId: string) =>
  ({ pk: settlementLinePartition(workspaceId), sk: `${WAITING}${extractionId}` }) as const;
/** Whose turn it is to post; apart, since all who wait read it again and again. */
export const postingTurnKey = (workspaceId: string) =>
  ({ pk: `WORKSPACE#${workspaceId}#POSTING`, sk: 'TURN' }) as const;
/**
 * An extraction of the line has its own partition for its page and the state of its settlement: pages of the line arrive faster than one
 * partition could store them.
 */
const linedExtraction = (workspaceId: string, id: string) => `WORKSPACE#${workspaceId}#EXTRACTION#${id}`;
export const linedStateKey = (workspaceId: string, id: string) =>
  ({ pk: linedExtraction(workspaceId, id), sk: 'STATE' }) as const;
export const linedPageKey = (workspaceId: string, id: string) =>
  ({ pk: linedExtraction(workspaceId, id), sk: 'PAGE' }) as const;
/** A job's head and its images are stored side by side: one query finds them all, the head first. */
export const jobKey = (workspaceId: string, jobId: string) => inWorkspace(workspaceId, `JOB#${jobId}`);
export const jobImageKey = (workspaceId: string, jobId: string, index: number) =>
  inWorkspace(workspaceId, `JOB#${jobId}#${String(index).padStart(3, '0')}`);
/** Jobs that are not known to be finished are stored together, for the reconciler. */
export const OPEN_JOBS_PARTITION = 'OPEN_JOBS';
export const openJobKey = (jobId: string) => ({ pk: OPEN_JOBS_PARTITION, sk: jobId }) as const;
export const executionKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `EXECUTION#${id}`);
/** Points at an execution; a session's are stored together, in the order of their creation. */
export const sessionPartition = (workspaceId: string, sessionId: string) =>
  `WORKSPACE#${workspaceId}#SESSION#${sessionId}`;
export const sessionExecutionKey = (workspaceId: string, sessionId: string, executionId: string) =>
  ({ pk: sessionPartition(workspaceId, sessionId), sk: executionId }) as const;
/** Executions that are not known to have ended are stored together, for the reconciler. */
export const OPEN_EXECUTIONS_PARTITION = 'OPEN_EXECUTIONS';
export const openExecutionKey = (executionId: string) => ({ pk: OPEN_EXECUTIONS_PARTITION, sk: executionId }) as const;
/** The runners of programs, and the list of what they can run. */
export const RUNNERS_PARTITION = 'RUNNERS';
export const runnerKey = (taskId: string) => ({ pk: RUNNERS_PARTITION, sk: taskId }) as const;
export const RUNNER_LANGUAGES_KEY = { pk: 'RUNNER_LANGUAGES', sk: 'RUNNER_LANGUAGES' } as const;
/** A workspace's applications are stored together, in the order of their creation. */
export const APPLICATIONS = 'APPLICATION#';
export const applicationKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${APPLICATIONS}${id}`);
/** Holds the name of an application, so that no other one of the workspace takes it. */
export const applicationNameKey = (workspaceId: string, name: string) =>
  inWorkspace(workspaceId, `APPLICATION_NAME#${name}`);
export const accessTokenKey = (id: string) => ({ pk: `ACCESS_TOKEN#${id}`, sk: 'ACCESS_TOKEN' }) as const;
/** Points at an access token, so that those of an application can be listed. */
export const ACCESS_TOKENS = 'ACCESS_TOKEN#';
export const ownedAccessTokens = (applicationId: string) => `${ACCESS_TOKENS}${applicationId}#`;
export const ownedAccessTokenKey = (workspaceId: string, applicationId: string, id: string) =>
  inWorkspace(workspaceId, `${ownedAccessTokens(applicationId)}${id}`);
/** The conversations of an application are stored together, in the order of their creation. */
export const conversationPartition = (workspaceId: string, applicationId: string) =>
  `WORKSPACE#${workspaceId}#APPLICATION#${applicationId}`;
export const conversationKey = (workspaceId: string, applicationId: string, id: string) =>
  ({ pk: conversationPartition(workspaceId, applicationId), sk: id }) as const;
/** Turns of a session, in the order of time. */
export const chatSessionPartition = (workspaceId: string, hash: string) => `WORKSPACE#${workspaceId}#CHAT#${hash}`;
export const TURNS = 'TURN#';
export const socketKey = (connectionId: string) => ({ pk: `SOCKET#${connectionId}`, sk: 'SOCKET' });
/** Points at a socket; those of a holder are stored together, to be counted. */
export const heldSocketsPartition = (holder: string) => `SOCKETS#${holder}`;
export const heldSocketKey = (holder: string, connectionId: string) => ({
  pk: heldSocketsPartition(holder),
  sk: connectionId,
});
/** Says that the answer of a message was started. */
export const socketAnswerKey = (requestId: string) => ({ pk: `SOCKET_ANSWER#${requestId}`, sk: 'SOCKET_ANSWER' });
/** A workspace's knowledge bases are stored together, in the order of their creation. */
export const KNOWLEDGE_BASES = 'KNOWLEDGE_BASE#';
export const knowledgeBaseKey = (workspaceId: string, id: string) =>
  inWorkspace(workspaceId, `${KNOWLEDGE_BASES}${id}`);
/** Holds the name of a base, so that no other one of the workspace takes it. */
export const knowledgeBaseNameKey = (workspaceId: string, name: string) =>
  inWorkspace(workspaceId, `KNOWLEDGE_BASE_NAME#${name}`);
/** Counts the bases of a workspace. */
export const knowledgeBaseCountKey = (workspaceId: string) => inWorkspace(workspaceId, 'KNOWLEDGE_BASE_COUNT');
/** Everything of a base but its own record. */
export const knowledgePartition = (workspaceId: string, baseId: string) => `WORKSPACE#${workspaceId}#BASE#${baseId}`;
/** Documents, in the order of their creation. */
export const KNOWLEDGE_DOCUMENTS = 'DOCUMENT#';
/** Lead to a document by the hash of a name. */
export const EXTERNAL_IDS = 'EXTERNAL_ID#';
export const DOCUMENT_TITLES = 'TITLE#';
/** The items that a search reads in one query: the mark of an existing base, its segments, and its removed documents. */
export const KNOWLEDGE_INDEX = 'INDEX#';
export const KNOWLEDGE_MARK = `${KNOWLEDGE_INDEX}BASE`;
export const KNOWLEDGE_SEGMENTS = `${KNOWLEDGE_INDEX}SEGMENT#`;
export const KNOWLEDGE_REMOVED = `${KNOWLEDGE_INDEX}REMOVED#`;
/** Documents of a segment, which searches have no use for. */
export const SEGMENT_CONTENTS = 'CONTENTS#';
/** Stored segments that are in no index, or not yet. */
export const SEGMENT_NOTES = 'NOTE#';
/** The places that documents of a base are read from. */
const SOURCES = 'KNOWLEDGE_SOURCE#';
/** @param baseId absent: those of all bases. */
export const knowledgeSources = (baseId?: string) => (baseId === undefined ? SOURCES : `${SOURCES}${baseId}#`);
export const knowledgeSourceKey = (workspaceId: string, baseId: string, sourceId: string) =>
  inWorkspace(workspaceId, `${knowledgeSources(baseId)}${sourceId}`);
/** Pages of a source, by the hash of their address. */
export const sourcePagesPartition = (workspaceId: string, sourceId: string) =>
  `WORKSPACE#${workspaceId}#SOURCE#${sourceId}`;
export const sourcePageKey = (workspaceId: string, sourceId: string, hash: string) =>
  ({ pk: sourcePagesPartition(workspaceId, sourceId), sk: hash }) as const;
/** Workspaces that have sources are stored together, for the reconciler. */
export const CRAWLED_WORKSPACES_PARTITION = 'CRAWLED_WORKSPACES';
export const crawledWorkspaceKey = (workspaceId: string) =>
  ({ pk: CRAWLED_WORKSPACES_PARTITION, sk: workspaceId }) as const;
/** Bases that have work left are stored together, for the reconciler. */
export const OPEN_BASES_PARTITION = 'OPEN_BASES';
export const openBaseKey = (baseId: string) => ({ pk: OPEN_BASES_PARTITION, sk: baseId }) as const;
/** A channel is found by its id alone; pointers from its workspace and from its type are in the same table. */
export const channelKey = (channelId: string) => ({ pk: `CHANNEL#${channelId}`, sk: 'CHANNEL' }) as const;
/** The last webhooks of a channel. */
export const inboundHealthKey = (channelId: string) => ({ pk: `CHANNEL#${channelId}`, sk: 'INBOUND_HEALTH' }) as const;
export const OWNED_CHANNELS = 'CHANNEL#';
export const ownedChannelKey = (workspaceId: string, channelId: string) =>
  inWorkspace(workspaceId, `${OWNED_CHANNELS}${channelId}`);
export const channelTypePartition = (type: string) => `CHANNEL_TYPE#${type}`;
export const channelTypeKey = (type: string, channelId: string) =>
  ({ pk: channelTypePartition(type), sk: channelId }) as const;
/** Undelivered messages, an item for each conversation; those of a channel are stored together. */
export const lanePartition = (channelId: string, direction: string) => `CHANNEL#${channelId}#${direction}`;
export const laneKey = (channelId: string, direction: string, priority: string | null, conversation: string) =>
  ({ pk: lanePartition(channelId, direction), sk: `${priority ?? 'none'}#${conversation}` }) as const;
/** Says that an event has been accepted. */
export const seenEventKey = (channelId: string, hash: string) =>
  ({ pk: `CHANNEL#${channelId}#EVENT#${hash}`, sk: 'EVENT' }) as const;
/** The id that a conversation is kept by, under a hash of another one that it has. */
export const conversationIdKey = (channelId: string, hash: string) =>
  ({ pk: `CHANNEL#${channelId}#CONVERSATION#${hash}`, sk: 'CONVERSATION' }) as const;
/** Maps an earlier id to the later one. */
export const formerIdKey = (channelId: string, hash: string) =>
  ({ pk: `CHANNEL#${channelId}#FORMER#${hash}`, sk: 'FORMER' }) as const;
/** A thread that continues without mentions. */
export const openThreadKey = (channelId: string, hash: string) =>
  ({ pk: `CHANNEL#${channelId}#THREAD#${hash}`, sk: 'THREAD' }) as const;
/** A reply that the platform has accepted, and may report as failed. */
export const sentReplyKey = (channelId: string, partId: string) =>
  ({ pk: `CHANNEL#${channelId}#SENT#${partId}`, sk: 'SENT' }) as const;
export const runningWorkOf = (kind: string, workspaceId: string) => `${kind}_RUNS#${workspaceId}`;
export const runningWorkKey = (kind: string, workspaceId: string, startedAtMs: number, workId: string) =>
  ({ pk: runningWorkOf(kind, workspaceId), sk: `${String(startedAtMs).padStart(15, '0')}#${workId}` }) as const;
export const breakerKey = (circuit: string) => ({ pk: `BREAKER#${circuit}`, sk: 'BREAKER' }) as const;
/** Dead letters of an outage: those of a channel by their conversations, in the order of time. */
export const outageLetterPartition = (channelId: string) => `CHANNEL#${channelId}#OUTAGE`;
export const outageLetterPrefix = (conversation: string) => `${conversation}#`;
export const DEAD_LETTERS = 'DEAD_LETTER#';
export const deadLetterKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${DEAD_LETTERS}${id}`);
/** A workspace's workflows in the order of their creation, with the versions of each. */
export const WORKFLOWS = 'WORKFLOW#';
export const workflowKey = (workspaceId: string, id: string) => inWorkspace(workspaceId, `${WORKFLOWS}${id}`);
export const workflowNameKey = (workspaceId: string, name: string) => inWorkspace(workspaceId, `WORKFLOW_NAME#${name}`);
export const workflowVersions = (workflowId: string) => `WORKFLOW_VERSION#${workflowId}#`;
export const workflowVersionKey = (workspaceId: string, workflowId: string, number: number) =>
  inWorkspace(workspaceId, `${workflowVersions(workflowId)}${padded(number)}`);
/** A run and the entries of its record. */
export const runPartition = (workspaceId: string, runId: string) => `WORKSPACE#${workspaceId}#RUN#${runId}`;
export const runKey = (workspaceId: string, runId: string) =>
  ({ pk: runPartition(workspaceId, runId), sk: 'RUN' }) as const;
export const RUN_ENTRIES = 'ENTRY#';
export const runEntryKey = (workspaceId: string, runId: string, entry: number) =>
  ({ pk: runPartition(workspaceId, runId), sk: `${RUN_ENTRIES}${padded(entry)}` }) as const;
/** Points at the run that was started with an Idempotency-Key, by its hash. */
export const runKeyKey = (workspaceId: string, hash: string) =>
  ({ pk: `WORKSPACE#${workspaceId}#RUNKEY#${hash}`, sk: 'RUNKEY' }) as const;
/** Points at a run; a workflow's are stored together, in the order of their creation. */
export const workflowRunsPartition = (workspaceId: string, workflowId: string) =>
  `WORKSPACE#${workspaceId}#WORKFLOW#${workflowId}`;
export const workflowRunKey = (workspaceId: string, workflowId: string, runId: string) =>
  ({ pk: workflowRunsPartition(workspaceId, workflowId), sk: runId }) as const;
/** The places of a workflow that limits its runs, and the runs in line for them, whose turn is in the order of their keys. */
export const runPlacesPartition = (workspaceId: string, workflowId: string) =>
  `WORKSPACE#${workspaceId}#RUN_PLACES#${workflowId}`;
export const runPlacesKey = (workspaceId: string, workflowId: string) =>
  ({ pk: runPlacesPartition(workspaceId, workflowId), sk: 'PLACES' }) as const;
export const runsWithinKey = (workspaceId: string, rootRunId: string) =>
  ({ pk: runPlacesPartition(workspaceId, rootRunId), sk: 'WITHIN' }) as const;
/** Points at a run that was started within another one. */
export const RUNS_WITHIN = 'RUN#';
export const runWithinKey = (workspaceId: string, rootRunId: string, runId: string) =>
  ({ pk: runPlacesPartition(workspaceId, rootRunId), sk: `${RUNS_WITHIN}${runId}` }) as const;
/** Points at the runs that the messages of a session started. */
export const sessionRunsPartition = (workspaceId: string, hash: string) =>
  `WORKSPACE#${workspaceId}#SESSION_RUNS#${hash}`;
export const sessionRunKey = (workspaceId: string, hash: string, runId: string) =>
  ({ pk: sessionRunsPartition(workspaceId, hash), sk: runId }) as const;
export const IN_LINE = 'IN_LINE#';
export const inLineKey = (workspaceId: string, workflowId: string, rank: number, runId: string) =>
  ({ pk: runPlacesPartition(workspaceId, workflowId), sk: `${IN_LINE}${rank}#${runId}` }) as const;
/** Runs of a workspace that wait for people or have not ended well, by status, in the order of their start. */
export const listedRuns = (status: string) => `ENDED_RUN#${status}#`;
export const listedRunKey = (workspaceId: string, status: string, runId: string) =>
  inWorkspace(workspaceId, `${listedRuns(status)}${runId}`);
/** Runs that have not ended, in the order in which they are due. */
export const OPEN_RUNS_PARTITION = 'OPEN_RUNS';
export const openRunsUntil = (dueAtMs: number) => String(dueAtMs).padStart(16, '0');
export const openRunKey = (dueAtMs: number, runId: string) =>
  ({ pk: OPEN_RUNS_PARTITION, sk: `${openRunsUntil(dueAtMs)}#${runId}` }) as const;
/** A workspace's triggers are stored together, those of each workflow in the order of their creation. */
export const TRIGGERS = 'TRIGGER#';
export const triggersOf = (workflowId: string) => `${TRIGGERS}${workflowId}#`;
export const triggerKey = (workspaceId: string, workflowId: string, triggerId: string) =>
  inWorkspace(workspaceId, `${triggersOf(workflowId)}${triggerId}`);
/** Leads from the address of a webhook to its trigger. */
export const webhookTriggerKey = (triggerId: string) =>
  ({ pk: `WEBHOOK_TRIGGER#${triggerId}`, sk: 'WEBHOOK_TRIGGER' }) as const;
/** Schedules, in the order in which they are due. */
export const SCHEDULES_PARTITION = 'SCHEDULES';
export const scheduleKey = (dueAtMs: number, triggerId: string) =>
  ({ pk: SCHEDULES_PARTITION, sk: `${openRunsUntil(dueAtMs)}#${triggerId}` }) as const;
export const workspacePartition = (workspaceId: string) => inWorkspace(workspaceId, '').pk;
export const idempotencyKey = (workspaceId: string, path: string, key: string) =>
  inWorkspace(`${workspaceId}#${path}`, key);

export const limitKey = (limit: string, subject: string) => ({ pk: `LIMIT#${limit}#${subject}`, sk: 'LIMIT' }) as const;
/** A subject's spending from the budget of a day. */
export const budgetKey = (subject: string, day: string) => ({ pk: `BUDGET#${subject}#${day}`, sk: 'BUDGET' }) as const;

/** One of several counters that add up to a total. */
export const usageKey = (
  { workspaceId, day, service, keyId, applicationId, accessTokenId }: UsageKey,
  shard: number,
) => {
  const caller = accessTokenId === null ? (keyId ?? '') : `token ${accessTokenId}`;
  return inWorkspace(workspaceId, `${usageDayPrefix(day)}#${service}#${caller}#${applicationId ?? ''}#${shard}`);
};
export const usageDayPrefix = (day: string) => `DAY#${day}`;

const SEQUENCE_DIGITS = 12;
const padded = (number: number): string => String(number).padStart(SEQUENCE_DIGITS, '0');

export const epochSeconds = (ms: number): number => Math.floor(ms / 1000);

function inWorkspace(workspaceId: string, sk: string) {
  return { pk: `WORKSPACE#${workspaceId}`, sk } as const;
}
