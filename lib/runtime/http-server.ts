import 'server-only';
import { randomBytes } from 'node:crypto';
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { screenRequest } from './request-screen.ts';

/** A connection without complete request headers within this time is closed. */
const HEADERS_MS = 10_000;
/** The time limit of a whole request, body included; the largest accepted body is a file of 10 MB. */
const REQUEST_MS = 30_000;
/** The interval at which Node checks these two time limits. */
const CHECK_MS = 5_000;
/** The largest size of all headers of a request together. */
const HEADERS_BYTES_MAX = 16 * 1024;

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
const ALWAYS_ENTRIES = Object.entries(ALWAYS);

/**
 * The headers of every response that does not set them itself: files, redirects, 404s without a
 * page.
 */
const UNLESS_NAMED = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};
const UNLESS_NAMED_ENTRIES = Object.entries(UNLESS_NAMED);
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
const REFUSALS = {
  400: 'Bu adres okunamıyor. / This address cannot be read.',
  411: 'İsteğin uzunluğu belirtilmemiş. / The request names no length.',
  413: 'Gönderilen içerik çok büyük. / What was sent is too large.',
};

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const requestTimers = new WeakMap<Socket, NodeJS.Timeout>();
const answering = new WeakMap<Socket, ServerResponse>();

/**
 * Makes an HTTP server with the limits and the headers of this product (decision 49): `answer` gets
 * only requests whose address, method, host and length passed `screenRequest`. `upgrades`: whether
 * a client may ask for another protocol, which the framework's own client does in development.
 */
export function createGuardedServer(answer: Answer, { upgrades = false } = {}): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: HEADERS_BYTES_MAX,
      // A request without a host is answered below, with a text and every header.
      requireHostHeader: false,
    },
    (request, response) => onRequest(request, response, answer),
  );
  // Node checks its time limits only at an interval: this timer closes a silent connection in time.
  server.on('connection', (socket) =>
    requestTimers.set(socket, setTimeout(() => socket.destroy(), HEADERS_MS).unref()),
  );
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', (request, response) => {
    prepare(request, response);
    response.writeHead(417, { Connection: 'close' }).end();
  });
  // The product uses no other protocol: an upgrade request is treated as a plain request.
  if (!upgrades) Object.assign(server, { shouldUpgradeCallback: () => false });
  return server;
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

function onRequest(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const forwarded = prepare(request, response);
  const status = screenRequest({
    method: request.method ?? '',
    url: request.url ?? '',
    rawHeaders: request.rawHeaders,
    forwarded,
  });
  if (status === null) answer(request, response);
  else refuse(response, status);
}

/**
 * Sets the headers of the response and the caller's address. Returns whether the framework sent
 * this request, which was screened before.
 */
function prepare(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket, headers } = request;
  for (const [name, value] of ALWAYS_ENTRIES) response.setHeader(name, value);
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
  return forwarded;
}

/**
 * Sets the default headers just before the response's head is written, because the framework
 * appends to an existing header instead of replacing it.
 */
function nameDefaults(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    for (const [name, value] of UNLESS_NAMED_ENTRIES)
      if (!response.headersSent && !response.hasHeader(name)) response.setHeader(name, value);
    return writeHead(...given);
  };
}

/** Answers a refused request and closes its connection: its body is not read. */
function refuse(response: ServerResponse, status: keyof typeof REFUSALS): void {
  response
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end(`${REFUSALS[status]}\n`);
}
