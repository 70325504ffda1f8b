import { type ImportedTrigger, type ImportNote, noteOf } from '../import/import-note.ts';
import { noted } from '../import/note-texts.ts';
import type { WorkflowId } from '../workflow.ts';
import { type NewSecret, storeTrigger, type TriggerPorts } from './manage-triggers.ts';
import { MAX_TRIGGERS, type Trigger } from './trigger.ts';

export interface ImportedTriggers {
  readonly created: readonly { readonly trigger: Trigger; readonly secret: NewSecret }[];
  readonly notes: readonly ImportNote[];
}

/** Stores the triggers of a file, switched off: its graph is not published. Those that cannot be stored are notes. */
export async function importTriggers(
  workflow: WorkflowId,
  given: readonly ImportedTrigger[],
  ports: TriggerPorts,
): Promise<ImportedTriggers> {
  const created: ImportedTriggers['created'][number][] = [];
  const notes: ImportNote[] = [];
  let left = given.length === 0 ? 0 : MAX_TRIGGERS - (await ports.triggers.count(workflow.workspaceId));
  for (const { nodeId, type, name, inputs, source } of given) {
    const of = { nodeId, type, title: name };
    const fault = source.kind === 'schedule' ? ports.cron.faultOf(source.cron, source.timeZone) : null;
    if (fault !== null || left <= 0) {
      const why =
        fault === null
          ? noted('too_many_triggers', { max: MAX_TRIGGERS })
          : { en: fault, ko: 'cron이나 시간대가 맞지 않습니다.' };
      notes.push(noteOf(noted('trigger_failed', { why }), { ...of, kind: 'changed' }));
      continue;
    }
    left -= 1;
    const draft = {
      name: name.slice(0, 100),
      isEnabled: false,
      inputs,
      query: '',
      priority: 'normal',
      source,
    } as const;
    const stored = await storeTrigger(workflow, draft, ports);
    created.push(stored);
    const path = `/api/v1/workflows/${workflow.workflowId}/triggers/${stored.trigger.triggerId}`;
    notes.push(noteOf(noted('trigger_off', { path }), { ...of, kind: 'connect' }));
  }
  return { created, notes };
}
