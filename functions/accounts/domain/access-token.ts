/** The claims of an access token. The role is read with each request, so that a change of it needs no new token. */
export interface AccessClaims {
  readonly userId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
}

/** Signs access tokens. */
export interface AccessTokenSigner {
  /** @param expiresAtMs rounded down to the second. */
  sign(claims: AccessClaims, issuedAtMs: number, expiresAtMs: number): Promise<string>;
}

/** Verifies access tokens by the published keys. */
export interface AccessTokenVerifier {
  /** @returns null for one that is malformed, expired, tampered with, or signed by an unknown key. */
  verify(token: string): Promise<AccessClaims | null>;
}
