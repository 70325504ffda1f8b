import type { AskPorts } from '../../../chat/domain/ask-models.ts';
import type { Tool } from '../../../chat/domain/tools/tool.ts';
import type { ToolOwner } from '../../../chat/domain/tools/tool-owner.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import type { SchemaChecks } from '../evaluate/check-value.ts';
import type { JsonObject } from '../graph/graph.ts';
import type { HiddenText, NodeCall, NodeResult, NodeSurroundings } from '../run/node-effects.ts';

/** Fills templates. */
export interface Templates {
  /** @throws NodeFailed for one that is wrong, or takes too much time or memory. */
  render(template: string, values: JsonObject, syntax: TemplateSyntax, caller: JobCaller): Promise<string>;
}

export type TemplateSyntax = 'liquid' | 'jinja2';

/** Reads the text of documents. */
export interface Documents {
  /** @throws NodeFailed when it is of another kind, or cannot be read. */
  read(
    bytes: Uint8Array,
    known: { readonly mimeType: string; readonly name: string },
    caller: JobCaller,
  ): Promise<{ readonly text: string; readonly pages: number | null }>;
}

export interface Program {
  readonly workspaceId: string;
  /** API key that it is counted for; null: none. */
  readonly keyId: string | null;
  readonly language: string;
  readonly code: string;
  readonly stdin: string;
  /** Files that it finds. */
  readonly files: readonly { readonly path: string; readonly base64: string }[];
  readonly timeoutSeconds: number;
  /** A second program under the same key is not run: its result is that of the first. */
  readonly onceKey: string;
  /** Texts that its stored output must not have. */
  readonly hidden: readonly HiddenText[];
}

export interface ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
  /** -1: it ran out of time, or could not be run. */
  readonly exitCode: number;
  readonly seconds: number;
  /** Files that it has left below `out/`. */
  readonly files?: readonly {
    readonly path: string;
    readonly size: number;
    readonly mediaType: string;
    readonly url: string;
  }[];
}

/** Runs programs in the sandbox. */
export interface Programs {
  /** @throws NodeFailed when it cannot be run. */
  run(program: Program, signal: AbortSignal): Promise<ProgramResult>;
}

export interface TableRequest {
  readonly workspaceId: string;
  readonly keyId: string | null;
  /** Application that the run answers for; null: none. */
  readonly applicationId: string | null;
  /** Neither read nor charged again under the same key. */
  readonly onceKey: string;
  /** An https address, or a data: URL. */
  readonly image: string;
  readonly templateId: string | null;
}

/** Reads drug tables, on the balance of the workspace. */
export interface Tables {
  /** @throws NodeFailed; nothing is charged then. */
  read(table: TableRequest, signal: AbortSignal): Promise<JsonObject & { readonly cost: JsonObject }>;
}

export interface WebRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Requests addresses on the public internet, and nowhere else. */
export interface Web {
  /** @throws NodeFailed */
  request(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}

export interface FoundDocument {
  readonly id: string;
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
  readonly source: string;
}

/** Searches knowledge bases of a workspace. */
export interface Knowledge {
  /** Best first. @throws NodeFailed */
  search(
    query: {
      readonly workspaceId: string;
      readonly baseIds: readonly string[];
      readonly query: string;
      readonly limit: number;
    },
    signal: AbortSignal,
  ): Promise<readonly FoundDocument[]>;
}

/** The application whose model an agent asks, and whose tools it calls. */
export type AgentModel = ToolOwner;

/** Applications of a workspace, whose models agents ask. */
export interface AgentModels {
  /** @param applicationId null: the embedded model. @throws NodeFailed when there is no such application */
  find(workspaceId: string, applicationId: string | null): Promise<AgentModel>;
}

/** Tools of applications, ready to run. */
export interface AgentTools {
  /** @throws ModelFailed when a server does not say which tools it has. */
  of(application: AgentModel, signal: AbortSignal): Promise<readonly Tool[]>;
}

/** Runs other workflows from nodes. */
export interface SubWorkflows {
  /** @throws NodeFailed; what `signal` was aborted with */
  run(call: NodeCall, surroundings: NodeSurroundings): Promise<NodeResult>;
}

export interface EffectPorts {
  readonly subWorkflows: SubWorkflows;
  readonly templates: Templates;
  readonly documents: Documents;
  readonly programs: Programs;
  readonly tables: Tables;
  readonly web: Web;
  readonly knowledge: Knowledge;
  readonly agentModels: AgentModels;
  readonly tools: AgentTools;
  readonly ask: AskPorts;
  readonly schemas: SchemaChecks;
  /** Called with a fault of a tool's own code. */
  readonly onToolFault: (tool: string, error: unknown) => void;
  readonly clock: Clock;
}
