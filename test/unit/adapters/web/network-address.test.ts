import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../../functions/adapters/web/network-address.ts';

describe('reachOf', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '2001:4860:4860::8888'])(
    '%s is public',
    (address) => expect(reachOf(address)).toBe('public'),
  );

  it.each(['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1'])('%s is this machine', (address) =>
    expect(reachOf(address)).toBe('loopback'),
  );

  it.each([
    ['private', '10.1.2.3'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['metadata of ECS tasks', '169.254.170.2'],
    ['metadata by IPv6', 'fd00:ec2::254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['broadcast', '255.255.255.255'],
    ['multicast', '224.0.0.1'],
    ['documentation', '203.0.113.5'],
    ['benchmarks', '198.18.0.1'],
    ['reserved', '240.0.0.1'],
    ['unspecified', '::'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['multicast', 'ff02::1'],
    ['mapped IPv4, loopback', '::ffff:127.0.0.1'],
    ['mapped IPv4 in hex', '::ffff:a00:1'],
    ['mapped IPv4, public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::a00:1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 around 10.0.0.1', '2002:a00:1::'],
    ['Teredo', '2001:0:a00:1::'],
    ['documentation', '2001:db8::1'],
    ['decimal', '2130706433'],
    ['hex', '0x7f.0.0.1'],
    ['octal', '0177.0.0.1'],
    ['short', '127.1'],
    ['no address', 'localhost'],
    ['empty', ''],
  ])('%s: %s is neither', (_, address) => expect(reachOf(address)).toBe('other'));

  it('never takes an IPv6 form that carries a private IPv4 address for public', () => {
    const privateIpv4 = fc.oneof(
      fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    );
    const forms = fc.constantFrom<(hex: string) => string>(
      (hex) => `::ffff:${hex}`,
      (hex) => `::${hex}`,
      (hex) => `64:ff9b::${hex}`,
      (hex) => `64:ff9b:1::${hex}`,
      (hex) => `2002:${hex}::1`,
      (hex) => `::ffff:0:${hex}`,
    );
    fc.assert(
      fc.property(privateIpv4, forms, ([a, b, c, d], form) => {
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        expect(reachOf(form(hex))).not.toBe('public');
        expect(reachOf(`${a}.${b}.${c}.${d}`)).not.toBe('public');
      }),
    );
  });
});
