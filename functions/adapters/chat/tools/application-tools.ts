import { ModelFailed } from '../../../chat/domain/chat-model.ts';
import type { ApplicationTools } from '../../../chat/domain/complete.ts';
import { secretContext } from '../../../chat/domain/manage-applications.ts';
import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import type { McpToolConfig, SealedHeaders, ToolConfig } from '../../../chat/domain/tools/tool-config.ts';
import type { ToolOwner } from '../../../chat/domain/tools/tool-owner.ts';
import type { WebSearch } from '../../../chat/domain/tools/web-search.ts';
import type { KnowledgeSearch } from '../../../knowledge/domain/knowledge-search.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SecretBox } from '../../../shared/ports/secret-box.ts';
import { SafeFetch } from '../../web/safe-fetch.ts';
import type { ListedTool } from './mcp-server.ts';

export interface ToolOptions {
  /** Local mode: servers on this very machine may be asked. */
  readonly allowLoopback: boolean;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
  readonly knowledge: KnowledgeSearch;
  /** Null where the deployment has no provider of web search. */
  readonly webSearch: () => Promise<WebSearch | null>;
}

/** Lists of MCP servers are asked for again after so long. */
const LIST_KEPT_MS = 5 * 60_000;
const MAX_LISTS = 200;

/** Of an application that was saved while there was a provider. */
const noWebSearch: WebSearch = {
  find: async () => {
    throw new ToolFailed('unavailable', 'The operator of this service has set up no provider of web search.');
  },
};

interface KeptList {
  readonly untilMs: number;
  readonly listed: Promise<readonly ListedTool[]>;
}

/** The tools that an application's configuration names. What they need is loaded with the first application that has them. */
export class ToolsByType implements ApplicationTools {
  readonly #options: ToolOptions;
  readonly #lists = new Map<string, KeptList>();

  constructor(options: ToolOptions) {
    this.#options = options;
  }

  async of(application: ToolOwner, signal: AbortSignal): Promise<readonly Tool[]> {
    const { tools } = application.config;
    const made = await Promise.all(tools.map((tool) => this.#toolsOf(tool, application, signal)));
    return made.flat();
  }

  async #toolsOf(tool: ToolConfig, application: ToolOwner, signal: AbortSignal): Promise<readonly Tool[]> {
    switch (tool.type) {
      case 'http': {
        const { httpTool } = await import('./http-tool.ts');
        return [httpTool(tool, this.#headers(tool.headers, application), this.#web(tool.name))];
      }
      case 'mcp':
        return this.#mcpTools(tool, application, signal);
      case 'code_interpreter': {
        const { codeInterpreter } = await import('./code-interpreter.ts');
        return [codeInterpreter(tool.name)];
      }
      case 'knowledge': {
        const { knowledgeTool } = await import('./knowledge-tool.ts');
        return [knowledgeTool(tool.name, application.config.knowledgeBases, this.#options.knowledge)];
      }
      case 'web_fetch': {
        const { webFetchTool } = await import('./web-fetch-tool.ts');
        return [webFetchTool(tool.name, new SafeFetch({ field: 'url', allowLoopback: this.#options.allowLoopback }))];
      }
      case 'web_search': {
        const [{ webSearchTool }, search] = await Promise.all([
          import('./web-search-tool.ts'),
          this.#options.webSearch(),
        ]);
        return [webSearchTool(tool.name, search ?? noWebSearch)];
      }
      case 'time': {
        const { timeTool } = await import('./time-tool.ts');
        return [timeTool(tool.name, this.#options.clock)];
      }
      case 'chart': {
        const { chartTool } = await import('./file-tools.ts');
        return [chartTool(tool.name)];
      }
      case 'markdown_to_docx':
      case 'markdown_to_pdf': {
        const { documentTool } = await import('./file-tools.ts');
        return [documentTool(tool.name, tool.type === 'markdown_to_docx' ? 'docx' : 'pdf')];
      }
      case 'read_drug_table': {
        const { readDrugTable } = await import('./read-drug-table.ts');
        return [readDrugTable(tool.name)];
      }
    }
  }

  async #mcpTools(tool: McpToolConfig, application: ToolOwner, signal: AbortSignal): Promise<readonly Tool[]> {
    const { McpServer } = await import('./mcp-server.ts');
    const server = new McpServer(tool, this.#headers(tool.headers, application), this.#web(tool.name));
    const { workspaceId, applicationId, version } = application;
    const key = JSON.stringify([workspaceId, applicationId, version, tool.name]);
    const nowMs = this.#options.clock.now();
    let kept = this.#lists.get(key);
    if (kept === undefined || kept.untilMs <= nowMs) {
      kept = { untilMs: nowMs + LIST_KEPT_MS, listed: server.list(signal) };
      this.#keep(key, kept);
    }
    try {
      return server.toolsOf(await kept.listed);
    } catch (error) {
      if (this.#lists.get(key) === kept) this.#lists.delete(key);
      signal.throwIfAborted();
      // Without its tools the application would answer something else, for no visible reason.
      const reason = error instanceof ToolFailed ? error.message : 'It does not answer.';
      throw new ModelFailed('tool_error', `The tools of ${tool.name} cannot be had. ${reason}`, { cause: error });
    }
  }

  #keep(key: string, list: KeptList): void {
    this.#lists.delete(key);
    this.#lists.set(key, list);
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(this.#lists.keys().next().value!);
  }

  #web(name: string): SafeFetch {
    return new SafeFetch({ field: `The server of ${name}`, allowLoopback: this.#options.allowLoopback });
  }

  #headers(sealed: SealedHeaders | null, application: ToolOwner): () => Promise<Readonly<Record<string, string>>> {
    if (sealed === null) return async () => ({});
    let opened: Promise<Readonly<Record<string, string>>> | undefined;
    return () => {
      opened ??= this.#options.secrets
        .open(sealed.values, secretContext(application))
        .then((text) => JSON.parse(text) as Readonly<Record<string, string>>);
      return opened;
    };
  }
}
