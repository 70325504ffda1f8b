import type {
  ConversationVariable,
  Graph,
  GraphNode,
  Json,
  JsonObject,
} from '../../../../functions/workflows/domain/graph/graph.ts';
import { handlesOf } from '../../../../functions/workflows/domain/graph/node-types.ts';
import type { Random } from '../../random.ts';
import { edges, node } from '../graphs.ts';

/** The place of a new node. */
interface Place {
  readonly id: string;
  readonly parentId: string | null;
  /** References to values that are there before it. */
  readonly known: readonly string[];
  readonly mayNest: boolean;
  /** Loops directly around the scope, with a variable that no assigner changes yet; null for another scope. */
  readonly freeLoop: string | null;
  /** Whether the scope is run once or its passes follow one another: a variable then has one history. */
  readonly isOrdered: boolean;
}

/** A random graph: every node is reached, nothing is on a cycle, references name nodes that come before. */
export function randomGraph(random: Random): Graph {
  const nodes: GraphNode[] = [];
  const ways: string[] = [];
  const conversation: ConversationVariable[] = [];
  let count = 0;
  const scope = (
    owner: GraphNode | null,
    size: number,
    depth: number,
    outer: readonly string[],
    isOrdered: boolean,
  ) => {
    const parentId = owner?.id ?? null;
    const own: GraphNode[] = [];
    const before = new Map<string, Set<string>>();
    let freeLoop = owner?.type === 'loop' ? owner.id : null;
    for (let i = 0; i < size; i++) {
      const id = `n${count++}`;
      const ancestors = new Set<string>();
      const open = own.filter(({ type }) => type !== 'break');
      const from = i === 0 ? [] : [...new Set([random.pick(open), random.pick(open), open.at(-1)!])];
      for (const source of from.slice(0, 1 + random.below(from.length))) {
        const handles = handlesOf(source);
        for (const handle of random.chance(0.15) ? handles : [random.pick(handles)])
          ways.push(`${source.id}:${handle} > ${id}`);
        for (const reference of referencesTo(source, isOrdered)) ancestors.add(reference);
        for (const each of before.get(source.id)!) ancestors.add(each);
      }
      before.set(id, ancestors);
      const known = [...ancestors, ...outer];
      const isFirst = parentId === null && i === 0;
      const mayNest = depth < 2 && i < size - 1;
      const made = isFirst
        ? node(id, 'start')
        : randomNode({ id, parentId, known, mayNest, freeLoop, isOrdered }, random, i > 0 && i === size - 1);
      if (made.type === 'assigner') {
        const [first] = made.config.items as readonly JsonObject[];
        const [of, name = ''] = String(first!.variable).split('.');
        if (of === freeLoop) freeLoop = null;
        else conversation.push({ name, type: 'any', initial: random.chance(0.5) ? [] : 1, description: '' });
      }
      own.push(made);
      nodes.push(made);
      if (made.type === 'iteration' || made.type === 'loop')
        scope(
          made,
          1 + random.below(3),
          depth + 1,
          [...known, ...(made.type === 'loop' ? [`{{${id}.v}}`] : [`{{${id}.item}}`]), `{{${id}.index}}`],
          isOrdered && depth === 0 && made.type === 'loop',
        );
    }
  };
  scope(null, 3 + random.below(8), 0, [], true);
  const settings = { maxSteps: 20_000, timeoutSeconds: 3_600, concurrency: 1 + random.below(4) };
  return { version: 1, nodes, edges: edges(...new Set(ways)), settings, conversation };
}

/** References for nodes behind this one. A variable is only read where no other pass changes it meanwhile. */
function referencesTo({ id, type, config }: GraphNode, isOrdered: boolean): readonly string[] {
  const of = (...names: readonly string[]) => names.map((name) => `{{${id}.${name}}}`);
  switch (type) {
    case 'agent':
    case 'document_extractor':
      return of('text');
    case 'sub_workflow':
      return of('v', 'outputs.v');
    case 'tool':
      return of('v', 'result.v');
    case 'list_operator':
      return of('first', 'result');
    case 'iteration':
      return of('results', 'count');
    case 'loop':
      return of('v', 'w', 'passes');
    case 'assigner': {
      const { variable } = (config.items as readonly JsonObject[])[0]!;
      const name = String(variable).split('.')[1]!;
      const isLoop = !String(variable).startsWith('conversation.');
      return [...of(name), ...(isLoop || isOrdered ? [`{{${String(variable)}}}`] : [])];
    }
    default:
      return of('v');
  }
}

function randomNode(place: Place, random: Random, isLast: boolean): GraphNode {
  const { id, parentId, known, mayNest } = place;
  const reference = (): Json => (known.length === 0 || random.chance(0.2) ? random.below(9) : random.pick(known));
  const onError = random.pick(['fail', 'fail', 'fail', 'default', 'branch'] as const);
  const more = {
    parentId,
    onError,
    defaultOutput: onError === 'default' ? { v: random.below(9) } : null,
    retry: { maxAttempts: 1 + random.below(3), delayMs: random.below(50) },
  };
  const withoutRetry = { parentId, onError, defaultOutput: more.defaultOutput };
  const inputs = { a: reference(), b: [reference()] };
  const condition = { left: reference(), operator: random.pick(['gt', 'lt', 'equals', 'is_empty']), right: 4 };
  switch (random.below(mayNest ? 18 : 16)) {
    case 0:
    case 1:
      return node(id, 'code', { language: 'python', code: '1' }, { ...more, inputs });
    case 2:
      return node(id, 'condition', { cases: [{ id: 'yes', conditions: [condition] }] }, { parentId });
    case 3: {
      const classes = ['x', 'y', 'z'].map((each) => ({ id: each, name: each }));
      const defaultOutput = more.defaultOutput && { v: 1, class_id: 'y' };
      return node(id, 'classifier', { query: 'q', classes }, { ...more, defaultOutput });
    }
    case 4:
      return node(id, 'variable_assign', { values: { v: reference() } }, { parentId });
    case 5:
      return parentId === null
        ? node(id, 'answer', { text: `${id}: ${String(known[0] ?? '')}` })
        : node(id, 'variable_assign', { values: { v: reference() } }, { parentId });
    case 6:
      return node(id, 'approval', { message: 'Go on?' }, withoutRetry);
    case 7:
      return node(id, 'human_input', { message: '?', fields: [{ name: 'v', type: 'number' }] }, withoutRetry);
    case 8:
      return node(id, 'agent', { prompt: `Say ${String(reference())}` }, { ...more, inputs });
    case 9:
      return node(id, 'tool', { tool: 'weigh', arguments: { a: reference() } }, { ...more, inputs });
    case 10:
      return node(id, 'document_extractor', { file: 'https://example.com/a.txt' }, { ...more, inputs });
    case 11: {
      const parameters = [{ name: 'v', type: 'number' }];
      return node(id, 'parameter_extractor', { query: `${String(reference())}`, parameters }, { ...more, inputs });
    }
    case 12:
      return node(id, 'sub_workflow', { workflow_id: WORKFLOW, inputs: { a: reference() } }, { ...more, inputs });
    case 13:
      return listOperator(id, withoutRetry, random, reference);
    case 14:
    case 15:
      return place.freeLoop !== null && isLast && random.chance(0.3)
        ? node(id, 'break', {}, { parentId })
        : assigner(place, random, reference);
    case 16: {
      const items = random.chance(0.8) ? Array.from({ length: random.below(4) }, (_, i) => i) : reference();
      const config = {
        items,
        output: `{{n${Number(id.slice(1)) + 1}.v}}`,
        concurrency: 1 + random.below(3),
        on_item_error: random.pick(['fail', 'null', 'skip']),
      };
      return node(id, 'iteration', config, withoutRetry);
    }
    default: {
      const until = random.chance(0.7)
        ? { until: { conditions: [{ left: `{{${id}.v}}`, operator: 'gt', right: 5 }] } }
        : {};
      const onLimit = random.chance(0.3) ? { on_limit: 'end' } : {};
      const variables = { v: reference(), w: random.chance(0.5) ? [] : 1 };
      return node(id, 'loop', { variables, max_passes: 1 + random.below(4), ...until, ...onLimit }, withoutRetry);
    }
  }
}

const WORKFLOW = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';

function listOperator(id: string, more: Partial<GraphNode>, random: Random, reference: () => Json): GraphNode {
  const isLiteral = random.chance(0.8);
  const items = isLiteral ? Array.from({ length: random.below(6) }, () => random.below(9)) : reference();
  const filter = { filter: { conditions: [{ operator: 'gt', value: 3 }] } };
  return node(
    id,
    'list_operator',
    {
      items,
      ...(random.chance(0.5) && filter),
      ...(random.chance(0.3) && { extract: 1 + random.below(3) }),
      // Values of other kinds than numbers have no order that a naive interpreter would know.
      ...(isLiteral && random.chance(0.5) && { sort: { order: random.pick(['asc', 'desc']) } }),
      ...(random.chance(0.3) && { limit: 1 + random.below(3) }),
    },
    more,
  );
}

/** Several assigners of one variable, or one in passes that overlap, would race: each has its own variable, or the free one of its loop. */
function assigner({ id, parentId, freeLoop, isOrdered }: Place, random: Random, reference: () => Json): GraphNode {
  const isOfLoop = freeLoop !== null && random.chance(0.6);
  const variable = isOfLoop ? `${freeLoop}.w` : `conversation.${isOrdered ? 'ordered' : 'any'}_${id}`;
  const operations = [
    'overwrite',
    'append',
    'extend',
    'add',
    'subtract',
    'multiply',
    'clear',
    'remove_first',
    'remove_last',
  ];
  const item = (operation: string) => ({ variable, operation, value: reference() });
  const items =
    isOfLoop || isOrdered
      ? Array.from({ length: 1 + random.below(2) }, () => item(random.pick(operations)))
      : [item('overwrite')];
  return node(id, 'assigner', { items }, { parentId });
}
