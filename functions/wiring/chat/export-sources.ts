import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { paged } from '../shared/paged.ts';
import { applications, conversations } from './chat.ts';

const applicationsOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => applications().list(workspaceId, limit, before),
    ({ applicationId }) => applicationId,
  );

export const chatSources: readonly ExportSource[] = [
  {
    name: 'applications',
    async *records(workspaceId) {
      for await (const { applicationId, name, type, config, createdAt } of applicationsOf(workspaceId)) {
        const { systemPrompt, knowledgeBases, workflowId, model } = config;
        yield { applicationId, name, type, model: model.name, systemPrompt, knowledgeBases, workflowId, createdAt };
      }
    },
  },
  { name: 'conversations', records: conversationsOf },
];

async function* conversationsOf(workspaceId: string) {
  // Workflows that are called by their own id answer without an application.
  const ids = [''];
  for await (const { applicationId } of applicationsOf(workspaceId)) ids.push(applicationId);
  for (const applicationId of ids) {
    const found = paged(
      (limit, before: string | null) => conversations().list({ workspaceId, applicationId }, limit, before),
      ({ conversationId }) => conversationId,
    );
    for await (const conversation of found) {
      const turns = paged(
        (limit, after: string | null) => conversations().turns(conversation, limit, after),
        ({ turnId }) => turnId,
      );
      const told: object[] = [];
      for await (const { turnId, createdAt, input, steps, answer, rating } of turns)
        told.push({ turnId, createdAt, input, steps, answer, rating });
      yield { ...conversation, turns: told };
    }
  }
}
