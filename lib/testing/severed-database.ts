import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A way to the test database that can be cut, as by a restart of its server: open connections break,
 * and new ones are turned away until it is mended.
 */
export type SeveredDatabase = {
  /** Cuts the way; resolves when somebody has tried it in vain. */
  cut(): Promise<void>;
  mend(): void;
  close(): void;
};

/** Leads DATABASE_URL over the way; to be called before the product opens its first connection. */
export async function severDatabase(): Promise<SeveredDatabase> {
  const real = new URL(process.env['DATABASE_URL']!);
  const sockets = new Set<Socket>();
  let turnedAway: (() => void) | null = null;
  const proxy = createServer((client) => {
    client.on('error', () => undefined);
    if (turnedAway !== null) {
      client.destroy();
      return turnedAway();
    }
    const server = connect(Number(real.port), real.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(real);
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  process.env['DATABASE_URL'] = through.href;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    cut: () =>
      new Promise((resolve) => {
        turnedAway = resolve;
        breakAll();
      }),
    mend: () => void (turnedAway = null),
    close() {
      breakAll();
      proxy.close();
    },
  };
}
