import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range of the ports, below those that the kernel gives to outgoing connections: an outgoing
 * connection could take a free port before the process that it was given to listens.
 */
const FROM = 10_240;
const TO = 32_768;
const given = new Set<number>();

/**
 * Returns a TCP port of 127.0.0.1 that is free at this moment and that this process has not
 * returned before.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TO - FROM; tries += 1) {
    const port = randomInt(FROM, TO);
    if (given.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue;
    given.add(port);
    return port;
  }
  throw new Error('No free TCP port on 127.0.0.1.');
}

/** Keeps a port that was chosen elsewhere from being returned by `freePort`. */
export function keepPort(port: number): void {
  given.add(port);
}

/** Returns the first of two neighbouring ports that are free in the same way. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (given.has(port + 1) || !(await isPortFree(port + 1, '127.0.0.1'))) continue;
    given.add(port + 1);
    return port;
  }
}

/** Whether a server can listen on `port` of `host`; true for port 0. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(undefined) : reject(error),
    );
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : undefined),
      );
    });
  });
}
