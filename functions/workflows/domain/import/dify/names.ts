import type { Texts } from '../../../../shared/phrases.ts';
import { listField, textField } from '../../graph/fields.ts';
import { isObject, type Json, RESERVED_IDS } from '../../graph/graph.ts';
import { SYSTEM_VALUES } from '../../graph/node-types.ts';
import { FORM_OUTPUTS } from '../../graph/people.ts';
import { escaped } from '../../graph/references.ts';
import type { DifyNode } from './dify-file.ts';

/** Outputs that have another name here, by the type of their node there. */
const OUTPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'http-request': { body: 'text', status_code: 'status' },
  'template-transform': { output: 'text' },
  iteration: { output: 'results' },
  loop: { loop_round: 'passes' },
  'knowledge-retrieval': { result: 'documents' },
  llm: { reasoning_content: 'reasoning' },
  'list-operator': { first_record: 'first', last_record: 'last' },
  'human-input': { __action_id: 'action', __rendered_content: 'content' },
  'parameter-extractor': { __is_success: 'is_success', __reason: 'reason', __usage: 'usage' },
};

/** Variables that a file declares. */
interface DeclaredVariables {
  /** Types by name, such as "array[string]". */
  readonly conversation: ReadonlyMap<string, string>;
  readonly env: ReadonlySet<string>;
}

/** References of a file, as they are written here. */
export class Names {
  readonly #nodes = new Map<string, DifyNode>();
  readonly #all: ReadonlySet<string>;
  readonly #variables: DeclaredVariables;
  /** Called with a reference that leads nowhere. */
  readonly #onDead: (path: string, why: Texts) => void;

  constructor(
    nodes: readonly DifyNode[],
    all: readonly DifyNode[],
    variables: DeclaredVariables,
    onDead: (path: string, why: Texts) => void,
  ) {
    for (const node of nodes) this.#nodes.set(node.id, node);
    this.#all = new Set(all.map(({ id }) => id));
    this.#variables = variables;
    this.#onDead = onDead;
  }

  typeOf(id: string): string {
    return this.#nodes.get(id)?.type ?? '';
  }

  /** The type of a conversation variable, or of a variable of a loop, such as "array[string]"; empty if unknown. */
  typeOfVariable(owner: string, name: string): string {
    if (owner === 'conversation') return this.#variables.conversation.get(name) ?? '';
    const variables = listField(this.#nodes.get(owner)?.data ?? {}, 'loop_variables').filter(isObject);
    const found = variables.find(({ label }) => label === name);
    return found ? textField(found, 'var_type') : '';
  }

  /** The source that a list of names leads to, as in [node, field]; null where it leads nowhere. */
  source(path: readonly string[]): string | null {
    // [start, "sys.query"] and start.sys.query are sys.query.
    const parts = path.flatMap((each) => each.split('.'));
    const [node = '', first = '', ...rest] = parts[1] === 'sys' ? parts.slice(1) : parts;
    const dead = (why: Texts) => {
      this.#onDead(parts.join('.'), why);
      return null;
    };
    if (node === '' || first === '') return null;
    if (node === 'sys') {
      return Object.hasOwn(SYSTEM_VALUES, first)
        ? ['sys', first, ...rest].join('.')
        : dead({ en: `sys has no ${first} here`, ko: `여기에는 sys.${first}가 없습니다` });
    }
    if (node === 'conversation' || node === 'env')
      return this.#variables[node].has(first)
        ? parts.join('.')
        : dead({ en: 'the file does not declare it', ko: '파일에 선언되지 않았습니다' });
    if (!this.#nodes.has(node))
      return dead(
        this.#all.has(node)
          ? { en: 'no run comes to its node', ko: '어떤 실행도 그 노드에 이르지 않습니다' }
          : { en: 'its node is not in the file', ko: '그 노드가 파일에 없습니다' },
      );
    const { type } = this.#nodes.get(node)!;
    if (first === 'error_message' || first === 'error_type')
      return [idOf(node), 'error', first === 'error_message' ? 'message' : 'code'].join('.');
    const own = type === 'human-input' ? formFieldName(first) : first;
    return [idOf(node), OUTPUTS[type]?.[first] ?? own, ...rest].filter((each) => each !== '').join('.');
  }

  /** A list of names as a reference; an empty text where it leads nowhere. */
  selected(selector: Json | undefined): string {
    const source = this.sourceOf(selector);
    return source === null ? '' : `{{${source}}}`;
  }

  sourceOf(selector: Json | undefined): string | null {
    if (!Array.isArray(selector) || selector.length < 2) return null;
    return this.source(selector.map(String));
  }

  /** A text, in which {{#node.field#}} are references and all other braces are text. @param context what {{#context#}} is. */
  text(text: string, context = ''): string {
    let written = '';
    let end = 0;
    for (const match of text.matchAll(/\{\{#([^#{}\n]{1,300})#\}\}/g)) {
      written += escaped(text.slice(end, match.index));
      end = match.index + match[0].length;
      const path = match[1]!.trim();
      if (path === 'context') {
        written += context;
        continue;
      }
      if (path === 'histories' || !path.includes('.')) continue;
      const source = this.source(path.split('.'));
      written += source === null ? '' : `{{${source}}}`;
    }
    return written + escaped(text.slice(end));
  }
}

/** The name of a form's field: one that another output has here gets an ending. */
export function formFieldName(name: string): string {
  return (FORM_OUTPUTS as readonly string[]).includes(name) ? `${name}_field` : name;
}

/** Strategies of the agents that are agents here. */
export function isOwnAgent(data: { readonly [name: string]: Json }): boolean {
  return /function.?call|react/i.test(String(data.agent_strategy_name ?? ''));
}

/** Ids are times there; here they start with a letter. */
export function idOf(id: string): string {
  const clean = id.replace(/[^\w-]/g, '_').slice(0, 60);
  return /^[A-Za-z_]/.test(clean) && !RESERVED_IDS.includes(clean) ? clean : `n${clean}`;
}
