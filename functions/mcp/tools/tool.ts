import type * as z from 'zod';
import type { Route } from '../../shared/http/route.ts';
import type { RouteInput } from '../call-route.ts';

/** A part of a result, in the protocol's form. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
    };

export interface ToolOutput {
  readonly content: readonly Content[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

/** Tools by the REST routes that they call. */
export type ToolKind = 'run_program' | 'read_drug_table' | 'search_knowledge' | 'ask_application';

/** A tool as a model sees it, with the REST route that its arguments and results belong to. */
export interface ToolDefinition {
  readonly kind: ToolKind;
  /** Unique among the tools of a workspace: letters, digits, _ and -, at most 64. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: z.ZodType;
  readonly route: Route;
  /** Whether a call changes nothing but the ledger. */
  readonly isReadOnly: boolean;
  /** Whether calls reach beyond the workspace's own data. */
  readonly isOpenWorld: boolean;
  /** @throws Problem 400 */
  readonly toInput: (args: unknown) => RouteInput;
  /** @param body of the route's 200. */
  readonly toOutput: (body: unknown) => ToolOutput;
}

/** A result as JSON, once for models and once for programs. */
export function jsonOutput(result: Readonly<Record<string, unknown>>): ToolOutput {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
}
