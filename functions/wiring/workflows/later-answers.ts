import { DynamoUsage } from '../../adapters/accounts/dynamo-usage.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff } from '../../adapters/shared/system-ports.ts';
import type { Origin } from '../../channels/domain/replies.ts';
import { replyLater } from '../../channels/domain/reply-later.ts';
import type { Caller } from '../../chat/domain/conversations.ts';
import { type LaterPorts, recordLaterAnswer } from '../../chat/domain/record-later-answer.ts';
import { environment } from '../../shared/environment.ts';
import type { JsonObject } from '../../workflows/domain/graph/graph.ts';
import type { LaterAnswer } from '../../workflows/domain/run/later-answers.ts';
import type { RunHead } from '../../workflows/domain/run/run.ts';
import { dataSettings } from '../accounts/data-settings.ts';
import { laterReplyPorts } from '../channels/channels.ts';
import { clock, completionId, conversations } from '../chat/chat.ts';

/** Says an answer where the message of its run came from: in the history of its session, and on its channel. */
export async function sayInConversation({ workspaceId, trigger }: RunHead, answer: LaterAnswer): Promise<void> {
  const { conversation, sessionId, caller, applicationId } = trigger;
  if (conversation === undefined) return;
  const { key, text, files, hasFailed } = answer;
  if (conversation.isKept && sessionId !== null && (text !== '' || files.length > 0)) {
    // A workflow that is called by its own id has no application.
    const session = { workspaceId, applicationId: applicationId ?? '', caller: caller as Caller, sessionId };
    const { turnId } = conversation;
    await recordLaterAnswer(session, { key, turnId, text, files: files.map(toFile) }, historyPorts());
  }
  if (conversation.origin === undefined) return;
  const origin = conversation.origin as unknown as Origin;
  await replyLater({ key, workspaceId, channelId: caller.id, origin, text, hasFailed }, laterReplyPorts());
}

function historyPorts(): LaterPorts {
  const { USAGE_TABLE } = environment('USAGE_TABLE');
  const usage = new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff);
  return { conversations: conversations(), dataSettings: dataSettings(), usage, clock, completionId };
}

function toFile({ url, name, media_type: mediaType, size }: JsonObject) {
  const bytes = typeof size === 'number' ? size : null;
  return { url: String(url), name: String(name), mediaType: String(mediaType), size: bytes };
}
