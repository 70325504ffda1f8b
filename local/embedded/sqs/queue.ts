import { hash, randomUUID } from 'node:crypto';

export interface QueueSettings {
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  /** Number of receives after which a message moves there; null: never. */
  readonly redrive: { readonly maxReceiveCount: number; readonly deadLetters: EmbeddedQueue } | null;
}

export interface NewMessage {
  readonly body: string;
  /** Its tenant; empty where the sender names none. */
  readonly group: string;
  readonly delaySeconds: number;
  /** As the sender gave them. */
  readonly attributes: MessageAttributes;
}

export type MessageAttributes = Readonly<Record<string, { readonly DataType: string; readonly StringValue?: string }>>;

interface Message {
  readonly id: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly group: string;
  readonly attributes: MessageAttributes;
  readonly sentAtMs: number;
  receives: number;
  firstReceivedAtMs: number;
}

export interface ReceivedMessage extends Readonly<Message> {
  readonly receiptHandle: string;
}

interface Group {
  /** In the order in which they became visible. */
  readonly visible: Set<Message>;
  inFlight: number;
}

interface InFlight {
  readonly message: Message;
  timer: NodeJS.Timeout;
}

/**
 * A standard queue in memory, fair as those of SQS are when messages name a group: of the groups that have something to
 * receive, the one with the fewest messages in flight is next, so that no tenant waits for the backlog of another.
 */
export class EmbeddedQueue {
  readonly #settings: QueueSettings;
  #maxReceiveCount: number;
  /** Those with visible messages or messages in flight, the one that was served last at the end. */
  readonly #groups = new Map<string, Group>();
  readonly #delayed = new Set<NodeJS.Timeout>();
  readonly #inFlight = new Map<string, InFlight>();
  readonly #waiters = new Set<() => void>();

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    this.#maxReceiveCount = settings.redrive?.maxReceiveCount ?? Number.POSITIVE_INFINITY;
  }

  /** Receives after which a message moves to the dead letters; infinite where there are none. */
  get maxReceiveCount(): number {
    return this.#maxReceiveCount;
  }

  set maxReceiveCount(count: number) {
    this.#maxReceiveCount = count;
  }

  send({ body, group, delaySeconds, attributes }: NewMessage): Pick<Message, 'id' | 'bodyMd5'> {
    const message: Message = {
      ...{ id: randomUUID(), body, bodyMd5: hash('md5', body), group, attributes },
      ...{ sentAtMs: Date.now(), receives: 0, firstReceivedAtMs: 0 },
    };
    if (delaySeconds > 0) {
      const timer = after(delaySeconds, () => {
        this.#delayed.delete(timer);
        this.#show(message);
      });
      this.#delayed.add(timer);
    } else this.#show(message);
    return message;
  }

  /** @param waitMs how long it waits for the first message. @param gone fires when the receiver has left. */
  async receive(
    max: number,
    waitMs: number,
    gone: AbortSignal,
    visibilityTimeoutSeconds = this.#settings.visibilityTimeoutSeconds,
  ): Promise<ReceivedMessage[]> {
    const untilMs = performance.now() + waitMs;
    for (;;) {
      if (gone.aborted) return [];
      const received = this.#take(max, visibilityTimeoutSeconds);
      const leftMs = untilMs - performance.now();
      if (received.length > 0 || leftMs <= 0) return received;
      await this.#untilVisible(leftMs, gone);
    }
  }

  delete(receiptHandle: string): void {
    const entry = this.#leaveFlight(receiptHandle);
    if (entry !== null) this.#forget(entry.message.group);
  }

  /** @returns false when the message is not in flight. */
  changeVisibility(receiptHandle: string, seconds: number): boolean {
    const entry = this.#inFlight.get(receiptHandle);
    if (entry === undefined) return false;
    if (seconds === 0) this.#comeBack(receiptHandle);
    else {
      clearTimeout(entry.timer);
      entry.timer = after(seconds, () => this.#comeBack(receiptHandle));
    }
    return true;
  }

  counts(): { readonly visible: number; readonly inFlight: number; readonly delayed: number } {
    const visible = [...this.#groups.values()].reduce((sum, group) => sum + group.visible.size, 0);
    return { visible, inFlight: this.#inFlight.size, delayed: this.#delayed.size };
  }

  stop(): void {
    for (const timer of this.#delayed) clearTimeout(timer);
    for (const { timer } of this.#inFlight.values()) clearTimeout(timer);
    for (const wake of this.#waiters) wake();
  }

  #take(max: number, visibilityTimeoutSeconds: number): ReceivedMessage[] {
    const received: ReceivedMessage[] = [];
    while (received.length < max) {
      const message = this.#next();
      if (message === null) break;
      message.receives += 1;
      message.firstReceivedAtMs ||= Date.now();
      const receiptHandle = randomUUID();
      const timer = after(visibilityTimeoutSeconds, () => this.#comeBack(receiptHandle));
      this.#inFlight.set(receiptHandle, { message, timer });
      received.push({ ...message, receiptHandle });
    }
    return received;
  }

  /** The next message, counted as in flight; those that are too old or were received too often leave the queue here. */
  #next(): Message | null {
    for (;;) {
      const name = this.#nextGroup();
      if (name === null) return null;
      const group = this.#groups.get(name)!;
      const message = group.visible.values().next().value as Message;
      group.visible.delete(message);
      const { retentionSeconds, redrive } = this.#settings;
      const isExpired = message.sentAtMs + retentionSeconds * 1000 < Date.now();
      if (!isExpired && message.receives < this.#maxReceiveCount) {
        group.inFlight += 1;
        this.#groups.delete(name);
        this.#groups.set(name, group);
        return message;
      }
      this.#forget(name);
      if (!isExpired && redrive !== null) redrive.deadLetters.#show(message);
    }
  }

  #nextGroup(): string | null {
    let next: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [name, { visible, inFlight }] of this.#groups)
      if (visible.size > 0 && inFlight < fewest) [next, fewest] = [name, inFlight];
    return next;
  }

  #show(message: Message): void {
    const group = this.#groups.get(message.group) ?? { visible: new Set(), inFlight: 0 };
    group.visible.add(message);
    this.#groups.set(message.group, group);
    const [wake] = this.#waiters;
    wake?.();
  }

  #comeBack(receiptHandle: string): void {
    const entry = this.#leaveFlight(receiptHandle);
    if (entry !== null) this.#show(entry.message);
  }

  #leaveFlight(receiptHandle: string): InFlight | null {
    const entry = this.#inFlight.get(receiptHandle);
    if (entry === undefined) return null;
    clearTimeout(entry.timer);
    this.#inFlight.delete(receiptHandle);
    this.#groups.get(entry.message.group)!.inFlight -= 1;
    return entry;
  }

  /** Groups that have nothing are not kept: there are as many as tenants. */
  #forget(name: string): void {
    const group = this.#groups.get(name);
    if (group?.visible.size === 0 && group.inFlight === 0) this.#groups.delete(name);
  }

  #untilVisible(ms: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', wake);
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      gone.addEventListener('abort', wake);
      this.#waiters.add(wake);
    });
  }
}

function after(seconds: number, then: () => void): NodeJS.Timeout {
  // Longer ones would fire at once.
  return setTimeout(then, Math.min(seconds * 1000, 0x7fffffff)).unref();
}
