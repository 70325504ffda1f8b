import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { routes as allRoutes } from '../../functions/routes.ts';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { workers } from '../../functions/workers.ts';
import { type TripodApp, type TripodAppProps, tripodApp } from '../../lib/tripod-app.ts';

/** The last part of a stack's name. */
export type Part =
  | 'data'
  | 'operations'
  | 'accounts'
  | 'extraction'
  | 'sandbox'
  | 'system'
  | 'chat'
  | 'knowledge'
  | 'mcp'
  | 'workflows'
  | 'channels'
  | 'api'
  | 'console';

export interface Synthesized extends TripodApp {
  readonly templates: ReadonlyMap<Part, Template>;
  template(part: Part): Template;
}

const made = new Map<string, { readonly stack: Synthesized; readonly isChecked: boolean }>();

/**
 * The app as `cdk synth` makes it, but for the functions' code: their assets are empty folders. With `isChecked`, synthesis
 * fails on a finding of cdk-nag that is not acknowledged and on a template that CloudFormation would refuse, and takes more than twice
 * the time. The same app is made once a process, for all test files of it.
 */
export function synthesize(
  context: Readonly<Record<string, unknown>> = {},
  routes: readonly Route[] = allRoutes,
  more: Pick<TripodAppProps, 'targetRegion' | 'isChecked'> = {},
): Synthesized {
  if (routes !== allRoutes) return synthesizeAnew(context, routes, more);
  const { targetRegion, isChecked = false } = more;
  const variant = JSON.stringify([context, targetRegion]);
  const known = made.get(variant);
  if (known && (known.isChecked || !isChecked)) return known.stack;
  const stack = synthesizeAnew(context, routes, more);
  made.set(variant, { stack, isChecked });
  return stack;
}

function synthesizeAnew(
  context: Readonly<Record<string, unknown>>,
  routes: readonly Route[],
  more: Pick<TripodAppProps, 'targetRegion' | 'isChecked'>,
): Synthesized {
  const temporary = mkdtempSync(join(tmpdir(), 'tripod-stack-'));
  try {
    const tripod = tripodApp({ ...appProps(temporary, context, routes), isChecked: false, ...more });
    tripod.app.synth();
    const stacks = [
      tripod.data,
      tripod.operations,
      ...tripod.services,
      tripod.api,
      ...(tripod.console ? [tripod.console] : []),
    ];
    const templates = new Map(
      stacks.map((stack) => [stack.stackName.split('-').at(-1) as Part, Template.fromStack(stack)]),
    );
    return { ...tripod, templates, template: (part) => templates.get(part)! };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** @returns the folder */
function emptyAssets(folder: string, functions: readonly Pick<Route, 'id'>[]): string {
  for (const entry of functions) mkdirSync(join(folder, handlerModule(entry)), { recursive: true });
  return folder;
}

/** @returns the folder */
function emptyConsole(folder: string): string {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  return folder;
}

/** Properties of an app whose output goes to a temporary folder, with the context of cdk.json, as the command line reads it. */
export function appProps(
  temporary: string,
  context: Readonly<Record<string, unknown>>,
  routes: readonly Route[] = allRoutes,
): TripodAppProps {
  return {
    routes,
    functionAssets: emptyAssets(join(temporary, 'functions'), [...routes, ...workers]),
    consoleAssets: emptyConsole(join(temporary, 'console')),
    version: '1.2.3',
    context: {
      ...cdkJson.context,
      // The first as the command line sets it, the second for speed.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:disable-stack-trace': true,
      mailFrom: 'alerts@tripod.example',
      alarmEmail: 'ops@tripod.example',
      ...context,
    },
    treeMetadata: false,
    outdir: join(temporary, 'cdk.out'),
  };
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: readonly string[];
}

export function resourcesOf(template: Template, type: string): Readonly<Record<string, Resource>> {
  return template.findResources(type) as Record<string, Resource>;
}

/** All resources of a type, of every stack. */
export function allOf({ templates }: Pick<Synthesized, 'templates'>, type: string): readonly Resource[] {
  return [...templates.values()].flatMap((template) => Object.values(resourcesOf(template, type)));
}

export interface DeployedFunction {
  readonly part: Part;
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, unknown>>;
  /** Logical id and properties of its role. */
  readonly roleId: string;
  readonly role: Readonly<Record<string, unknown>>;
}

/** The function of a route or worker, in any stack. */
export function functionOf(
  { templates }: Pick<Synthesized, 'templates'>,
  entry: Pick<Route | Worker, 'id'>,
): DeployedFunction | undefined {
  for (const [part, template] of templates)
    for (const [id, { Properties }] of Object.entries(resourcesOf(template, 'AWS::Lambda::Function'))) {
      if (!String(Properties.FunctionName).endsWith(`-${entry.id.replaceAll('.', '-')}`)) continue;
      const roleId = (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];
      const role = resourcesOf(template, 'AWS::IAM::Role')[roleId]!.Properties;
      const environment = (Properties.Environment as { Variables: Record<string, unknown> }).Variables;
      return { part, id, properties: Properties, environment, roleId, role };
    }
  return undefined;
}
