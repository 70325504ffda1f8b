import { type DataSettingsStore, DEFAULT_DATA_SETTINGS } from '../../functions/accounts/domain/data-settings.ts';
import type { Backoff } from '../../functions/shared/ports/backoff.ts';

/** A backoff that does not wait. */
export const instantBackoff: Backoff = { wait: async () => undefined };

/** Settings of workspaces that have changed none. */
export const defaultDataSettings: DataSettingsStore = { dataSettings: async () => DEFAULT_DATA_SETTINGS };

/** A queue whose messages are a list, in the order in which they were sent. */
export function messageList<Message>() {
  const messages: Message[] = [];
  return { messages, queue: { send: async (sent: readonly Message[]) => void messages.push(...sent) } };
}

/** A bucket of images, in memory. */
export function imageStore() {
  const stored = new Map<string, Uint8Array>();
  return {
    put: async (key: string, bytes: Uint8Array) => void stored.set(key, bytes),
    async get(key: string) {
      const bytes = stored.get(key);
      if (bytes === undefined) throw new Error(`There is no image ${key}.`);
      return bytes;
    },
    remove: async (keys: readonly string[]) => keys.forEach((key) => void stored.delete(key)),
  };
}

/** A bucket in memory. */
export function memoryBucket() {
  const stored = new Map<string, Uint8Array>();
  const objects = {
    put: async (key: string, bytes: Uint8Array) => void stored.set(key, bytes),
    get: async (key: string) => {
      const bytes = stored.get(key);
      return bytes === undefined ? null : Buffer.from(bytes);
    },
    remove: async (...keys: string[]) => keys.forEach((key) => void stored.delete(key)),
  };
  return { stored, objects, large: async () => objects };
}

/** Of logins in workspaces without second factors. */
export const noSecondFactor = {
  requiresSecondFactor: async () => false,
  requireCode: async () => undefined,
  mustUseProvider: async () => false,
};
