import { randomBytes } from 'node:crypto';
import { webModelAddresses } from '../../adapters/web/web-model-addresses.ts';
import type { CreateBasePorts } from '../../knowledge/domain/manage-knowledge.ts';
import { environment } from '../../shared/environment.ts';
import { secretBox } from '../shared/secret-box.ts';
import { bases, clock } from './bases.ts';

export function createBasePorts(): CreateBasePorts {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  const addresses = webModelAddresses({ allowLoopback: TRIPOD_LOCAL });
  return { bases: bases(), clock, random: randomBytes, secrets: secretBox(), addresses };
}
