import type { DataSettings, DataSettingsStore } from '../../accounts/domain/data-settings.ts';
import { keepsImages } from '../../accounts/domain/data-settings.ts';
import type { UsageEvent, UsageRecorder } from '../../accounts/domain/usage.ts';
import { maskedTexts } from '../../shared/resident-numbers.ts';
import type { AnsweredSession, ConversationLog } from './conversations.ts';
import type { Turn } from './history.ts';
import type { ChatMessage, ContentPart } from './messages.ts';

export interface RecordPorts {
  readonly conversations: Pick<ConversationLog, 'append'>;
  readonly usage: UsageRecorder;
  readonly dataSettings: DataSettingsStore;
}

/** Stores a turn as the workspace lets it be kept, and counts it; without a session it is only counted, in the background. */
export async function recordTurn(
  session: AnsweredSession | null,
  turn: Turn,
  counted: UsageEvent,
  background: (work: Promise<unknown>) => void,
  { conversations, usage, dataSettings }: RecordPorts,
): Promise<void> {
  if (session === null || session.isReadOnly) return background(usage.record(counted));
  const settings = await dataSettings.dataSettings(session.workspaceId);
  if (settings.retentionDays === 0) return background(usage.record(counted));
  await conversations.append(session, keptTurn(turn, settings), counted, settings.retentionDays);
}

function keptTurn(turn: Turn, settings: DataSettings): Turn {
  const shown = keepsImages(settings) ? turn : { ...turn, input: turn.input.map(withoutFiles) };
  // Whatever a turn holds: variables of workflows and quotations, too.
  return settings.maskResidentNumbers ? maskedTexts(shown) : shown;
}

/** Images may come as files, too. */
function withoutFiles(message: ChatMessage): ChatMessage {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: (message.content as ContentPart[]).map(withoutFile) } as ChatMessage;
}

function withoutFile(part: ContentPart): ContentPart {
  return part.type === 'image_url' || part.type === 'file' ? { type: 'text', text: `[${part.type}: not kept]` } : part;
}
