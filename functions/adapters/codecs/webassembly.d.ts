/** The used part of WebAssembly's types. Node's types leave them to the DOM library, which would bring in all its types. */
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  type Imports = Record<string, ModuleImports>;
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class RuntimeError extends Error {}
  function compile(program: Uint8Array): Promise<Module>;
}
