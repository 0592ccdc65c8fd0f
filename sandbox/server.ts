import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { control } from './control.ts';
import { consolePage } from './console/page.ts';
import { minorUnits, parseExact, JsonNumber } from './exact-json.ts';
import type { Fault } from './faults.ts';
import { compactIban } from './iban.ts';
import { magicOf } from './magic.ts';
import { loginError } from './login.ts';
import { logRequest } from './request-log.ts';
import { answerCall, isProviderPath, operationOf } from './routes.ts';
import type { Call } from './routes.ts';
import { num, text } from './store.ts';
import { empty, json, problem, systemError } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import { firstMeeting } from './wallet-api/ext-ids.ts';
import { send, sendFaulty, worksUnder } from './wire.ts';
import type { World } from './world.ts';

/**
 * The HTTP server: reads a request, plays a fault if one is set, does the work in one transaction,
 * then answers.
 */

const LARGEST_BODY = 64 * 1024;
/** The operations whose amount can select a fault. */
const MOVES_MONEY = new Set([
  'SendMoneyToBankAccount',
  'BusinessToPersonalTransfer',
  'BusinessToBusinessTransfer',
  'TransferToVirement',
]);
/**
 * The delay of late work after the request arrived, in milliseconds, when the script has no `ms`.
 */
const DEFAULT_LATE_MS = 10_000;

/** Reads the whole body as text; null when it is larger than the limit. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
    // A body over the limit is read on and dropped, up to 256 times the limit, so that a client
    // that is still writing receives the refusal.
    else if (size > LARGEST_BODY * 256) break;
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks).toString('utf8');
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

/** Returns the fault that a magic amount selects, only for the first request with that ext id. */
function magicFault(world: World, call: Call): Fault | null {
  if (
    !MOVES_MONEY.has(call.operation) ||
    !world.questions.magic_values ||
    !/\.(?:45|46|51)\b/.test(call.body)
  )
    return null;
  try {
    const body = parseExact(call.body) as Record<string, unknown>;
    if (!(body.amount instanceof JsonNumber) || typeof body.ext_transaction_id !== 'string')
      return null;
    const { fault } = magicOf(
      minorUnits(body.amount.text) ?? 0n,
      compactIban(String(body.receiver_iban ?? '')),
    );
    if (!fault || !firstMeeting(world, body.ext_transaction_id, fault.kind)) return null;
    return { id: 0, operation: call.operation, times: 1, after: 0, hits: 1, ...fault };
  } catch {
    return null;
  }
}

/** Makes the provider's own answer to an unexpected error. */
function unexpected(world: World, call: Call): Answer {
  if (call.path.startsWith('/card/'))
    return json(500, { status_code: 99, status_description: 'Unknown error' }, '99');
  return call.path.startsWith('/login/') ? loginError(500, 'unexpected') : systemError(world);
}

function tooLarge(call: Call): Answer {
  if (call.path.startsWith('/card/'))
    return json(413, { status_code: 1, status_description: 'Request body too large' });
  return call.path.startsWith('/login/')
    ? loginError(413, 'tooLarge')
    : problem(413, 'Request body too large.');
}

/**
 * Does the work of a call. After an exception its transaction is rolled back, and the answer is the
 * provider's "unexpected error".
 */
function perform(world: World, call: Call, faultName: string | null): Answer {
  try {
    return world.store.tx(() => {
      const answer = answerCall(world, call);
      logRequest(world, call, {
        fault: faultName,
        executed: true,
        status: answer.status,
        code: answer.code ?? null,
      });
      return answer;
    });
  } catch (error) {
    process.stderr.write(
      `sandbox: ${call.operation} failed: ${String((error as Error).stack ?? error)}\n`,
    );
    return unexpected(world, call);
  }
}

function handleProvider(world: World, call: Call, response: ServerResponse): void {
  const fault = world.faults.take(call.path) ?? magicFault(world, call);
  if (!fault) {
    const answer = perform(world, call, null);
    return answer.lost
      ? sendFaulty(response, { kind: 'lost_after' }, call, answer)
      : send(response, answer);
  }
  if (fault.kind === 'late') {
    const due = call.arrivedAt + (fault.ms ?? DEFAULT_LATE_MS);
    world.store.tx(() => {
      logRequest(world, call, { fault: 'late', executed: false, status: null, code: null });
      world.store.run(
        'INSERT INTO late_work (due_at, call) VALUES (?, ?)',
        due,
        JSON.stringify(call),
      );
    });
    world.scheduler.poke(due);
    return sendFaulty(response, fault, call, null);
  }
  if (!worksUnder(fault)) {
    logRequest(world, call, { fault: fault.kind, executed: false, status: null, code: null });
    return sendFaulty(response, fault, call, null);
  }
  sendFaulty(response, fault, call, perform(world, call, fault.kind));
}

/**
 * Schedules the work of `late` calls, whose connection was closed when they arrived; the calls are
 * stored, so that they survive a restart.
 */
export function addLateWork(world: World): void {
  world.scheduler.add({
    next: () => {
      const row = world.store.get('SELECT MIN(due_at) AS due FROM late_work');
      return row?.due === null || row === undefined ? null : num(row.due);
    },
    run: (now) => {
      for (const row of world.store.all(
        'SELECT * FROM late_work WHERE due_at <= ? ORDER BY due_at',
        now,
      )) {
        world.store.tx(() => {
          world.store.run('DELETE FROM late_work WHERE id = ?', num(row.id));
          perform(world, JSON.parse(text(row.call)) as Call, 'late: done now');
        });
      }
      world.store.forgetSoon();
    },
  });
}

async function handle(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const body = await readBody(request);
  const headers = headersOf(request);
  const path = url.pathname;
  if (isProviderPath(path)) {
    const call: Call = {
      method: request.method ?? 'GET',
      path,
      query: url.search.slice(1),
      operation: operationOf(path),
      headers,
      body: body ?? '',
      arrivedAt: world.clock.now(),
    };
    if (body === null) {
      logRequest(world, call, { fault: null, executed: false, status: 413, code: null });
      return send(response, { ...tooLarge(call), headers: { connection: 'close' } });
    }
    return handleProvider(world, call, response);
  }
  if (path.startsWith('/sandbox/'))
    return send(
      response,
      body === null
        ? empty(413)
        : control(world, { method: request.method ?? 'GET', url, headers, body }),
    );
  if (path === '/' && (request.method === 'GET' || request.method === 'HEAD'))
    return send(response, consolePage());
  return send(response, empty(404));
}

export function buildServer(world: () => World): Server {
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 30_000 },
    (request, response) => {
      handle(world(), request, response).catch((error: unknown) => {
        if (
          (error as NodeJS.ErrnoException).code !== 'ECONNRESET' &&
          (error as Error).name !== 'AbortError'
        )
          process.stderr.write(`sandbox: ${String((error as Error).stack ?? error)}\n`);
        if (!response.headersSent) send(response, empty(500));
        else response.destroy();
      });
    },
  );
  return server;
}
