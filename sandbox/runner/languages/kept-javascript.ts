/**
 * As kept-python.ts. `--expose-internals` gives it what no public module of Node has; programs, their threads and children find none of it.
 * A call ends when nothing is left for it to do, as a program does. Node's own parser and its transformation for
 * top-level await, the one of its REPL, make scripts of static imports and of `await`, so that what they declare stays.
 */
export const KEPT_JAVASCRIPT = String.raw`{
const fs = require('node:fs'), vm = require('node:vm'), path = require('node:path'), { createRequire } = require('node:module');
const { inspect } = require('node:util');
const { timerListMap } = require('internal/timers');
const { parse } = require('internal/deps/acorn/acorn/dist/acorn'), { processTopLevelAwait } = require('internal/repl/await');
const { registerHooks, syncBuiltinESMExports } = require('node:module');
{
  const isInternal = (name) => /^(?:node:)?internal\//.test(name);
  registerHooks({
    resolve(name, context, next) {
      if (isInternal(name)) throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
      return next(name, context);
    },
  });
  const { getBuiltinModule } = process, threads = require('node:worker_threads');
  process.getBuiltinModule = (name) => (isInternal(String(name)) ? undefined : getBuiltinModule(name));
  process.execArgv = [];
  const { Worker: Thread } = threads;
  threads.Worker = class Worker extends Thread { constructor(file, options) { super(file, { execArgv: [], ...options }); } };
  syncBuiltinESMExports();
}
const control = fs.openSync('.session', 'r');
fs.unlinkSync('.session');
globalThis.require = createRequire(process.cwd() + '/main.js');
process.argv = [process.argv[0], 'main.js'];
const home = process.cwd();
let number = 0, message = null, limit = null, restore = () => undefined, result = null, rest = Buffer.alloc(0);
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
const enter = () => {
  // The program may have gone elsewhere; what it writes to out/ there is collected as well.
  let place = '';
  try { place = fs.realpathSync(process.cwd()) + '/'; } catch {}
  if (!place.startsWith(home + '/')) process.chdir(home);
  const out = home + '/out';
  fs.mkdirSync(out, { recursive: true });
  if (!fs.lstatSync('out', { throwIfNoEntry: false }) && !place.startsWith(out + '/')) fs.symlinkSync(out, 'out');
};
const place = (files) => {
  for (const file of files) {
    fs.mkdirSync(path.dirname(file.path), { recursive: true });
    fs.writeFileSync(file.path, file.content);
  }
};
const dynamic = (node, code) => {
  const source = code.slice(node.source.start, node.source.end);
  const options = (node.attributes ?? []).map(({ key, value }) => (key.name ?? key.raw) + ': ' + value.raw).join(', ');
  const loaded = 'await import(' + source + (options ? ', { with: { ' + options + ' } }' : '') + ')';
  const named = node.specifiers.filter(({ type }) => type !== 'ImportNamespaceSpecifier').map(({ imported, local }) =>
    (imported ? imported.name ?? imported.raw : 'default') + ': ' + local.name);
  const whole = node.specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier');
  const made = [
    ...(whole ? ['const ' + whole.local.name + ' = ' + loaded + ';'] : []),
    ...(named.length > 0 ? ['const { ' + named.join(', ') + ' } = ' + loaded + ';'] : []),
  ].join(' ') || loaded + ';';
  return made + '\n'.repeat(code.slice(node.start, node.end).split('\n').length - 1);
};
const withoutImports = (code) => {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true };
  const imports = parse(code, options).body.filter(({ type }) => type === 'ImportDeclaration');
  return imports.reduceRight((rest, node) => rest.slice(0, node.start) + dynamic(node, rest) + rest.slice(node.end), code);
};
const compile = (code, filename) => {
  const options = { filename, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  try { return { script: new vm.Script(code, options), isAsync: false }; } catch (error) {
    if (!(error instanceof SyntaxError) || !/\b(await|import)\b/.test(code)) throw error;
    let text = null;
    try { text = processTopLevelAwait(withoutImports(code)); } catch {}
    if (text === null) throw error;
    return { script: new vm.Script(text, options), isAsync: true };
  }
};
const use = (environment) => {
  const before = Object.keys(environment).map((name) => [name, process.env[name]]);
  Object.assign(process.env, environment);
  return () => {
    for (const [name, value] of before) {
      if (process.env[name] !== environment[name]) continue;
      if (value === undefined) delete process.env[name]; else process.env[name] = value;
    }
  };
};
// What still waits would hold later calls up.
const giveUp = () => {
  result.timedOut = true;
  write(2, 'The time of this call is over\n');
  for (const list of Object.values(timerListMap))
    for (let timer = list._idlePrev; timer && timer !== list; timer = list._idlePrev) clearTimeout(timer);
  for (const handle of process._getActiveHandles()) handle.unref?.();
};
const run = async () => {
  let compiled;
  enter();
  if (message.files !== null) place(message.files);
  message.files = null;
  try { compiled = compile(message.code, number === 1 ? 'main.js' : 'main-' + number + '.js'); } catch (error) {
    result.invalid = String(error.stack).split('\n    at ')[0].slice(0, 4000);
    return;
  }
  const { script, isAsync } = compiled;
  let value;
  try { value = await script.runInThisContext({ timeout: Math.ceil(message.timeoutSeconds * 1000) }); } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') result.timedOut = true;
    throw error;
  }
  if (isAsync) value = value?.value;
  if (value !== undefined) result.value = inspect(value).slice(0, 65536);
};
process.on('uncaughtException', show);
process.on('beforeExit', () => {
  if (message !== null) {
    restore();
    write(2, '\0' + message.mark + ':\0');
    write(1, '\0' + message.mark + ':' + JSON.stringify(result) + '\0');
  }
  clearTimeout(limit);
  message = next();
  number += 1;
  result = { exitCode: 0 };
  limit = setTimeout(giveUp, Math.ceil(message.timeoutSeconds * 1000)).unref();
  restore = use(message.environment);
  setImmediate(() => run().catch(show));
});
}`;
