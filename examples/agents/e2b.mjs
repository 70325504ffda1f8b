/**
 * The calls of E2B's code interpreter over kept sessions: in place of `import { Sandbox } from '@e2b/code-interpreter'`, write
 * `import { Sandbox } from './e2b.mjs'` and give `Sandbox.create` the address and the key of the service. No dependencies.
 */
import { randomUUID } from 'node:crypto';

/** Where E2B's programs start; here it is the directory of the session. */
const HOME = '/home/user/';

export class Sandbox {
  /** @param timeoutMs of each call, up to five minutes */
  static async create({ baseUrl = 'http://127.0.0.1:3000', apiKey = process.env.KEY, timeoutMs = 30_000 } = {}) {
    return new Sandbox(baseUrl, apiKey, timeoutMs);
  }

  constructor(baseUrl, apiKey, timeoutMs) {
    this.sandboxId = `e2b-${randomUUID()}`;
    this.baseUrl = baseUrl;
    this.headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    this.timeoutMs = timeoutMs;
    this.files = { write: (path, data) => this.#write(path, data), read: (path, options) => this.#read(path, options) };
  }

  /** Runs code in the state that earlier calls have left. @returns `{ text, results, logs: { stdout, stderr }, error }` */
  async runCode(code, { language = 'python', envs, timeoutMs = this.timeoutMs, onStdout, onStderr } = {}) {
    const { result, failure } = await this.#execute({ code, language, environment: envs, files: [] }, timeoutMs);
    const { stdout = '', stderr = '', value, value_html, files = [] } = result;
    if (stdout) onStdout?.(stdout);
    if (stderr) onStderr?.(stderr);
    const pictures = files
      .filter((file) => file.media_type === 'image/png' && file.content_base64 !== undefined)
      .map((file) => ({ png: file.content_base64 }));
    const shown = value === undefined ? [] : [{ text: value, html: value_html, isMainResult: true }];
    return {
      text: value,
      results: [...shown, ...pictures],
      logs: { stdout: stdout ? [stdout] : [], stderr: stderr ? [stderr] : [] },
      error: failure ?? (result.exit_code === 0 ? undefined : errorOf(stderr, result.exit_code)),
    };
  }

  /** Ends the session. */
  async kill() {
    const url = `${this.baseUrl}/api/v1/sessions/${this.sandboxId}`;
    return (await fetch(url, { method: 'DELETE', headers: this.headers })).ok;
  }

  async #write(path, data) {
    const content_base64 = Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('base64');
    await this.#require({ code: 'None', files: [{ path: relative(path), content_base64 }] });
    return { path, name: path.split('/').at(-1), type: 'file' };
  }

  async #read(path, { format = 'text' } = {}) {
    const name = `read-${randomUUID()}`;
    // Only what is new below out/ comes back.
    const copy = `__import__("shutil").copyfile(${JSON.stringify(relative(path))}, "out/${name}")`;
    const { files } = await this.#require({ code: copy, files: [] });
    const file = files.find((each) => each.path === name);
    const bytes = file.url
      ? Buffer.from(await (await fetch(file.url)).arrayBuffer())
      : Buffer.from(file.content_base64, 'base64');
    await this.#require({ code: `__import__("os").remove("out/${name}")` });
    return format === 'bytes' ? new Uint8Array(bytes) : bytes.toString('utf8');
  }

  async #require(program) {
    const { result, failure } = await this.#execute({ language: 'python', ...program }, this.timeoutMs);
    const error = failure ?? (result.exit_code === 0 ? undefined : errorOf(result.stderr, result.exit_code));
    if (error !== undefined) throw new Error(`${error.name}: ${error.value}`);
    return result;
  }

  async #execute(program, timeoutMs) {
    const timeout = Math.min(300, Math.max(1, Math.ceil(timeoutMs / 1000)));
    const body = { ...program, timeout, session_id: this.sandboxId, session: { keep: true } };
    const init = { method: 'POST', headers: this.headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.baseUrl}/api/v1/execute`, init);
    const result = await response.json();
    if (response.ok) return { result };
    // A program that is no program, or that has run out of time, is an error of the code; others are the caller's.
    const [, name, value] = /^(Invalid code syntax|Execution failed): ([\s\S]*)$/.exec(result.detail ?? '') ?? [];
    if (name === undefined) throw new Error(result.detail ?? result.message ?? `The service answered ${response.status}.`);
    const isSyntax = name === 'Invalid code syntax';
    return { result, failure: { name: isSyntax ? 'SyntaxError' : 'TimeoutError', value, traceback: result.stderr ?? value } };
  }
}

function relative(path) {
  return path.startsWith(HOME) ? path.slice(HOME.length) : path.replace(/^\/+/, '');
}

/** Of the last line of a traceback: `ValueError: no`. */
function errorOf(stderr, exitCode) {
  const last = stderr.trimEnd().split('\n').findLast((line) => /^(?:Uncaught )?[A-Za-z_][\w.]*(?:: |$)/.test(line)) ?? '';
  const [name, ...value] = last.split(': ');
  return { name: name || 'Error', value: value.join(': ') || `exit code ${exitCode}`, traceback: stderr };
}
