import { type CompiledGraph, scopeOf } from '../graph/compiled-graph.ts';
import { numberField, objectField, textField } from '../graph/fields.ts';
import type { GraphNode, Json, JsonObject } from '../graph/graph.ts';
import { DEFAULT_PASSES, MAX_PASSES } from '../graph/node-fields.ts';
import { NODE_KINDS } from '../graph/node-types.ts';
import { type Lookup, referencesIn, resolved, TooLarge } from '../graph/references.ts';
import { type Writer, writerFor } from '../graph/value-texts.ts';
import { holds } from './conditions.ts';
import type { Failure } from './engine-events.ts';
import type { Emit } from './event-payloads.ts';
import { type Activity, type Body, Frame } from './frame.ts';
import { placeOf } from './node-payloads.ts';
import { resolvedConfig } from './resolve-config.ts';

export interface PassHost {
  readonly emit: Emit;
  readonly lookup: (frame: Frame) => Lookup;
  readonly start: (frame: Frame, node: GraphNode) => void;
  /** Nothing can refer to the values of the frame any more. */
  readonly release: (frame: Frame) => void;
  /** Ends everything that is under way in a frame. */
  readonly closeFrame: (frame: Frame, status: 'failed' | 'cancelled') => void;
  readonly complete: (owner: Activity, outputs: JsonObject) => void;
  readonly fail: (owner: Activity, failure: Failure) => void;
}

/** Passes of iterations, several at once, and of loops, one after another, through the bodies of their nodes. */
export class Passes {
  readonly #compiled: CompiledGraph;
  readonly #host: PassHost;
  readonly #write: Writer;

  constructor(compiled: CompiledGraph, host: PassHost) {
    this.#compiled = compiled;
    this.#host = host;
    this.#write = writerFor(compiled.graph, 'text');
  }

  begin(owner: Activity): void {
    const { body, config } = owner;
    if (body?.kind === 'loop') {
      body.variables = { ...objectField(config, 'variables') };
      this.#host.emit('iteration_started', placeOf(owner));
      this.#beginLoop(owner);
      return;
    }
    const { items } = config;
    if (!Array.isArray(items) || items.length > MAX_PASSES) {
      const found = Array.isArray(items) ? `has ${items.length} entries` : 'is not a list';
      const message = `config.items ${found}. Give it a list of at most ${MAX_PASSES} entries.`;
      this.#host.emit('iteration_started', placeOf(owner));
      this.#host.fail(owner, { code: 'invalid_items', message });
      return;
    }
    if (body) body.items = items as readonly Json[];
    this.#host.emit('iteration_started', { ...placeOf(owner), length: items.length });
    this.#nextOfIteration(owner);
  }

  /** Every node of a pass has ended. */
  ended(frame: Frame, owner: Activity): void {
    try {
      if (owner.body?.kind === 'iteration') {
        owner.body.results[frame.index] = resolved(
          owner.node.config.output ?? null,
          this.#host.lookup(frame),
          this.#write,
        );
        this.#endOfIteration(owner, frame);
      } else this.#endOfLoop(owner, frame);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#host.fail(owner, { code: 'too_large', message: `What a pass gives out ${error.message}.` });
    }
  }

  /** A node of a pass has failed. @returns false when that is the failure of the body's node. */
  tolerates(frame: Frame, owner: Activity, failure: Failure): boolean {
    const onItem = textField(owner.config, 'on_item_error');
    const { body } = owner;
    if (body?.kind !== 'iteration' || (onItem !== 'null' && onItem !== 'skip')) return false;
    this.#host.closeFrame(frame, 'failed');
    body.errors.push({ index: frame.index, ...failure });
    body.failed.add(frame.index);
    body.results[frame.index] = null;
    this.#endOfIteration(owner, frame);
    return true;
  }

  /** Ends all passes of a node that is given up, the newest first. */
  close(owner: Activity, status: 'failed' | 'cancelled'): void {
    const body = owner.body!;
    for (const frame of [...body.frames.values()].reverse()) this.#host.closeFrame(frame, status);
    body.frames.clear();
    this.#completed(owner, body.kind === 'iteration' ? body.ended : body.pass, status);
  }

  /** A condition that holds from the start leaves no pass; one on nodes of the body is tested behind them. */
  #beginLoop(owner: Activity): void {
    const { nodes } = scopeOf(this.#compiled, owner.node.id);
    const sources = [...referencesIn(owner.node.config.until ?? null)].flatMap((reference) => reference.sources);
    const isOnBody = sources.some(({ node }) => nodes.some(({ id }) => id === node));
    let isMet: boolean;
    try {
      isMet = !isOnBody && this.#isMet(owner, this.#frameOf(owner, 0));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#host.fail(owner, { code: 'too_large', message: `The condition of the loop ${error.message}.` });
      return;
    }
    if (isMet) this.#completeLoop(owner);
    else this.#beginPass(owner, 0);
  }

  #isMet({ node }: Activity, frame: Frame): boolean {
    const until = objectField(node.config, 'until');
    if (Object.keys(until).length === 0) return false;
    const config = resolvedConfig({ until }, NODE_KINDS.loop.config, this.#host.lookup(frame), this.#write);
    return holds(config.until as JsonObject, this.#compiled.graph.settings.textStyle);
  }

  #completeLoop(owner: Activity): void {
    const { body } = owner;
    if (body?.kind !== 'loop') return;
    this.#completed(owner, body.pass, 'succeeded');
    this.#host.complete(owner, { ...body.variables, passes: body.pass });
  }

  #frameOf(owner: Activity, index: number): Frame {
    const scope = scopeOf(this.#compiled, owner.node.id);
    return new Frame(scope, this.#compiled, { parent: owner.frame, owner, index });
  }

  #beginPass(owner: Activity, index: number): void {
    const frame = this.#frameOf(owner, index);
    owner.body!.frames.set(index, frame);
    this.#host.emit('iteration_next', { ...placeOf(owner), pass: index });
    for (const node of frame.scope.entries) this.#host.start(frame, node);
  }

  /** Starts as many passes of an iteration as may run at once; ends it when none is left. */
  #nextOfIteration(owner: Activity): void {
    const { body, config } = owner;
    if (body?.kind !== 'iteration') return;
    const concurrency = numberField(config, 'concurrency', 1);
    while (body.frames.size < concurrency && body.next < body.items.length) this.#beginPass(owner, body.next++);
    if (body.ended < body.items.length) return;
    const skips = config.on_item_error === 'skip';
    const results = skips ? body.results.filter((_, index) => !body.failed.has(index)) : body.results;
    this.#completed(owner, body.ended, 'succeeded');
    this.#host.complete(owner, {
      results: config.flatten === true ? flattened(results) : results,
      count: body.items.length,
      errors: body.errors,
    });
  }

  #endOfIteration(owner: Activity, frame: Frame): void {
    const { body } = owner;
    if (body?.kind !== 'iteration') return;
    this.#remove(body, frame);
    body.ended += 1;
    this.#nextOfIteration(owner);
  }

  #endOfLoop(owner: Activity, frame: Frame): void {
    const { body, config, node } = owner;
    if (body?.kind !== 'loop') return;
    // In the order of the graph, so that parallel branches cannot race for a variable.
    for (const each of frame.scope.nodes)
      for (const [name, value] of Object.entries(frame.outputs.get(each.id) ?? {}))
        if (each.type === 'variable_assign' && Object.hasOwn(body.variables, name)) body.variables[name] = value;
    body.pass += 1;
    const hasCondition = Object.keys(objectField(node.config, 'until')).length > 0;
    const isOver = this.#isMet(owner, frame) || body.isBroken;
    this.#remove(body, frame);
    const maxPasses = numberField(config, 'max_passes', DEFAULT_PASSES);
    if (!isOver && body.pass < maxPasses) {
      this.#beginPass(owner, body.pass);
      return;
    }
    if (!isOver && hasCondition && config.on_limit !== 'end') {
      const message = `The condition of the loop did not hold within ${maxPasses} passes. Raise config.max_passes, or correct config.until.`;
      this.#host.fail(owner, { code: 'loop_limit', message });
      return;
    }
    this.#completeLoop(owner);
  }

  #remove({ frames }: Body, frame: Frame): void {
    this.#host.release(frame);
    frames.delete(frame.index);
  }

  /** The passes of a body are over; said once, also where what they give out is refused afterwards. */
  #completed(owner: Activity, count: number, status: 'succeeded' | 'failed' | 'cancelled'): void {
    if (owner.body!.isCompleted) return;
    owner.body!.isCompleted = true;
    this.#host.emit('iteration_completed', { ...placeOf(owner), count, status });
  }
}

/** One list of all entries, where every result that is there is a list. */
function flattened(results: readonly Json[]): readonly Json[] {
  const there = results.filter((result) => result !== null);
  return there.length > 0 && there.every(Array.isArray) ? there.flat() : results;
}

export function newBody({ type }: GraphNode): Body {
  if (type === 'loop')
    return { kind: 'loop', isCompleted: false, pass: 0, isBroken: false, variables: {}, frames: new Map() };
  return {
    kind: 'iteration',
    isCompleted: false,
    items: [],
    next: 0,
    ended: 0,
    frames: new Map(),
    results: [],
    failed: new Set(),
    errors: [],
  };
}
