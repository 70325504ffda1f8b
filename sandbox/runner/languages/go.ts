import { dirname } from 'node:path';
import { executable } from '../executables.ts';
import { goToolchain } from './go-toolchain.ts';
import { COMMON, type Finder, type FindOptions } from './language.ts';

export function go(options: FindOptions): Finder {
  return {
    name: 'go',
    hint: 'apt-get install golang-go, or https://go.dev/doc/install',
    async find() {
      const program = await executable(['go'], options);
      if (program === null) return null;
      const toolchain = await goToolchain(program, options.goCache);
      return {
        ...COMMON,
        name: 'go',
        version: toolchain.version,
        file: 'main.go',
        readable: toolchain.readable,
        preparation: toolchain.library,
        environment: { GOROOT: toolchain.root },
        explain: explainImports,
        // The compiler maps the export data of the standard library.
        reservedMb: 256,
        run: () => ['./main'],
        preparing: (main, others) => [
          [
            toolchain.compile,
            ...['-o', 'main.o', '-p', 'main', '-complete', '-importcfg', toolchain.importMap, main],
            ...others.filter((path) => isOfPackage(path, main)),
          ],
          [toolchain.link, '-o', 'main', '-s', '-w', '-importcfg', toolchain.importMap, 'main.o'],
        ],
      };
    },
  };
}

/** Whether Go takes a file for a part of the package that `main` is in. */
function isOfPackage(path: string, main: string): boolean {
  return path.endsWith('.go') && !path.endsWith('_test.go') && path !== main && dirname(path) === dirname(main);
}

/** The compiler says where it has looked, which is of no use to who wrote the program. */
function explainImports(message: string): string {
  return message.replaceAll(
    /^(.{0,200}could not import [^ \n]{1,500}) \(.*\)$/gm,
    '$1 (there is the standard library of Go, and no other package)',
  );
}
