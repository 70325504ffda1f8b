import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resources } from '../../../functions/sandbox/domain/run.ts';
import { linkNodeModules, packagesOf } from '../packages.ts';
import { KEPT_JAVASCRIPT } from './kept-javascript.ts';
import { COMMON, type Command, type Finder, type FindOptions } from './language.ts';

/** Node reserves address space for its heap, its code and every one of its threads. */
const NODE_RESERVED_MB = 640;

const heapOption = (memoryMb: number) => `--max-old-space-size=${Math.floor(memoryMb * 0.75)}`;

/** The Node that this is. The launcher opens it, so that it may lie where only the runner can reach. */
function node(
  name: 'javascript' | 'typescript',
  file: string,
  check: readonly string[],
  options: readonly string[],
  { packages: root, directory }: FindOptions,
): Finder {
  return {
    name,
    hint: 'install Node.js',
    async find() {
      const program = await realpath(process.execPath);
      const packages = await packagesOf(root, 'javascript');
      const run = ({ memoryMb }: Resources, main: string): Command => [program, heapOption(memoryMb), ...options, main];
      return {
        ...COMMON,
        name,
        version: process.versions.node,
        file,
        readable: [program, ...(packages ? linkNodeModules(directory, packages) : [])],
        ...(packages && { packages: packages.installed, packagesFolder: join(packages.folder, 'node_modules') }),
        environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
        reservedMb: NODE_RESERVED_MB,
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
const QUIET = '--disable-warning=ExperimentalWarning';

/** Loads what strips types before there is a program, which then need not wait for it. */
const LOAD_TYPESCRIPT = `--import=data:text/javascript,${[
  'import{isMainThread}from"node:worker_threads"',
  'import{stripTypeScriptTypes}from"node:module"',
  'isMainThread&&stripTypeScriptTypes("",{mode:"transform"})',
].join(';')}`;

export const typescript = (options: FindOptions) =>
  node(
    'typescript',
    'main.ts',
    [QUIET, '--experimental-vm-modules', '--eval', CHECK_TYPESCRIPT, '--'],
    ['--experimental-transform-types', QUIET, LOAD_TYPESCRIPT],
    options,
  );
