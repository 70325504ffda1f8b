import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate of its own signing for one host name, as a test server needs it. No key is kept anywhere. */
export function selfSigned(host: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = sequence(
    tagged(0x31, sequence(Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from(host)))),
  );
  const altName = sequence(Buffer.from('0603551d11', 'hex'), tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))));
  const day = 86_400_000;
  const content = sequence(
    tagged(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ecdsaWithSha256,
    commonName,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(altName)),
  );
  const signature = sign('sha256', content, privateKey);
  const der = sequence(content, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function time(epochMs: number): Buffer {
  const text = new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${text}Z`));
}
