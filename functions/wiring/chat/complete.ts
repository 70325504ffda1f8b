import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoUsage } from '../../adapters/accounts/dynamo-usage.ts';
import { ModelsByProvider } from '../../adapters/chat/models-by-provider.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { metricLine } from '../../adapters/shared/metric-line.ts';
import { jitteredBackoff, systemClock } from '../../adapters/shared/system-ports.ts';
import type { AnswerPorts } from '../../chat/completions/steps.ts';
import { BudgetedModels } from '../../chat/domain/budgeted-models.ts';
import type { PreviewPorts } from '../../chat/domain/find-previewed.ts';
import type { KnowledgeSearch } from '../../knowledge/domain/knowledge-search.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { FIRST_TOKEN_MS } from '../../shared/metric-names.ts';
import { dataSettings } from '../accounts/data-settings.ts';
import { tokenBudgets } from '../accounts/token-budgets.ts';
import { secretBox } from '../shared/secret-box.ts';
import { atPrice } from './charged-models.ts';
import { applications, budgetPorts, completionId, conversations, sessionTurns } from './chat.ts';
import { operatorTokens } from './operator-tokens.ts';
import { webSearch } from './web-search.ts';

export function completePorts(): AnswerPorts {
  const {
    TRIPOD_LOCAL,
    USAGE_TABLE,
    POWERTOOLS_SERVICE_NAME: service,
  } = environment('TRIPOD_LOCAL', 'USAGE_TABLE', 'POWERTOOLS_SERVICE_NAME');
  const images = memoizeAsync(async () => {
    const { imageFetcher } = await import('../../adapters/chat/web-images.ts');
    return imageFetcher(TRIPOD_LOCAL);
  });
  const knowledge: KnowledgeSearch = {
    search: async (query) => (await import('../knowledge/bases.ts')).knowledge().search(query),
  };
  const tools = memoizeAsync(async () => {
    const { ToolsByType } = await import('../../adapters/chat/tools/application-tools.ts');
    return new ToolsByType({
      allowLoopback: TRIPOD_LOCAL,
      secrets: secretBox(),
      clock: systemClock,
      knowledge,
      webSearch,
    });
  });
  return {
    completionId,
    applications: applications(),
    conversations: conversations(USAGE_TABLE),
    ...budgetPorts(),
    dataSettings: dataSettings(),
    usage: new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff),
    tokenBudgets: tokenBudgets(),
    models: new BudgetedModels(
      atPrice(
        new ModelsByProvider({ allowLoopback: TRIPOD_LOCAL, secrets: secretBox(), operatorTokens: operatorTokens() }),
      ),
      tokenBudgets(),
    ),
    images: async (url: string, signal: AbortSignal) => (await images())(url, signal),
    knowledge,
    workflows: {
      async *answer(...request) {
        const { chatAnswers } = await import('../workflows/chat-answers.ts');
        return yield* chatAnswers().answer(...request);
      },
    },
    sessionTurns: sessionTurns(),
    tools: { of: async (...application) => (await tools()).of(...application) },
    onFirstText(ms) {
      // Not by `console`, whose lines Lambda wraps.
      if (service === undefined) return;
      const values = { [FIRST_TOKEN_MS]: ms };
      process.stdout.write(`${metricLine(values, 'Milliseconds', service, systemClock.now())}\n`);
    },
    onFault: (tool, error) => logger().error('A tool failed', { tool, error: error as Error }),
    pause: { wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined) },
  };
}

export function previewPorts(): PreviewPorts {
  return {
    applications: applications(),
    async findWorkflow(workspaceId, workflowId) {
      const { workflows } = await import('../workflows/workflows.ts');
      return workflows().find({ workspaceId, workflowId });
    },
  };
}
