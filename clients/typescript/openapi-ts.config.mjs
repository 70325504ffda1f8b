/** `npm run build:clients` puts the document of the service beside this file. */
export default {
  input: './openapi.json',
  output: { path: 'src/generated', module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
