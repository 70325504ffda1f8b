import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { routes as allRoutes } from '../../functions/routes.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { type TripodApp, tripodApp } from '../../lib/tripod-app.ts';

export interface Synthesized extends TripodApp {
  readonly dataTemplate: Template;
  readonly serviceTemplate: Template;
}

/**
 * The app as `cdk synth` makes it, but for the functions' code: its asset is an empty folder. Synthesis fails on a finding
 * of cdk-nag that nobody acknowledged.
 */
export function synthesize(
  context: Readonly<Record<string, unknown>> = {},
  routes: readonly Route[] = allRoutes,
): Synthesized {
  const temporary = mkdtempSync(join(tmpdir(), 'tripod-stack-'));
  try {
    const made = tripodApp({
      routes,
      functionsAsset: mkdtempSync(join(temporary, 'functions-')),
      version: '1.2.3',
      context: {
        // The first as the command line sets it, the second for speed.
        'aws:cdk:enable-asset-metadata': true,
        'aws:cdk:disable-stack-trace': true,
        mailFrom: 'alerts@tripod.example',
        ...context,
      },
      treeMetadata: false,
      outdir: join(temporary, 'cdk.out'),
    });
    made.app.synth();
    return { ...made, dataTemplate: Template.fromStack(made.data), serviceTemplate: Template.fromStack(made.service) };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export function resourcesOf(template: Template, type: string): Readonly<Record<string, Resource>> {
  return template.findResources(type) as Record<string, Resource>;
}
