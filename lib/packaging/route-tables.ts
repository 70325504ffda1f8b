import { readFile } from 'node:fs/promises';
import { type Expression, type Program, parse, type VariableDeclarator } from 'acorn';
import { type Plugin, transform } from 'esbuild';

/** Modules of routes, their access and their schemas: constants alone, which change nothing when they are made. */
const CONSTANTS = /\/functions\/.*(?:^|[/-])(?:access|routes|schemas|responses)\.ts$/;
/** The members of a route that only the OpenAPI document and the stacks read. */
const DOCUMENTATION: readonly string[] = ['access', 'doc', 'responses'];

/**
 * Lets a bundle leave out the routes and schemas that its function does not use: bundlers keep every call, since it may do
 * more than return a value. Making schemas is the largest part of a small function's cold start.
 * @param documented whether routes keep what documents them.
 */
export function routeTables({ documented }: { readonly documented: boolean }): Plugin {
  return {
    name: 'route-tables',
    setup({ onLoad }) {
      onLoad({ filter: CONSTANTS }, async ({ path }) => {
        const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', sourcefile: path });
        return { contents: withPureConstants(documented ? code : withoutDocumentation(code)), loader: 'js' };
      });
    },
  };
}

/** The module, with each constant that is made by a call marked as one that may be left out where nothing uses it. */
export function withPureConstants(code: string): string {
  const initializers = constantsOf(parsed(code)).flatMap(({ init }) => (init && isMade(init) ? [init] : []));
  return replaced(
    code,
    initializers.map(({ start, end }) => ({
      start,
      end,
      text: `/* @__PURE__ */ (() => (${code.slice(start, end)}))()`,
    })),
  );
}

/** The module of a route table, with what only documents a route made empty. */
export function withoutDocumentation(code: string): string {
  const routes = constantsOf(parsed(code)).filter(({ id }) => id.type === 'Identifier' && id.name.endsWith('Route'));
  const documentation = routes.flatMap(({ init }) => {
    if (init?.type !== 'ObjectExpression') return [];
    return init.properties.flatMap((property) =>
      property.type === 'Property' && property.key.type === 'Identifier' && DOCUMENTATION.includes(property.key.name)
        ? [property.value]
        : [],
    );
  });
  return replaced(
    code,
    documentation.map(({ start, end }) => ({ start, end, text: '{}' })),
  );
}

function parsed(code: string): Program {
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

function constantsOf({ body }: Program): VariableDeclarator[] {
  return body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declaration.declarations : [];
  });
}

function isMade({ type }: Expression): boolean {
  return type !== 'Literal' && type !== 'Identifier' && type !== 'ArrowFunctionExpression';
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param replacements in their order, none within another. */
function replaced(code: string, replacements: readonly Replacement[]): string {
  let from = 0;
  const parts = replacements.flatMap(({ start, end, text }) => {
    const before = code.slice(from, start);
    from = end;
    return [before, text];
  });
  return [...parts, code.slice(from)].join('');
}
