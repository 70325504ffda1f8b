import type * as z from 'zod';
import { completeChatRoute } from '../../chat/completions/routes.ts';
import type { completion } from '../../chat/completions/schemas.ts';
import type { Application } from '../../chat/domain/application.ts';
import { parse } from '../../shared/http/parse-input.ts';
import { askApplicationArguments } from '../schemas.ts';
import type { ToolDefinition } from './tool.ts';

export type SharedApplication = Pick<Application, 'applicationId' | 'name' | 'description' | 'config'>;

const MAX_NAME_LENGTH = 48;
const ID_LENGTH = 8;

/** A tool for each application that its owner shares. @param applications of one workspace, in any order. */
export function askTools(applications: readonly SharedApplication[]): readonly ToolDefinition[] {
  const taken = new Set<string>();
  return (
    applications
      .filter(({ config }) => config.mcp.enabled)
      // Ids sort by time: a newer application does not take the name of an older one.
      .toSorted((a, b) => (a.applicationId < b.applicationId ? -1 : 1))
      .map((application) => {
        const name = freeName(application, taken);
        taken.add(name.toLowerCase());
        return askTool(application, name);
      })
  );
}

/** Names that differ in case alone are one name to some clients. */
function freeName({ applicationId, name, config }: SharedApplication, taken: ReadonlySet<string>): string {
  const id = applicationId.replaceAll('-', '').slice(-ID_LENGTH);
  const wanted = config.mcp.name ?? plainName(name);
  const plain = `ask_${wanted === '' ? id : wanted}`;
  return taken.has(plain.toLowerCase()) ? `${plain}_${id}` : plain;
}

/** The letters and digits of a name that all clients take; empty for one without any, such as a Korean one. */
function plainName(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('_').slice(0, MAX_NAME_LENGTH);
}

function askTool({ applicationId, name, description, config }: SharedApplication, toolName: string): ToolDefinition {
  const about = config.mcp.description || description;
  return {
    kind: 'ask_application',
    name: toolName,
    title: name,
    description: `Asks the application “${name}” and returns its answer.${about === '' ? '' : ` ${about}`}`,
    arguments: askApplicationArguments,
    route: completeChatRoute,
    isReadOnly: false,
    isOpenWorld: true,
    toInput(args) {
      const {
        message,
        session_id: session,
        idempotency_key: key,
      } = parse(askApplicationArguments, args, 'the arguments') as z.output<typeof askApplicationArguments>;
      return {
        params: { application_id: applicationId },
        headers: { 'x-session-id': session, 'idempotency-key': key },
        body: { messages: [{ role: 'user', content: message }], stream: false },
      };
    },
    toOutput(body) {
      const { choices, usage, citations } = body as z.output<typeof completion>;
      const [{ message, finish_reason }] = choices as [(typeof choices)[number]];
      const answer = message.content ?? message.refusal ?? '';
      return {
        content: [{ type: 'text', text: answer }],
        structuredContent: { answer, finish_reason, usage, ...(citations && { citations }) },
      };
    },
  };
}
