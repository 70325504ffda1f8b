import type { DataSettings, DataSettingsStore } from '../../accounts/domain/data-settings.ts';
import type { ConversationLog, SessionId, SessionKey, SessionState } from './conversations.ts';

export type OpenedSession = SessionState & { readonly dataSettings: DataSettings };

export interface OpenPorts {
  readonly conversations: Pick<ConversationLog, 'read' | 'hold'>;
  readonly dataSettings: DataSettingsStore;
}

/**
 * Reads a session and what its workspace allows to be kept of a turn, in one round trip. Both are known before a model is asked:
 * an answer that could not be stored would be paid for in vain. If the settings cannot be read, the request's key is released.
 */
export async function openSession(
  id: SessionId,
  key: SessionKey | null,
  { conversations, dataSettings }: OpenPorts,
): Promise<OpenedSession> {
  const [state, settings] = await Promise.allSettled([
    conversations.read(id, key),
    dataSettings.dataSettings(id.workspaceId),
  ]);
  if (state.status === 'rejected') throw state.reason;
  if (settings.status === 'fulfilled') return { ...state.value, dataSettings: settings.value };
  if (state.value.recorded === null) await conversations.hold({ ...id, ...state.value, key })(false);
  throw settings.reason;
}

/** A session that nothing was said in yet: only the settings are read. */
export async function newSession(
  { workspaceId }: SessionId,
  { dataSettings }: Pick<OpenPorts, 'dataSettings'>,
): Promise<OpenedSession> {
  const settings = await dataSettings.dataSettings(workspaceId);
  return { conversationId: null, history: [], expiring: [], recorded: null, dataSettings: settings };
}
