import type { Token } from './lexer.ts';
import { type Part, runLoop, type Signal } from './loops.ts';
import { macroOf, type Parameter } from './macros.ts';
import {
  called,
  type Expression,
  parseArguments,
  parseExpression,
  parseFilter,
  parseFilterChain,
  parseOr,
  parseTuple,
} from './parse-expressions.ts';
import { Scope, Text } from './scope.ts';
import { parseTargets } from './targets.ts';
import { TokenReader } from './token-reader.ts';
import { isTrue, type Value } from './values.ts';
import { textOf } from './written.ts';

type Statement = (tokens: TokenReader) => Part;

/** A template, compiled. @throws TemplateFault with the line */
export function parseTemplate(all: readonly Token[]): Part {
  const tokens = new TokenReader(all);
  const body = parseBody(tokens, []);
  if (!tokens.is('end')) throw tokens.fault(`unexpected '${tokens.current.value}'`);
  return body;
}

/** The parts up to one of the tags of an end, whose name is the next token then. */
function parseBody(tokens: TokenReader, ends: readonly string[]): Part {
  return tokens.nested(() => {
    const parts: Part[] = [];
    while (!tokens.is('end')) {
      if (tokens.is('data')) parts.push(parseData(tokens));
      else if (tokens.takes('operator', '{{')) parts.push(parseOutput(tokens));
      else {
        tokens.expect('operator', '{%');
        if (tokens.is('name', ...ends) && ends.length > 0) return sequence(parts);
        parts.push(parseStatement(tokens));
      }
    }
    if (ends.length > 0) throw tokens.fault(`unexpected end of template, expected '${ends.join("' or '")}'`);
    return sequence(parts);
  });
}

function sequence(parts: readonly Part[]): Part {
  return (scope, text) => {
    for (const part of parts) {
      const signal = part(scope, text);
      if (signal !== undefined) return signal;
    }
    return undefined;
  };
}

function parseData(tokens: TokenReader): Part {
  const { value } = tokens.next();
  return (_, text) => {
    text.add(value);
    return undefined;
  };
}

function parseOutput(tokens: TokenReader): Part {
  const value = parseTuple(tokens);
  tokens.expect('operator', '}}');
  return (scope, text) => {
    text.add(textOf(value(scope)));
    return undefined;
  };
}

function endTag(tokens: TokenReader): void {
  tokens.expect('operator', '%}');
}

/** A body up to its end tag, which is read as well. */
function parseUntil(tokens: TokenReader, end: string): Part {
  const body = parseBody(tokens, [end]);
  tokens.next();
  endTag(tokens);
  return body;
}

const signalling = (signal: Signal): Statement => {
  return (tokens) => {
    endTag(tokens);
    return () => signal;
  };
};

const STATEMENTS: Readonly<Record<string, Statement>> = {
  if: parseIf,
  for: parseFor,
  set: parseSet,
  with: parseWith,
  macro: parseMacro,
  call: parseCallBlock,
  filter: parseFilterBlock,
  block: parseBlock,
  autoescape: parseAutoescape,
  do: parseDo,
  break: signalling('break'),
  continue: signalling('continue'),
};
const OTHER_FILES = ['include', 'extends', 'import', 'from'];

function parseStatement(tokens: TokenReader): Part {
  const { value } = tokens.expect('name');
  if (OTHER_FILES.includes(value)) throw tokens.fault(`'${value}' needs other templates, and there are none`);
  const parse = Object.hasOwn(STATEMENTS, value) ? STATEMENTS[value] : undefined;
  if (!parse) throw tokens.fault(`unknown tag '${value}'`);
  return parse(tokens);
}

function parseIf(tokens: TokenReader): Part {
  const test = parseTuple(tokens);
  endTag(tokens);
  const body = parseBody(tokens, ['elif', 'else', 'endif']);
  const { value } = tokens.next();
  if (value === 'elif')
    return choice(
      test,
      body,
      tokens.nested(() => parseIf(tokens)),
    );
  endTag(tokens);
  return choice(test, body, value === 'else' ? parseUntil(tokens, 'endif') : () => undefined);
}

function choice(test: Expression, body: Part, otherwise: Part): Part {
  return (scope, text) => (isTrue(test(scope)) ? body(scope, text) : otherwise(scope, text));
}

function parseFor(tokens: TokenReader): Part {
  const target = parseTargets(tokens);
  tokens.expect('name', 'in');
  const over = parseTuple(tokens, false);
  const condition = tokens.takes('name', 'if') ? parseOr(tokens) : null;
  const isRecursive = tokens.takes('name', 'recursive');
  endTag(tokens);
  const body = parseBody(tokens, ['else', 'endfor']);
  const hasElse = tokens.next().value === 'else';
  endTag(tokens);
  const otherwise = hasElse ? parseUntil(tokens, 'endfor') : () => undefined;
  const loop = { target, over, condition, body, otherwise, isRecursive };
  return (scope, text) => runLoop(loop, over(scope), scope, text, 1, () => new Text());
}

/** The text of a body. */
function textIn(body: Part, scope: Scope): string {
  const text = new Text();
  body(scope, text);
  return text.toString();
}

function parseSet(tokens: TokenReader): Part {
  const target = parseTargets(tokens);
  if (tokens.takes('operator', '=')) {
    const value = parseTuple(tokens);
    endTag(tokens);
    return (scope) => {
      target(scope, value(scope));
      return undefined;
    };
  }
  const inner: { text: Value } = { text: '' };
  const filtered = parseFilterChain(tokens, () => inner.text);
  endTag(tokens);
  const body = parseUntil(tokens, 'endset');
  return (scope) => {
    inner.text = textIn(body, new Scope(scope));
    target(scope, filtered(scope));
    return undefined;
  };
}

function parseWith(tokens: TokenReader): Part {
  const values: (readonly [string, Expression])[] = [];
  while (tokens.is('name')) {
    const name = tokens.next().value;
    tokens.expect('operator', '=');
    values.push([name, parseExpression(tokens)]);
    if (!tokens.takes('operator', ',')) break;
  }
  endTag(tokens);
  const body = parseUntil(tokens, 'endwith');
  return (scope, text) =>
    body(
      new Scope(
        scope,
        values.map(([name, value]) => [name, value(scope)] as const),
      ),
      text,
    );
}

/** The parameters of a macro, after the opening parenthesis. */
function parseParameters(tokens: TokenReader): Parameter[] {
  const parameters: Parameter[] = [];
  while (!tokens.takes('operator', ')')) {
    if (parameters.length > 0) tokens.expect('operator', ',');
    const { value: name } = tokens.expect('name');
    parameters.push({ name, otherwise: tokens.takes('operator', '=') ? parseExpression(tokens) : null });
  }
  return parameters;
}

function parseMacro(tokens: TokenReader): Part {
  const { value: name } = tokens.expect('name');
  tokens.expect('operator', '(');
  const parameters = parseParameters(tokens);
  endTag(tokens);
  const body = parseUntil(tokens, 'endmacro');
  return (scope) => {
    scope.set(name, macroOf(name, parameters, body, scope));
    return undefined;
  };
}

function parseCallBlock(tokens: TokenReader): Part {
  const parameters = tokens.takes('operator', '(') ? parseParameters(tokens) : [];
  const { value: name } = tokens.expect('name');
  tokens.expect('operator', '(');
  const args = parseArguments(tokens);
  endTag(tokens);
  const body = parseUntil(tokens, 'endcall');
  return (scope, text) => {
    const { positional, named } = args(scope);
    const caller = macroOf('caller', parameters, body, scope);
    text.add(textOf(called(scope.get(name), { positional, named: new Map([...named, ['caller', caller]]) })));
    return undefined;
  };
}

function parseFilterBlock(tokens: TokenReader): Part {
  const inner: { text: Value } = { text: '' };
  const filtered = parseFilterChain(
    tokens,
    parseFilter(tokens, () => inner.text),
  );
  endTag(tokens);
  const body = parseUntil(tokens, 'endfilter');
  return (scope, text) => {
    inner.text = textIn(body, new Scope(scope));
    text.add(textOf(filtered(scope)));
    return undefined;
  };
}

function parseBlock(tokens: TokenReader): Part {
  tokens.expect('name');
  while (tokens.takes('name', 'scoped') || tokens.takes('name', 'required'));
  endTag(tokens);
  const body = parseBody(tokens, ['endblock']);
  tokens.next();
  if (tokens.is('name')) tokens.next();
  endTag(tokens);
  return (scope, text) => body(new Scope(scope), text);
}

/** Texts are never escaped by themselves. */
function parseAutoescape(tokens: TokenReader): Part {
  parseExpression(tokens);
  endTag(tokens);
  return parseUntil(tokens, 'endautoescape');
}

function parseDo(tokens: TokenReader): Part {
  const value = parseTuple(tokens);
  endTag(tokens);
  return (scope) => {
    value(scope);
    return undefined;
  };
}
