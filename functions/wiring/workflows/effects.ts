import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoApplications } from '../../adapters/chat/dynamo-applications.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock } from '../../adapters/shared/system-ports.ts';
import { zodSchemaChecks } from '../../adapters/workflows/zod-schema-checks.ts';
import { DEFAULT_CONFIG } from '../../chat/domain/application.ts';
import type { ChatModels } from '../../chat/domain/chat-model.ts';
import type { KnowledgeSearch } from '../../knowledge/domain/knowledge-search.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { inSpan } from '../../shared/tracing/spans.ts';
import type {
  AgentModels,
  AgentTools,
  Documents,
  EffectPorts,
  Knowledge,
  Programs,
  SubWorkflows,
  Tables,
  Templates,
  Web,
} from '../../workflows/domain/effects/effect-ports.ts';
import { maskingSecrets, type Secrets } from '../../workflows/domain/effects/mask-secrets.ts';
import { nodeEffects } from '../../workflows/domain/effects/perform-node.ts';
import { type NodeEffects, NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { secretContext } from '../../workflows/domain/seal-environment.ts';

export const pause = {
  wait: (ms: number, signal: AbortSignal) =>
    sleep(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined),
};
/** Maximum of a timer; a longer wait checks the time again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Nodes' effects outside the engine. Each part is loaded with the first node that needs it. */
export function effects(subWorkflows: SubWorkflows): NodeEffects {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  const ports: EffectPorts = {
    subWorkflows,
    templates: templates(),
    documents: documents(),
    web: web(TRIPOD_LOCAL),
    programs: programs(),
    tables: tables(),
    knowledge: knowledge(),
    agentModels: agentModels(),
    tools: agentTools(TRIPOD_LOCAL),
    ask: { models: models(TRIPOD_LOCAL), pause },
    schemas: zodSchemaChecks,
    onToolFault: (tool, error) => logger().error('A tool met a fault', { tool, error: error as Error }),
    clock: systemClock,
  };
  const masked = maskingSecrets(nodeEffects(ports), workflowSecrets());
  return {
    perform: ({ node, ...call }, surroundings) => {
      const attributes = { 'tripod.node.type': node.type };
      return inSpan(`node ${node.type}`, { kind: 'internal', attributes }, () =>
        masked.perform({ node, ...call }, surroundings),
      );
    },
  };
}

/** A text is decrypted once for a process: a loop uses its secrets again and again. */
function workflowSecrets(): Secrets {
  const opened = new Map<string, Promise<string>>();
  const box = memoizeAsync(async () => (await import('../shared/secret-box.ts')).secretBox());
  return {
    async open(sealed, { workspaceId, workflowId }) {
      const context = secretContext({ workspaceId, workflowId });
      const key = `${context} ${sealed}`;
      const known = opened.get(key);
      if (known) return known;
      if (opened.size >= MAX_OPENED) opened.clear();
      const opening = box().then((secrets) => secrets.open(sealed, context));
      opened.set(key, opening);
      opening.catch(() => opened.delete(key));
      return opening;
    },
  };
}

const MAX_OPENED = 200;

function documents(): Documents {
  return {
    async read(...document) {
      const { DocumentTexts } = await import('../../adapters/workflows/document-texts.ts');
      return new DocumentTexts().read(...document);
    },
  };
}

/** The threads of templates, which all functions of a process share. */
export const threadedTemplates = memoizeAsync(async () => {
  const { ThreadedTemplates } = await import('../../adapters/workflows/threaded-templates.ts');
  return new ThreadedTemplates();
});

function templates(): Templates {
  return { render: async (...template) => (await threadedTemplates()).render(...template) };
}

function web(allowLoopback: boolean): Web {
  const loaded = memoizeAsync(async () => {
    const { SafeWeb } = await import('../../adapters/workflows/safe-web.ts');
    return new SafeWeb({ allowLoopback });
  });
  return { request: async (...request) => (await loaded()).request(...request) };
}

function models(allowLoopback: boolean): ChatModels {
  const loaded = memoizeAsync(async () => {
    const [{ ModelsByProvider }, { secretBox }, { operatorTokens }, { BudgetedModels }, { tokenBudgets }, { atPrice }] =
      await Promise.all([
        import('../../adapters/chat/models-by-provider.ts'),
        import('../shared/secret-box.ts'),
        import('../chat/operator-tokens.ts'),
        import('../../chat/domain/budgeted-models.ts'),
        import('../accounts/token-budgets.ts'),
        import('../chat/charged-models.ts'),
      ]);
    const models = new ModelsByProvider({
      allowLoopback,
      secrets: secretBox(),
      operatorTokens: operatorTokens(),
    });
    return new BudgetedModels(atPrice(models), tokenBudgets());
  });
  return {
    async *stream(...asked) {
      yield* (await loaded()).stream(...asked);
    },
  };
}

function agentModels(): AgentModels {
  const { APPLICATIONS_TABLE } = environment('APPLICATIONS_TABLE');
  const applications = new DynamoApplications(dynamoClient(), APPLICATIONS_TABLE, null, jitteredBackoff);
  return {
    async find(workspaceId, applicationId) {
      if (applicationId === null) return { workspaceId, applicationId: '', version: 0, config: DEFAULT_CONFIG };
      const found = await applications.find({ workspaceId, applicationId });
      if (found === null)
        throw new NodeFailed('no_application', `config.application_id: there is no application ${applicationId}.`);
      return found;
    },
  };
}

function agentTools(allowLoopback: boolean): AgentTools {
  const loaded = memoizeAsync(async () => {
    const [{ ToolsByType }, { secretBox }, { webSearch }] = await Promise.all([
      import('../../adapters/chat/tools/application-tools.ts'),
      import('../shared/secret-box.ts'),
      import('../chat/web-search.ts'),
    ]);
    return new ToolsByType({
      allowLoopback,
      secrets: secretBox(),
      clock: systemClock,
      knowledge: knowledgeSearch,
      webSearch,
    });
  });
  return { of: async (...application) => (await loaded()).of(...application) };
}

function programs(): Programs {
  return {
    async run(...program) {
      const { InvokedPrograms } = await import('../../adapters/workflows/invoked-programs.ts');
      return new InvokedPrograms().run(...program);
    },
  };
}

function tables(): Tables {
  return {
    async read(...table) {
      const { InvokedTables } = await import('../../adapters/workflows/invoked-tables.ts');
      return new InvokedTables(pause).read(...table);
    },
  };
}

/** Loaded with the first search. */
const knowledgeSearch: KnowledgeSearch = {
  search: async (query) => (await import('../knowledge/bases.ts')).knowledge().search(query),
};

function knowledge(): Knowledge {
  return {
    async search(query, signal) {
      const hits = await knowledgeSearch.search({ ...query, signal });
      return hits.map(({ documentId, title, heading, page, score, text }) => ({
        id: documentId,
        title,
        score,
        snippet: text,
        source: [...heading, ...(page === null ? [] : [`p. ${page}`])].join(' › '),
      }));
    },
  };
}
