import { createServer } from 'node:http';
import type { Supervised } from './processes.ts';
import type { Stack } from './stack.ts';

const SIGNALS: Record<string, NodeJS.Signals> = {
  kill: 'SIGKILL',
  freeze: 'SIGSTOP',
  thaw: 'SIGCONT',
};

export type Control = { url: string; close(): void };

/**
 * Lets a test of another process end, freeze or restart the processes of the stack; listens on
 * 127.0.0.1, only under test. `GET /` lists `{name, pid, restarts}`; `POST /<name>/stop`, `/start`,
 * `/kill` (SIGKILL; the supervisor starts the process again), `/freeze` (SIGSTOP), `/thaw`
 * (SIGCONT). Names: postgres, sandbox, worker, worker-2, web, web-2 and so on.
 */
export async function startControl(stack: Stack): Promise<Control> {
  const processes = new Map<string, Supervised>();
  if (stack.postgres !== undefined) processes.set('postgres', stack.postgres.process);
  for (const one of [stack.sandbox, ...stack.workers, ...stack.webs])
    if (one !== undefined) processes.set(one.name, one);
  const server = createServer(async (request, response) => {
    const [name = '', verb = ''] = (request.url ?? '').slice(1).split('/');
    const known = processes.get(name);
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET' && name === '')
      return answer(
        200,
        [...processes].map(([key, { pid, restarts }]) => ({ name: key, pid, restarts })),
      );
    if (request.method !== 'POST' || known === undefined)
      return answer(404, { error: 'no such process' });
    if (verb === 'stop') await known.stop();
    else if (verb === 'start') known.start();
    else if (SIGNALS[verb] !== undefined && known.pid !== undefined)
      process.kill(known.pid, SIGNALS[verb]);
    else return answer(409, { error: `cannot ${verb} ${name}` });
    answer(200, { name, pid: known.pid, restarts: known.restarts });
  });
  // A kept connection may be closed while the next request is being sent.
  server.maxRequestsPerSocket = 1;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('the control has no address');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
