import type { ServerResponse } from 'node:http';
import { WORK_DONE } from './faults.ts';
import type { Fault } from './faults.ts';
import type { Call } from './routes.ts';
import type { Answer } from './wallet-api/answer.ts';
import { json, refusal } from './wallet-api/answer.ts';

/** Sends an answer over the socket, or plays a fault instead. */

const SLOW_BYTE_MS = 1000;
const DEFAULT_DELAY_MS = 5000;
const UNKNOWN_CODE = '7777';

export function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const body = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.status, {
    ...(answer.contentType ? { 'content-type': answer.contentType } : {}),
    'content-length': body.length,
    ...answer.headers,
  });
  response.end(body);
}

export const worksUnder = (fault: Pick<Fault, 'kind' | 'work'>): boolean =>
  fault.work ?? WORK_DONE[fault.kind];

function businessCode(call: Call, code: string, message?: string): Answer {
  if (call.path.startsWith('/login/'))
    return json(200, { statuscode: Number(code), description: 'Sandbox', data: [] }, code);
  if (call.operation === 'tobank')
    return json(200, { statuscode: Number(code), description: 'Sandbox', data: [] }, code);
  if (call.path.startsWith('/card/'))
    return json(200, { status_code: Number(code), status_description: 'Sandbox' }, code);
  if (call.path.startsWith('/wallet/auth')) return json(400, { error: code }, code);
  return message === undefined ? refusal(code) : refusal(code, message);
}

const HTML =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad ' +
  'Gateway</h1><hr>nginx</body></html>';

function statusAnswer(status: number, call: Call): Answer {
  const headers: Record<string, string> = {};
  if (status >= 300 && status < 400) headers.location = call.path;
  if (status === 429 || status === 503) headers['retry-after'] = '10';
  return { status, body: '', headers };
}

/**
 * Plays a fault on the socket. `answer` is the result of the work; null when the work was not done.
 */
export function sendFaulty(
  response: ServerResponse,
  fault: Pick<Fault, 'kind'> & Partial<Fault>,
  call: Call,
  answer: Answer | null,
): void {
  const socket = response.socket;
  const real: Answer = answer ?? { status: 200, body: '{}', contentType: 'application/json' };
  switch (fault.kind) {
    case 'lost_before':
    case 'lost_after':
      // With `hang` the connection stays open without a byte until the client gives up.
      if (!fault.hang) socket?.destroy();
      return;
    case 'late':
      socket?.destroy();
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'delay':
      setTimeout(() => send(response, real), fault.ms ?? DEFAULT_DELAY_MS).unref();
      return;
    case 'status':
      return send(response, statusAnswer(fault.status ?? 500, call));
    case 'malformed':
      if (fault.raw) {
        socket?.write('\u0000\u0001 this is not HTTP\r\n\r\n');
        socket?.end();
        return;
      }
      return send(response, {
        ...real,
        body: `${real.body.slice(0, Math.max(1, real.body.length >> 1))}<<<`,
      });
    case 'truncated': {
      const body = Buffer.from(real.body, 'utf8');
      response.writeHead(real.status, {
        'content-type': real.contentType ?? 'application/json',
        'content-length': body.length,
      });
      response.write(body.subarray(0, body.length >> 1), () => socket?.destroy());
      return;
    }
    case 'html':
      return send(response, { status: 200, contentType: 'text/html; charset=utf-8', body: HTML });
    case 'slowloris':
      return dribble(response, real, fault.ms ?? SLOW_BYTE_MS);
    case 'unknown_code':
      return send(response, businessCode(call, UNKNOWN_CODE));
    case 'code':
      return send(response, businessCode(call, fault.code ?? '500', fault.message));
  }
}

/** Sends one byte at a time, for as long as the client stays connected. */
function dribble(response: ServerResponse, answer: Answer, pauseMs: number): void {
  const body = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.status, {
    'content-type': answer.contentType ?? 'application/json',
    'content-length': body.length,
  });
  response.flushHeaders();
  let at = 0;
  const timer = setInterval(
    () => {
      if (response.destroyed) return clearInterval(timer);
      response.write(body.subarray(at, at + 1));
      at += 1;
      if (at >= body.length) {
        clearInterval(timer);
        response.end();
      }
    },
    Math.max(1, pauseMs),
  );
  timer.unref();
}
