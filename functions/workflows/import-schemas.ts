import * as z from 'zod';
import { nameField } from '../shared/http/name-field.ts';
import { issue, workflow } from './schemas.ts';
import { newTrigger } from './trigger-schemas.ts';

export const importBody = z.strictObject({
  name: nameField(100).optional().describe('By default that of the file'),
  dsl: z.string().min(1).max(5_000_000).describe('The text of a Dify DSL file, in YAML'),
});
const importNotes = z.array(
  z.object({
    node_id: z.string().nullable().describe('Null: of the file as a whole'),
    type: z.string().describe('Of the node in the file'),
    title: z.string(),
    code: z.string().describe('Kind of note'),
    message: z.string().describe('In Korean with `Accept-Language: ko`'),
  }),
);
export const imported = z.object({
  workflow,
  valid: z.boolean().describe('False: the draft has errors, which `issues` names, and cannot be run yet'),
  issues: z.array(issue),
  unsupported: importNotes.describe(
    'Parts that are left out or behave differently from the file, and their replacement',
  ),
  to_connect: importNotes.describe('Models, tools, knowledge and secrets that the workspace is to provide'),
  triggers: z
    .array(newTrigger)
    .describe('Schedules and webhooks of the file, switched off; the addresses of webhooks are shown once'),
  emptied: importNotes.describe('References that lead nowhere in the file: their values are empty'),
});
