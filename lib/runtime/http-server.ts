import 'server-only';
import { randomBytes } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Server, STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { screenRequest } from './request-screen.ts';

/** A connection without complete request headers within this time is closed. */
const HEADERS_MS = 10_000;
/** The time limit of a whole request, body included; the largest accepted body is a file of 10 MB. */
const REQUEST_MS = 30_000;

/**
 * The headers of every response, also of those that are sent before a page or a route runs:
 * redirects, files, bad addresses.
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
 * The headers of every response that does not set them itself: files, redirects, 404s without a
 * page.
 */
const UNLESS_NAMED = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};
/**
 * Internal path for refused requests: `app/api/refused/[status]/route.ts`.
 */
const REFUSED_PATH = '/api/refused';
/**
 * A header with a secret value, which shows that this server has screened the request; set on every
 * incoming request. When the page of the address lacks a server action, the framework sends the
 * action to this server once more, for a page that has it: chunked, without a length, and with the
 * same headers. That second request has been screened already.
 */
const SCREENED_HEADER = 'x-screened';
const SCREENED = randomBytes(32).toString('base64url');

/** Status for each error code of Node's parser; 400 for every other code. */
const UNREADABLE = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

const requestTimers = new WeakMap<Socket, NodeJS.Timeout>();
const answering = new WeakMap<Socket, ServerResponse>();
const guarded = new WeakSet<Server>();

/**
 * Configures the HTTP server after its creation. `next start` creates the server and exposes it
 * nowhere, but Node publishes every connection and every request on its diagnostics channels before
 * any handler runs.
 */
export function guardHttp(): void {
  subscribe('net.server.socket', (message) => connected((message as { socket: Socket }).socket));
  subscribe('http.server.request.start', (message) => onRequest(message as Asked));
}

function connected(socket: Socket): void {
  const { server } = socket as Socket & { server?: unknown };
  if (!(server instanceof Server)) return;
  if (!guarded.has(server)) guardServer(server);
  requestTimers.set(socket, setTimeout(() => socket.destroy(), HEADERS_MS).unref());
}

function guardServer(server: Server): void {
  guarded.add(server);
  // Node checks these two time limits only every 30 seconds, so they are a second safeguard behind
  // the timer of the first request.
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.on('clientError', answerUnreadable);
  // The product uses no other protocol, and the framework would leave an upgrade request without a
  // response: treat it as a plain request.
  if (process.env.NODE_ENV !== 'development')
    Object.assign(server, { shouldUpgradeCallback: () => false });
}

/**
 * Responds to bytes that never become a request, for which no page, route or response header runs.
 */
function answerUnreadable(error: Error & { code?: string }, duplex: Duplex): void {
  const socket = duplex as Socket;
  const response = answering.get(socket);
  // Write nothing into a response that has already started.
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

function onRequest({ request, response }: Asked): void {
  const { socket, headers } = request;
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  nameDefaults(response);
  answering.set(socket, response);
  clearTimeout(requestTimers.get(socket));
  // Append the connection's address, as every proxy does: earlier hops in the header are
  // unverified, the last one is the connection itself.
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
 * Sets the default headers just before the response's head is written, because the framework
 * appends to an existing header instead of replacing it.
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
 * Turns the request into one for the refusal route and closes its connection with the response:
 * its body is not read.
 */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.url = `${REFUSED_PATH}/${status}`;
  request.method = 'GET';
  // With these headers the framework would answer its own client with an internal redirect.
  for (const name of Object.keys(request.headers))
    if (name === 'rsc' || name.startsWith('next-')) delete request.headers[name];
  response.setHeader('Connection', 'close');
}
