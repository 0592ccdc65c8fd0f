import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that the kernel gives to outgoing connections: one of those may take a free port
 * before its owner listens.
 */
const FROM = 10_240;
const TO = 32_768;
const given = new Set<number>();

/**
 * A TCP port of 127.0.0.1 that is free at this moment, and that this process did not hand out
 * before.
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

/** Whether `port` on `host` can be listened on. Port 0 always can. */
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
