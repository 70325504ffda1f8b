/** One call from within the network of the rehearsed containers: method, address, API key, JSON body. Prints the response as JSON. */
const [method = 'GET', url = '', key = '', body = ''] = process.argv.slice(2);
const response = await fetch(url, {
  method,
  headers: {
    ...(key !== '' && { 'x-api-key': key }),
    ...(body !== '' && { 'content-type': 'application/json' }),
  },
  ...(body !== '' && { body }),
});
const type = response.headers.get('content-type') ?? '';
console.log(JSON.stringify({ status: response.status, type, text: await response.text() }));
