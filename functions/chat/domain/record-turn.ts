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

/** Stores a turn and counts it; what `background` takes is not waited for. */
export type RecordTurn = (
  turn: Turn,
  counted: UsageEvent,
  background: (work: Promise<unknown>) => void,
) => Promise<void>;

/**
 * Called before the model is, so that what the workspace lets be kept is read while it answers. A turn without a session is only counted,
 * in the background.
 */
export function turnRecorder(
  session: AnsweredSession | null,
  { conversations, usage, dataSettings }: RecordPorts,
): RecordTurn {
  if (session === null || session.isReadOnly)
    return async (_, counted, background) => background(usage.record(counted));
  const reading = dataSettings.dataSettings(session.workspaceId);
  // A model may fail before the settings are awaited.
  reading.catch(() => undefined);
  return async (turn, counted, background) => {
    const settings = await reading;
    if (settings.retentionDays === 0) return background(usage.record(counted));
    await conversations.append(session, keptTurn(turn, settings), counted, settings.retentionDays);
  };
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
