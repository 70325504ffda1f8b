/** Loaded into every process of a service by `NODE_OPTIONS=--import=…`: writes each connection and look-up into the file OUTGOING. */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Socket } = require('node:net');
const dgram = require('node:dgram');
const dns = require('node:dns');

const note = (line) => appendFileSync(process.env.OUTGOING, `${line}\n`);

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  // Node's own callers pass their arguments in one array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const { host, port, path } = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  if (path === undefined || path === null) note(`tcp ${host ?? 'localhost'}:${port}`);
  return connect.apply(this, args);
};
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const original = dns[name];
  dns[name] = (host, ...rest) => {
    note(`dns ${host}`);
    return original(host, ...rest);
  };
}
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
  note(`udp ${args.join(' ').slice(0, 80)}`);
  return send.apply(this, args);
};
