/** Ed25519 (RFC 8037). The only algorithm: a token cannot choose another. */
export const ALGORITHM = 'EdDSA';
/** Type of an access token by RFC 9068: other signed texts of the house cannot pass for one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const AUDIENCE = 'tripod-api';
