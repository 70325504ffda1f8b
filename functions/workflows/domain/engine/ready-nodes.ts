import type { GraphNode } from '../graph/graph.ts';
import { NODE_KINDS } from '../graph/node-types.ts';
import type { Frame } from './frame.ts';

/** A node of a frame that nothing holds up. */
export interface ReadyNode {
  readonly frame: Frame;
  readonly node: GraphNode;
}

/** Number of taken entries that are kept before the list is shortened. */
const MAX_TAKEN = 1_000;

/** Nodes that may start, in order. Those that reach beyond the engine wait until fewer than `concurrency` of them run. */
export class ReadyNodes {
  readonly #concurrency: number;
  #inner: ReadyNode[] = [];
  #effects: ReadyNode[] = [];
  #effectsTaken = 0;
  #running = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(ready: ReadyNode): void {
    (isEffect(ready.node) ? this.#effects : this.#inner).push(ready);
  }

  next(): ReadyNode | undefined {
    return this.#inner.shift() ?? this.#nextEffect();
  }

  #nextEffect(): ReadyNode | undefined {
    if (this.#running >= this.#concurrency) return undefined;
    const next = this.#effects[this.#effectsTaken];
    if (next === undefined) return undefined;
    this.#effectsTaken += 1;
    if (this.#effectsTaken > MAX_TAKEN) {
      this.#effects = this.#effects.slice(this.#effectsTaken);
      this.#effectsTaken = 0;
    }
    return next;
  }

  /** Of a node that has been taken, and starts. */
  started(node: GraphNode): void {
    if (isEffect(node)) this.#running += 1;
  }

  finished(node: GraphNode): void {
    if (isEffect(node)) this.#running -= 1;
  }

  clear(): void {
    this.#inner = [];
    this.#effects = [];
    this.#effectsTaken = 0;
  }
}

function isEffect({ type }: GraphNode): boolean {
  return NODE_KINDS[type].nature === 'effect';
}
