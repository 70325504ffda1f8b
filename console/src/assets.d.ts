declare module '*.css';
declare module '*.png' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler gives it.
  export default address;
}
