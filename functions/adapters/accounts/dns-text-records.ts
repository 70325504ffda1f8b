import { AuthRefused } from '../../accounts/domain/auth-refused.ts';
import type { TextRecords } from '../../accounts/domain/manage-identity-provider.ts';

/** The name, or the record, does not exist. */
const NONE: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/** Asks the name servers of this machine. */
export const dnsTextRecords: TextRecords = {
  async at(name) {
    try {
      const records = await process.getBuiltinModule('node:dns').promises.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      if (error instanceof Error && 'code' in error && NONE.includes(error.code)) return [];
      throw new AuthRefused('sso_provider_unavailable', `The name servers of ${name} do not answer. Try again later.`);
    }
  },
};
