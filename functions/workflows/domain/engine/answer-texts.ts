import type { CompiledGraph } from '../graph/compiled-graph.ts';
import { textField } from '../graph/fields.ts';
import { DEFAULT_HANDLE, type Graph } from '../graph/graph.ts';
import { type Lookup, segmentsOf } from '../graph/references.ts';
import { type Writer, writerFor } from '../graph/value-texts.ts';
import type { Activity, Frame } from './frame.ts';

/** One text of answers of a run that follow each other. */
export function joinedAnswers(graph: Pick<Graph, 'settings'>, texts: readonly string[]): string {
  return texts.join(separatorOf(graph));
}

function separatorOf({ settings }: Pick<Graph, 'settings'>): string {
  return settings.textStyle === 'dify' ? '' : '\n\n';
}

/**
 * Texts of the answers of a run, in order, and the one text that clients are streamed: an answer goes out while its agent
 * fills it; those that come meanwhile wait for its end.
 */
export class AnswerTexts {
  readonly #compiled: CompiledGraph;
  readonly #lookup: (frame: Frame) => Lookup;
  readonly #show: (text: string) => void;
  readonly #write: Writer;
  /** The text between two answers. */
  readonly #separator: string;
  /** The answer whose text is being streamed, and how much of it is out. */
  #live: { readonly key: string; emitted: string } | null = null;
  #held: string[] = [];
  #hasText = false;
  /** Of answers that have been given. */
  readonly given: string[] = [];

  constructor(compiled: CompiledGraph, lookup: (frame: Frame) => Lookup, show: (text: string) => void) {
    this.#compiled = compiled;
    this.#lookup = lookup;
    this.#write = writerFor(compiled.graph, 'answer');
    this.#separator = separatorOf(compiled.graph);
    this.#show = (text) => {
      if (text !== '') show(text);
    };
  }

  /** Characters of all that have been given. */
  get length(): number {
    return this.given.reduce((sum, text) => sum + text.length, 0);
  }

  get joined(): string {
    return this.given.join(this.#separator);
  }

  /** An answer is given as a whole. */
  give(key: string, text: string): void {
    this.given.push(text);
    if (this.#live?.key === key) {
      const { emitted } = this.#live;
      this.#show(text.startsWith(emitted) ? text.slice(emitted.length) : '');
      this.#live = null;
      for (const held of this.#held.splice(0)) {
        this.#separate();
        this.#show(held);
      }
    } else if (this.#live) this.#held.push(text);
    else {
      this.#separate();
      this.#show(text);
    }
  }

  /** The text of an agent goes out at once where nothing but the agent keeps an answer from being given. */
  stream(agent: Activity, delta: string): void {
    const answer = this.#filledBy(agent);
    if (answer === null || (this.#live && this.#live.key !== answer.key)) return;
    if (!this.#live) {
      this.#separate();
      this.#live = { key: answer.key, emitted: '' };
    }
    const live = this.#live;
    const text = live.emitted.length < answer.prefix.length ? answer.prefix.slice(live.emitted.length) + delta : delta;
    live.emitted += text;
    this.#show(text);
  }

  /** A pass is given up, and with it the answer in it that was being streamed. */
  giveUp(frame: Frame): void {
    if (frame.key !== '' && this.#live?.key.startsWith(frame.key)) this.#live = null;
  }

  /** An answer starts: behind those before it. */
  #separate(): void {
    if (this.#hasText) this.#show(this.#separator);
    this.#hasText = true;
  }

  #filledBy({ frame, node }: Activity): { readonly key: string; readonly prefix: string } | null {
    if (node.type !== 'agent' || node.onError !== 'fail') return null;
    const edges = this.#compiled.outgoing.get(node.id)!.filter(({ sourceHandle }) => sourceHandle === DEFAULT_HANDLE);
    for (const { target } of edges) {
      const answer = this.#compiled.nodes.get(target)!;
      if (answer.type !== 'answer' || frame.unsettled.get(target) !== 1) continue;
      const prefix = this.#prefixBefore(node.id, textField(answer.config, 'text'), frame);
      if (prefix !== null) return { key: frame.key + target, prefix };
    }
    return null;
  }

  /** The text before the place that the agent's own text fills; null when it fills none, or more comes from it before. */
  #prefixBefore(agentId: string, text: string, frame: Frame): string | null {
    const lookup = this.#lookup(frame);
    let prefix = '';
    for (const segment of segmentsOf(text)) {
      if (typeof segment === 'string') {
        prefix += segment;
        continue;
      }
      const [first] = segment.sources;
      if (first?.node === agentId) return first.path.length === 1 && first.path[0] === 'text' ? prefix : null;
      prefix += this.#write(lookup(segment));
    }
    return null;
  }
}
