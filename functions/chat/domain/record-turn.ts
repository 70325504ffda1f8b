import { type DataSettings, keepsImages } from '../../accounts/domain/data-settings.ts';
import type { UsageEvent, UsageRecorder } from '../../accounts/domain/usage.ts';
import { maskedTexts } from '../../shared/resident-numbers.ts';
import type { AnsweredSession, ConversationLog } from './conversations.ts';
import type { Turn } from './history.ts';
import type { ChatMessage, ContentPart } from './messages.ts';

export interface RecordPorts {
  readonly conversations: Pick<ConversationLog, 'append'>;
  readonly usage: UsageRecorder;
}

/** Stores a turn and counts it. One that is not kept is only counted, in the background. @param counted null: it has been counted */
export async function recordTurn(
  session: AnsweredSession | null,
  turn: Turn,
  counted: UsageEvent | null,
  background: (work: Promise<unknown>) => void,
  { conversations, usage }: RecordPorts,
): Promise<void> {
  if (session === null || session.isReadOnly || session.dataSettings.retentionDays === 0)
    return counted === null ? undefined : background(usage.record(counted));
  const { dataSettings } = session;
  await conversations.append(session, keptTurn(turn, dataSettings), counted, dataSettings.retentionDays);
}

function keptTurn(turn: Turn, settings: DataSettings): Turn {
  const { files: _, ...words } = turn;
  const shown = keepsImages(settings) ? turn : { ...words, input: turn.input.map(withoutFiles) };
  // All contents of a turn, including variables of workflows and quotations.
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
