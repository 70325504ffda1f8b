export type Cpu = 'arm64' | 'x64';

/** Packages with native code or WebAssembly: too large for every function's bundle, they come from the OCR layer. */
export const layerPackages = ['sharp', 'onnxruntime-node', '@hyzyla/pdfium'] as const;

/**
 * The layer's files of each package, as globs: those that `require` reaches on Linux and the licence, without types, sources and other
 * platforms.
 */
export function layerFiles(cpu: Cpu): Readonly<Record<string, readonly string[]>> {
  return {
    sharp: ['dist/*.cjs'],
    [`@img/sharp-linux-${cpu}`]: ['index.cjs', 'lib/*.node'],
    [`@img/sharp-libvips-linux-${cpu}`]: ['lib/index.js', 'lib/*.so*', 'versions.json', 'README.md'],
    '@img/colour': ['*.cjs'],
    'detect-libc': ['lib/*.js'],
    semver: ['**/*.js'],
    // Its other dependencies serve the download of GPU builds only.
    'onnxruntime-node': ['dist/*.js', `bin/napi-v6/linux/${cpu}/*`],
    'onnxruntime-common': ['dist/cjs/*.js', 'dist/cjs/package.json'],
    '@hyzyla/pdfium': ['dist/index.cjs', 'dist/pdfium.wasm'],
  };
}

/** In every package. */
export const alwaysKept = ['package.json', 'LICENSE*', 'NOTICE*', 'ThirdPartyNotices*'] as const;
