declare module '*.css';
declare module '*.png' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler gives it.
  export default address;
}
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler gives it.
  export default text;
}

interface ImportMeta {
  /** Of Vite: files by their path, each loaded when it is asked for. */
  glob<Content>(
    pattern: string,
    options: { query: string; import: string },
  ): Readonly<Record<string, () => Promise<Content>>>;
}
