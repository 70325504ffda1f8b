import * as z from 'zod';
import { UUID } from '../uuid.ts';

/** @param what is named: a UUID of any case, as ids are written in small letters. */
export const uuidField = (what: string) =>
  z.string().regex(UUID, 'must be a UUID, such as 0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b').toLowerCase().describe(what);
