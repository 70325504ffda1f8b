import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MASTER_FILE } from '../functions/adapters/drug-master/file-drug-master.ts';
import { FUNCTION_NAME_PREFIX } from '../gateway/lambda-context.ts';
import { runningVersion } from '../lib/packaging/running-version.ts';
import type { LocalSettings } from './settings.ts';

/** Settings of a developer's own AWS account, which must not reach the embedded servers' clients. */
const foreign = [
  'AWS_PROFILE',
  'AWS_DEFAULT_PROFILE',
  'AWS_SESSION_TOKEN',
  'AWS_ENDPOINT_URL',
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
];

/** Folder of a data directory that mails go to. */
export const MAIL_FOLDER = 'mail';

/** File of a data directory that the key of access tokens is made from. */
const SIGNING_KEY_FILE = 'signing-key';

/** The functions' environment on one machine, without the part of the stores. */
export function localEnvironment({
  dataDirectory,
  debug,
  publicUrl,
}: Pick<LocalSettings, 'dataDirectory' | 'debug' | 'publicUrl'>) {
  return {
    // Behind a reverse proxy others than the developer use it.
    TRIPOD_LOCAL: publicUrl === undefined ? '1' : '0',
    MANY_AT_A_TIME: '1',
    READER: 'embedded',
    // Where other people's data is, programs run only if the operator says so.
    ...(publicUrl === undefined && { SANDBOX: 'embedded' }),
    FUNCTION_NAMES: FUNCTION_NAME_PREFIX,
    TOKEN_ISSUER: 'tripod-local',
    TOP_UPS: 'self',
    GUIDES_URL: '/guides',
    SIGNING_KEY_FILE: join(dataDirectory, SIGNING_KEY_FILE),
    MAIL_DIR: join(dataDirectory, MAIL_FOLDER),
    SECRETS_KEY_FILE: join(dataDirectory, 'secrets.key'),
    MAIL_FROM: process.env.MAIL_FROM ?? 'tripod@tripod.localhost',
    DRUG_MASTER: pathToFileURL(join(dataDirectory, MASTER_FILE)).href,
    DEBUG: debug ? '1' : '0',
    SERVICE_VERSION: runningVersion(),
    // Files that are not there: the SDK reads neither the user's credentials nor their region.
    AWS_CONFIG_FILE: join(dataDirectory, 'no-aws-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(dataDirectory, 'no-aws-credentials'),
  };
}

/** Makes `environment` this process's own, for the functions it will run. */
export function applyEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of foreign) delete process.env[name];
  Object.assign(process.env, environment);
}
