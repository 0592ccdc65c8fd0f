/**
 * The address to which the provider sends its webhooks during an upgrade: gives each request to the
 * next web in service, as the proxy of an installation does.
 */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BAD_GATEWAY = 502;

export type Entry = {
  origin: string;
  /** The webs that get requests, as origins. */
  inService: Set<string>;
  /** How often each web gave each status, as `origin status`. 0: the web did not answer. */
  answers: Map<string, number>;
  close(): void;
};

export async function openEntry(): Promise<Entry> {
  const inService = new Set<string>();
  const answers = new Map<string, number>();
  let turn = 0;
  const server = createServer((incoming, response) => {
    turn += 1;
    const web = [...inService][turn % Math.max(1, inService.size)];
    if (web === undefined) return void response.writeHead(BAD_GATEWAY).end();
    forward(web, incoming, response, (status) => {
      const key = `${web} ${status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    inService,
    answers,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(
  web: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  answered: (status: number) => void,
): void {
  const { method = 'GET', url = '/', headers } = incoming;
  const asked = ask(`${web}${url}`, { method, headers, agent: false }, (answer) => {
    answered(answer.statusCode ?? 0);
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => {
    if (response.headersSent) return void response.destroy();
    answered(0);
    response.writeHead(BAD_GATEWAY).end();
  });
  incoming.pipe(asked);
}
