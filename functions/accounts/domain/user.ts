import type { Role } from '../../shared/principal.ts';

/** A person with a role in one workspace: an e-mail address has one account. */
export interface User {
  readonly userId: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  /** Sessions that started under an earlier number are dead: a new password ends them all. */
  readonly sessionEpoch: number;
  readonly createdAt: string;
  /** Present while the address waits for its confirmation, where the deployment asks for one. */
  readonly awaitsConfirmation?: true;
  /** Present when logins need a code as well. */
  readonly secondFactor?: true;
}

/** The login credentials of an e-mail address. Stored separately from the user, which many functions may read. */
export interface LoginCredential {
  readonly email: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly passwordHash: string;
  /** Present until the address is proved: no access to such an account survives a reset. */
  readonly isUnconfirmed?: true;
}

export interface Users {
  /** Strongly consistent. */
  find(userId: string): Promise<User | null>;
  /** @param email in its normal form. */
  findCredential(email: string): Promise<LoginCredential | null>;
}

/** Addresses that differ in case, in surrounding blanks or in the composition of letters are the same person's. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
