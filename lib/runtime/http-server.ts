import 'server-only';
import { randomBytes } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Server, STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { screenRequest } from './request-screen.ts';

/** Whoever connects says what they want within this time, or the connection is cut. */
const HEADERS_MS = 10_000;
/** A whole request, body included; the largest that is taken has 64 KiB. */
const REQUEST_MS = 30_000;

/**
 * On every answer, also on those that are given before a page or a route is asked: redirects,
 * files, bad addresses.
 */
const ALWAYS = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/**
 * On an answer that names none of its own: files, redirects, missing addresses that no page drew.
 */
const UNLESS_NAMED = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};
/**
 * Where a request goes that is refused before anybody is asked:
 * `app/api/refused/[status]/route.ts`.
 */
const REFUSED_PATH = '/api/refused';
/**
 * Every request gets it as it comes in, and nobody outside knows it. An action that the page of its
 * address does not have is forwarded by the framework to one that has it: a request to this server
 * with the same headers, in pieces and without a length.
 */
const SCREENED_HEADER = 'x-screened';
const SCREENED = randomBytes(32).toString('base64url');

/** What Node's parser could not read, by the error that it names; 400 for every other. */
const UNREADABLE = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

const unheard = new WeakMap<Socket, NodeJS.Timeout>();
const answering = new WeakMap<Socket, ServerResponse>();
const guarded = new WeakSet<Server>();

/**
 * What a server of our own would be told at its making. `next start` makes the server and hands it
 * to nobody, but Node announces every connection and every request on its diagnostics channels
 * before anybody answers.
 */
export function guardHttp(): void {
  subscribe('net.server.socket', (message) => connected((message as { socket: Socket }).socket));
  subscribe('http.server.request.start', (message) => heard(message as Asked));
}

function connected(socket: Socket): void {
  const { server } = socket as Socket & { server?: unknown };
  if (!(server instanceof Server)) return;
  if (!guarded.has(server)) guardServer(server);
  unheard.set(socket, setTimeout(() => socket.destroy(), HEADERS_MS).unref());
}

function guardServer(server: Server): void {
  guarded.add(server);
  // Node looks at these two every 30 seconds only, so they are the net behind the clock of the
  // first request.
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.on('clientError', answerUnreadable);
  // Nothing of ours speaks another protocol, and the framework would leave such a request without
  // an answer: it is one like any other.
  if (process.env.NODE_ENV !== 'development')
    Object.assign(server, { shouldUpgradeCallback: () => false });
}

/**
 * For what never becomes a request, so that no page, route or header of a response is there for it.
 */
function answerUnreadable(error: Error & { code?: string }, duplex: Duplex): void {
  const socket = duplex as Socket;
  const response = answering.get(socket);
  // Into an answer that has begun nothing else is written.
  if (
    !socket.writable ||
    error.code === 'ECONNRESET' ||
    (response?.headersSent && !response.writableFinished)
  )
    return void socket.destroy();
  const status = UNREADABLE.get(error.code ?? '') ?? 400;
  const head = Object.entries({
    ...ALWAYS,
    ...UNLESS_NAMED,
    Connection: 'close',
    'Content-Length': '0',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', ''].join('\r\n'), () =>
    socket.destroy(),
  );
}

type Asked = { request: IncomingMessage; response: ServerResponse };

function heard({ request, response }: Asked): void {
  const { socket, headers } = request;
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  nameDefaults(response);
  answering.set(socket, response);
  clearTimeout(unheard.get(socket));
  // As every proxy does: what a request says of earlier hops is its own affair, the last one is the
  // connection itself.
  const forwarded = headers[SCREENED_HEADER] === SCREENED;
  if (!forwarded)
    headers['x-forwarded-for'] = [headers['x-forwarded-for'], socket.remoteAddress]
      .filter(Boolean)
      .join(', ');
  headers[SCREENED_HEADER] = SCREENED;
  const status = screenRequest({
    method: request.method ?? '',
    url: request.url ?? '',
    rawHeaders: request.rawHeaders,
    forwarded,
  });
  if (status !== null) refuse(request, response, status);
}

/**
 * Set directly before the head is written, because the framework adds to a header that is there
 * instead of replacing it.
 */
function nameDefaults(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    for (const [name, value] of Object.entries(UNLESS_NAMED))
      if (!response.headersSent && !response.hasHeader(name)) response.setHeader(name, value);
    return writeHead(...given);
  };
}

/**
 * The request becomes one for the refusal, and its connection ends with the answer: nothing of its
 * body is read.
 */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.url = `${REFUSED_PATH}/${status}`;
  request.method = 'GET';
  // What the framework's client asks for in its own way would be answered with a detour of the
  // framework's.
  for (const name of Object.keys(request.headers))
    if (name === 'rsc' || name.startsWith('next-')) delete request.headers[name];
  response.setHeader('Connection', 'close');
}
