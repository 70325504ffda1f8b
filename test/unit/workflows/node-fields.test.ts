import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { nodeOf } from '../../../bin/documents/workflow-nodes/node-pages.ts';
import { NODE_TEXTS } from '../../../bin/documents/workflow-nodes/node-texts.ts';
import { objectSchema } from '../../../functions/workflows/domain/graph/field-schema.ts';
import { checkFields, type Field, type Fields } from '../../../functions/workflows/domain/graph/fields.ts';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { nodeSeconds } from '../../../functions/workflows/domain/graph/node-seconds.ts';
import { handlesOf, NODE_KINDS, NODE_TYPES } from '../../../functions/workflows/domain/graph/node-types.ts';
import { nodeIssues } from '../../../functions/workflows/domain/graph/rules/nodes.ts';

/** All members with their paths, those of members included. */
function membersOf(fields: Fields, path: string): readonly (readonly [path: string, field: Field])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    return [[at, field] as const, ...membersBelow(field, at)];
  });
}

function membersBelow(field: Field, path: string): readonly (readonly [string, Field])[] {
  if (field.kind === 'object') return membersOf(field.fields, path);
  return field.kind === 'list' || field.kind === 'record' ? membersBelow(field.of, path) : [];
}

it('every member of every configuration has a description in sentences', () => {
  const members = NODE_TYPES.flatMap((type) => membersOf(NODE_KINDS[type].config, type));
  expect(members.length).toBeGreaterThan(100);
  expect(members.filter(([, { description = '' }]) => !/^[A-Z`].{6,}\.$/s.test(description)).map(([at]) => at)).toEqual(
    [],
  );
});

it('a default is a value that the member may have', () => {
  const members = NODE_TYPES.flatMap((type) => membersOf(NODE_KINDS[type].config, type));
  const wrong = members
    .filter(([, { byDefault }]) => byDefault !== undefined)
    .flatMap(([at, field]) => checkFields({ value: field.byDefault! }, { value: field }, at).issues);
  expect(wrong).toEqual([]);
});

it('docs/workflows/nodes has pages of node types alone', async () => {
  const files = await readdir(new URL('../../../docs/workflows/nodes/', import.meta.url));
  expect(files.toSorted()).toEqual(['README.md', ...NODE_TYPES.map((type) => `${type}.md`)].toSorted());
});

describe.each(NODE_TYPES)('the page of %s', (type) => {
  const { example, outputs, handles } = NODE_TEXTS[type];
  const node = nodeOf(type, example);
  const { config } = NODE_KINDS[type];

  it('has an example that can be published, and that the schema takes', () => {
    expect(nodeIssues(node)).toEqual([]);
    expect(z.fromJSONSchema(objectSchema(config)).safeParse(node.config).error).toBeUndefined();
  });

  it('has a schema that refuses what validation refuses', () => {
    const schema = z.fromJSONSchema(objectSchema(config));
    const changed = [
      { ...node.config, no_member: 1 },
      ...Object.keys(config).flatMap((name) =>
        [{}, [], 'x', -1, true].map((value) => ({ ...node.config, [name]: value })),
      ),
      ...Object.keys(node.config).map((name) =>
        Object.fromEntries(Object.entries(node.config).filter(([key]) => key !== name)),
      ),
    ] as readonly JsonObject[];
    const isRefused = (given: JsonObject) => checkFields(given, config, 'config').issues.length > 0;
    const differing = changed.filter((given) => isRefused(given) === schema.safeParse(given).success);
    expect(differing).toEqual([]);
  });

  it('describes the outputs, or the place in the configuration that names them', () => {
    const fixed = Object.keys(NODE_KINDS[type].outputs(nodeOf(type, { config: {} })));
    expect(
      Object.keys(outputs)
        .filter((name) => !name.startsWith('<'))
        .toSorted(),
    ).toEqual(expect.arrayContaining(fixed));
    const named = Object.keys(NODE_KINDS[type].outputs(node)).filter((name) => !(name in outputs));
    expect(named.length === 0 || Object.keys(outputs).some((name) => name.startsWith('<'))).toBe(true);
  });

  it('describes the handles, or the place in the configuration that names them', () => {
    const { optionalHandle } = NODE_KINDS[type];
    const named = [...handlesOf(node), ...(optionalHandle === undefined ? [] : [optionalHandle])];
    const unknown = named.filter((name) => !(name in handles));
    expect(unknown.length === 0 || Object.keys(handles).some((name) => name.startsWith('<'))).toBe(true);
  });

  it('names the time that the node takes by default', () => {
    const { timeout_seconds: field } = config;
    if (field) expect(nodeSeconds(nodeOf(type, { config: {} }))).toBe(field.byDefault);
  });
});
