import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test writes the very bytes it means, and reads what comes back until the peer closes. */
export async function rawConnection(baseUrl: string): Promise<{ socket: Socket; received: Promise<string> }> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const received = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset after the answer loses nothing that a test looks at.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return { socket, received };
}

/** Sends one text as it is and reads the whole answer. */
export async function rawExchange(baseUrl: string, text: string): Promise<string> {
  const { socket, received } = await rawConnection(baseUrl);
  socket.write(text);
  return received;
}
