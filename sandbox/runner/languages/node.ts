import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resources } from '../../../functions/sandbox/domain/run.ts';
import { linkNodeModules, packagesOf } from '../packages.ts';
import { KEPT_JAVASCRIPT } from './kept-javascript.ts';
import { COMMON, type Command, type Finder, type FindOptions } from './language.ts';

/** Address space that Node reserves for heap and code, and again for each thread of `node:worker_threads`. */
const NODE_RESERVED_MB = 640;
const WORKER_RESERVED_MB = 544;
const MAX_WORKERS = 8;

const heapOption = (memoryMb: number) => `--max-old-space-size=${Math.floor(memoryMb * 0.75)}`;

/** The Node that this is. The launcher opens it, so that it may be where only the runner can reach. */
function node(
  name: 'javascript' | 'typescript',
  file: string,
  check: readonly string[],
  options: readonly string[],
  { packages: root, directory }: FindOptions,
  loader?: (directory: string) => string,
): Finder {
  return {
    name,
    hint: 'install Node.js',
    async find() {
      const program = await realpath(process.execPath);
      const packages = await packagesOf(root, 'javascript');
      const loaded = loader === undefined ? [] : [loader(directory)];
      const run = ({ memoryMb }: Resources, main: string): Command => [
        program,
        heapOption(memoryMb),
        ...options,
        ...loaded.flatMap((path) => ['--require', path]),
        main,
      ];
      return {
        ...COMMON,
        name,
        version: process.versions.node,
        file,
        readable: [program, ...loaded, ...(packages ? linkNodeModules(directory, packages) : [])],
        ...(packages && { packages: packages.installed, packagesFolder: join(packages.folder, 'node_modules') }),
        environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
        reservedMb: NODE_RESERVED_MB + MAX_WORKERS * WORKER_RESERVED_MB,
        run,
        prestart: { command: (resources) => run(resources, file) },
        ...(name === 'javascript' && {
          keep: ({ memoryMb }: Resources): Command => [
            program,
            heapOption(memoryMb),
            '--expose-internals',
            QUIET,
            '-e',
            KEPT_JAVASCRIPT,
          ],
        }),
        afterFailure: { check: (main) => [program, ...check, main], words: ['SyntaxError', '_TYPESCRIPT_SYNTAX'] },
      };
    },
  };
}

export const javascript = (options: FindOptions) => node('javascript', 'main.js', ['--check'], [], options);

/** A check in two steps: stripping the types overlooks errors such as a name that is declared twice, and compiling the rest finds them. */
const CHECK_TYPESCRIPT = `
const vm = require("node:vm"), [, file] = process.argv;
const code = require("node:module").stripTypeScriptTypes(require("node:fs").readFileSync(file, "utf8"), { mode: "transform" });
try { vm.compileFunction(code, ["exports", "require", "module", "__filename", "__dirname"]); }
catch { new vm.SourceTextModule(code, { identifier: file }); }`;
/** In the directory that all programs have theirs in. */
const TYPESCRIPT_LOADER = 'load-typescript.cjs';

const QUIET = '--disable-warning=ExperimentalWarning';

/**
 * Loads what strips types before there is a program, which then need not wait for it. After `--import` Node would name wrong lines in stacks.
 */
const LOAD_TYPESCRIPT = `process.execArgv.splice(process.execArgv.indexOf("--require"), 2);
if (require("node:worker_threads").isMainThread)
  require("node:module").stripTypeScriptTypes("", { mode: "transform" });`;

/** @returns the path of a file next to the programs, which can read it */
function typescriptLoader(directory: string): string {
  const path = join(directory, TYPESCRIPT_LOADER);
  if (!existsSync(path)) {
    writeFileSync(path, LOAD_TYPESCRIPT);
    chmodSync(path, 0o444);
  }
  return path;
}

export const typescript = (options: FindOptions) =>
  node(
    'typescript',
    'main.ts',
    [QUIET, '--experimental-vm-modules', '--eval', CHECK_TYPESCRIPT, '--'],
    ['--experimental-transform-types', QUIET],
    options,
    typescriptLoader,
  );
