/** A statement of a synthesized policy, with every reference resolved to a name. */
export interface Statement {
  readonly effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface Request {
  readonly action: string;
  readonly resource: string;
  /** Partition keys of the items that the call touches; null where it names none. */
  readonly leadingKeys: readonly string[] | null;
  /** Other keys of conditions. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Conditions of the house; an unknown one is an error, so that none is taken for granted. */
const OPERATORS: Readonly<Record<string, (value: string, pattern: string) => boolean>> = {
  'ForAllValues:StringEquals': (value, pattern) => value === pattern,
  'ForAllValues:StringLike': matches,
  StringEquals: (value, pattern) => value === pattern,
};
const LEADING_KEYS = 'dynamodb:LeadingKeys';

/** Whether a role with these statements may do it: IAM's evaluation, as far as the policies of the house go. */
export function isAllowed(statements: readonly Statement[], request: Request): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return applying.length > 0 && applying.every(({ effect }) => effect === 'Allow');
}

function applies({ actions, resources, conditions }: Statement, request: Request): boolean {
  return (
    actions.some((pattern) => matches(request.action.toLowerCase(), pattern.toLowerCase())) &&
    resources.some((pattern) => matches(request.resource, pattern)) &&
    Object.entries(conditions).every(([operator, keys]) => holds(operator, keys, request))
  );
}

function holds(operator: string, keys: Statement['conditions'][string], request: Request): boolean {
  const test = OPERATORS[operator];
  return Object.entries(keys).every(([key, wanted]) => {
    const values = valuesOf(key, request);
    if (test === undefined || values === undefined)
      throw new Error(`The evaluator of policies knows no ${operator} of ${key}.`);
    // A call that names no key has no value that could fail: as in IAM, all of none are right.
    return values.every((value) => [wanted].flat().some((pattern) => test(value, pattern)));
  });
}

function valuesOf(key: string, { leadingKeys, context }: Request): readonly string[] | undefined {
  if (key === LEADING_KEYS) return leadingKeys ?? [];
  const value = context?.[key];
  return value === undefined ? undefined : [value];
}

/** `*` stands for any characters, `?` for one. */
function matches(value: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
}
