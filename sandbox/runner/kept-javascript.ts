/** As kept-python.ts. A call ends when nothing is left for it to do, as a program does. */
export const KEPT_JAVASCRIPT = String.raw`{
const fs = require('node:fs'), vm = require('node:vm'), path = require('node:path'), { createRequire } = require('node:module');
const { inspect } = require('node:util');
const control = fs.openSync('.session', 'r');
fs.unlinkSync('.session');
globalThis.require = createRequire(process.cwd() + '/main.js');
process.argv = [process.argv[0], 'main.js'];
let number = 0, message = null, result = null, rest = Buffer.alloc(0);
const fill = () => {
  const chunk = Buffer.allocUnsafe(65536);
  const length = fs.readSync(control, chunk, 0, chunk.length, null);
  if (length === 0) process.reallyExit(0);
  rest = Buffer.concat([rest, chunk.subarray(0, length)]);
};
const take = (size) => {
  const chunks = [rest];
  let length = rest.length;
  while (length < size) {
    const chunk = Buffer.allocUnsafe(Math.min(1 << 20, size - length));
    const read = fs.readSync(control, chunk, 0, chunk.length, null);
    if (read === 0) process.reallyExit(0);
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  const all = Buffer.concat(chunks);
  rest = all.subarray(size);
  return all.subarray(0, size);
};
const next = () => {
  while (!rest.includes(10)) fill();
  const end = rest.indexOf(10), size = Number(rest.subarray(0, end).toString());
  rest = rest.subarray(end + 1);
  const sent = JSON.parse(take(size).toString());
  for (const file of sent.files ?? []) file.content = take(file.size);
  return sent;
};
const write = (fd, text) => {
  let bytes = Buffer.from(text);
  while (bytes.length > 0)
    try { bytes = bytes.subarray(fs.writeSync(fd, bytes)); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
};
const show = (error) => {
  result.exitCode = 1;
  const stack = error instanceof Error && error.stack ? error.stack : 'Uncaught ' + inspect(error);
  const own = stack.split('\n');
  const ours = own.findIndex((line) => line.includes('[eval]') || line.includes('node:vm') || line.includes('evalmachine'));
  write(2, (ours === -1 ? own : own.slice(0, ours)).join('\n') + '\n');
};
const place = (files) => {
  fs.mkdirSync('out', { recursive: true });
  for (const file of files) {
    fs.mkdirSync(path.dirname(file.path), { recursive: true });
    fs.writeFileSync(file.path, file.content);
  }
};
const compile = (code, filename) => {
  const options = { filename, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  try { return new vm.Script(code, options); } catch (error) {
    if (!(error instanceof SyntaxError) || !/\bawait\b/.test(code)) throw error;
    try { return new vm.Script('(async () => {' + code + '\n})()', options); } catch { throw error; }
  }
};
const run = async () => {
  let script;
  if (message.files !== null) place(message.files);
  message.files = null;
  try { script = compile(message.code, number === 1 ? 'main.js' : 'main-' + number + '.js'); } catch (error) {
    result.invalid = String(error.stack).split('\n    at ')[0].slice(0, 4000);
    return;
  }
  const value = await script.runInThisContext();
  if (value !== undefined) result.value = inspect(value).slice(0, 65536);
};
process.on('uncaughtException', show);
process.on('beforeExit', () => {
  if (message !== null) {
    write(2, '\0' + message.mark + ':\0');
    write(1, '\0' + message.mark + ':' + JSON.stringify(result) + '\0');
  }
  message = next();
  number += 1;
  result = { exitCode: 0 };
  Object.assign(process.env, message.environment);
  setImmediate(() => run().catch(show));
});
}`;
