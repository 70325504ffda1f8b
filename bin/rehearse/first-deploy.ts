import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastRelease, unpackPreviousVersion } from '../../test/helpers/previous-version.ts';
import { EmulatedAccount } from './deployment.ts';
import { type Moto, startMoto } from './moto.ts';
import { type Templates, templatesOf } from './templates.ts';

/**
 * Deploys all stacks into an account that moto emulates: once into a new one, and over those of the first and of the last release.
 * @throws Error that names the stack or the resource with which it failed
 */
export async function rehearseDeployment(): Promise<void> {
  const moto = await startMoto();
  if (moto === null)
    return console.log("The deployment was not rehearsed: there is no moto_server here. pip install 'moto[server]'");
  const folder = mkdtempSync(join(tmpdir(), 'tripod-releases-'));
  try {
    const present = templatesOf(process.cwd());
    await moto.newAccount();
    const resources = await new EmulatedAccount(moto).create(present);
    console.log(`First deployment in moto: ${present.length} stacks, ${resources} resources.`);
    for (const commit of [undefined, lastRelease() ?? undefined]) {
      const version = join(folder, commit ?? 'first');
      const reason = unpackPreviousVersion(version, commit);
      if (reason === '') await upgrade(moto, version, present);
      else console.log(`An upgrade of stacks was not rehearsed. ${reason}`);
    }
  } catch (error) {
    console.log(moto.log());
    throw error;
  } finally {
    await moto.stop();
    rmSync(folder, { recursive: true });
  }
}

/** @param folder of a previous version */
async function upgrade(moto: Moto, folder: string, present: Templates): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const previous = templatesOf(folder);
  await moto.newAccount();
  const account = new EmulatedAccount(moto);
  await account.create(previous.map(([part, template]) => [part, withoutMissingStreams(template)]));
  const kept = await account.update(previous, present);
  console.log(`Upgrade in moto from ${version}: ${present.length} stacks, all ${kept} resources with data kept.`);
}

/** Versions up to 1.4.1 export the streams of tables that have none, which neither CloudFormation nor moto can deploy. */
function withoutMissingStreams(template: object): object {
  const { Resources, Outputs = {} } = template as {
    readonly Resources: Readonly<Record<string, { readonly Properties?: { readonly StreamSpecification?: object } }>>;
    readonly Outputs?: Readonly<Record<string, { readonly Value: { readonly 'Fn::GetAtt'?: readonly string[] } }>>;
  };
  const present = Object.entries(Outputs).filter(([, { Value }]) => {
    const [name = '', attribute] = Value['Fn::GetAtt'] ?? [];
    return attribute !== 'StreamArn' || Resources[name]?.Properties?.StreamSpecification !== undefined;
  });
  return { ...template, Outputs: Object.fromEntries(present) };
}
