/** The ports and addresses of a start. */
import { freePort, isPortFree, keepPort } from './ports.ts';
import { Refused } from './refused.ts';
import { localOrigin, type Settings } from './settings.ts';

const PORT_TRIES = 10;
const PORT_PAUSE_MS = 150;

export async function refuseBusyPorts(options: Settings): Promise<void> {
  const wanted: [name: string, port: number][] = [
    ['PORT', options.port],
    ...(options.sandbox ? [['SANDBOX_PORT', options.sandboxPort] as [string, number]] : []),
  ];
  if (options.sandbox && options.port === options.sandboxPort)
    throw new Refused(`PORT and SANDBOX_PORT are both ${options.port}: change one of them.`);
  for (const [name, port] of wanted) {
    // It stays free until its process listens: no other part of this start may get it.
    keepPort(port);
    // The processes of a start that was just killed need a moment to notice it.
    for (let tries = 0; tries < PORT_TRIES && !(await isPortFree(port, options.host)); tries++)
      await new Promise((resolve) => setTimeout(resolve, PORT_PAUSE_MS));
    if (!(await isPortFree(port, options.host))) {
      throw new Refused(
        `Port ${port} of ${options.host} is busy: set ${name} to another one, for example ` +
          `${name}=${await freePort()} npm start`,
      );
    }
  }
}

/** Where each web listens. `ports`: those of the webs behind a proxy. */
export async function webAddresses(
  options: Settings & { webs?: number; proxy?: { ports: readonly number[] } },
): Promise<{ port: number; origin: string }[]> {
  const ports = [...(options.proxy?.ports ?? [options.port])];
  while (ports.length < (options.webs ?? 1)) ports.push(await freePort());
  return ports.map((port) => ({ port, origin: localOrigin(options.host, port) }));
}
