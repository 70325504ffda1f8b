import { randomBytes } from 'node:crypto';
import { webModelAddresses } from '../../adapters/web/web-model-addresses.ts';
import { secretBox } from '../../secret-box.ts';
import { environment } from '../../shared/environment.ts';
import type { CreateBasePorts } from '../domain/manage-knowledge.ts';
import { bases, clock } from './wiring.ts';

export function createBasePorts(): CreateBasePorts {
  const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
  const addresses = webModelAddresses({ allowLoopback: TRIPOD_LOCAL });
  return { bases: bases(), clock, random: randomBytes, secrets: secretBox(), addresses };
}
