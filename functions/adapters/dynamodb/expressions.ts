/** Placeholders of one request: DynamoDB takes names and values apart from the expressions that use them. */
export class Bindings {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};

  name(attribute: string): string {
    this.#names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  }

  value(value: unknown): string {
    const placeholder = `:${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  /** DynamoDB refuses empty maps. */
  toInput() {
    return {
      ...(Object.keys(this.#names).length > 0 && { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}

/** A condition on an item, as a text over the bindings of its request. */
export interface Condition {
  (bindings: Bindings): string;
  /** The operator of a condition that is made of several. */
  readonly operator?: Operator;
}

type Operator = 'AND' | 'OR';

const compare =
  (operator: '=' | '<>' | '<' | '<=' | '>' | '>=') =>
  (attribute: string, value: unknown): Condition =>
  (bindings) =>
    `${bindings.name(attribute)} ${operator} ${bindings.value(value)}`;

export const equal = compare('=');
export const unequal = compare('<>');
export const below = compare('<');
export const atMost = compare('<=');
export const above = compare('>');
export const atLeast = compare('>=');

export const missing =
  (attribute: string): Condition =>
  (bindings) =>
    `attribute_not_exists(${bindings.name(attribute)})`;

export const beginsWith =
  (attribute: string, prefix: string): Condition =>
  (bindings) =>
    `begins_with(${bindings.name(attribute)}, ${bindings.value(prefix)})`;

export const between =
  (attribute: string, first: string, last: string): Condition =>
  (bindings) =>
    `${bindings.name(attribute)} BETWEEN ${bindings.value(first)} AND ${bindings.value(last)}`;

/** A set of fewer members. */
export const smallerThan =
  (attribute: string, members: number): Condition =>
  (bindings) =>
    `size(${bindings.name(attribute)}) < ${bindings.value(members)}`;

export const contains =
  (attribute: string, member: string): Condition =>
  (bindings) =>
    `contains(${bindings.name(attribute)}, ${bindings.value(member)})`;

/** Only with the parentheses that it takes: the embedded DynamoDB's parser needs twice the time for each level of them. */
const join =
  (operator: Operator) =>
  (...conditions: readonly Condition[]): Condition =>
    Object.assign(
      (bindings: Bindings) =>
        conditions
          .map((condition) => {
            const text = condition(bindings);
            // AND binds closer than OR.
            return operator === 'AND' && condition.operator === 'OR' ? `(${text})` : text;
          })
          .join(` ${operator} `),
      { operator },
    );

export const and = join('AND');
export const or = join('OR');

/** No item has the key of the request. */
export const ABSENT: Condition = missing('pk');
export const PRESENT: Condition = (bindings) => `attribute_exists(${bindings.name('pk')})`;

/** An update of an item's attributes. Where there is no item its condition does not hold, unless it may make one. */
export interface Change {
  /** Makes the item where there is none: a deleted item comes back by such a change. */
  readonly orCreate?: true;
  readonly set: Readonly<Record<string, unknown>>;
  readonly increment?: Readonly<Record<string, number>>;
  /** Numbers as `increment`, from 0 where the attribute is missing; members of sets, where they are not in it. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string> | undefined>>;
  readonly remove?: readonly string[];
  readonly condition?: Condition;
}

export function updateInput({ set, increment = {}, add = {}, remove = [], condition, orCreate }: Change) {
  const bindings = new Bindings();
  const assignments = [
    ...Object.entries(set).map(([attribute, value]) => `${bindings.name(attribute)} = ${bindings.value(value)}`),
    ...Object.entries(increment).map(([attribute, by]) => {
      const name = bindings.name(attribute);
      return `${name} = ${name} + ${bindings.value(by)}`;
    }),
  ];
  const removed = remove.map((attribute) => bindings.name(attribute));
  const added = Object.entries(add).map(([attribute, by = 0]) => `${bindings.name(attribute)} ${bindings.value(by)}`);
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    ...conditionInput(orCreate ? condition : condition ? and(PRESENT, condition) : PRESENT, bindings),
  };
}

export function conditionInput(condition: Condition | undefined, bindings = new Bindings()) {
  return { ...(condition && { ConditionExpression: condition(bindings) }), ...bindings.toInput() };
}
