import 'server-only';
import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whoever connects says what they want within this time, or the connection is cut. */
const HEADERS_MS = 10_000;
/** A whole request, body included; the largest that is taken has 64 KiB. */
const REQUEST_MS = 30_000;

/** On every answer, also on those that are given before a page or a route is asked: redirects, files, bad addresses. */
const ALWAYS = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

const unheard = new WeakMap<Socket, NodeJS.Timeout>();

/**
 * What a server of our own would be told at its making. `next start` makes the server and hands it to nobody, but Node
 * announces every connection and every request on its diagnostics channels before anybody answers.
 */
export function guardHttp(): void {
  subscribe('net.server.socket', (message) => connected((message as { socket: Socket }).socket));
  subscribe('http.server.request.start', (message) => heard(message as Asked));
}

function connected(socket: Socket): void {
  const { server } = socket as Socket & { server?: unknown };
  if (!(server instanceof Server)) return;
  // Node looks at these two every 30 seconds only, so they are the net behind the clock of the first request.
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  unheard.set(socket, setTimeout(() => socket.destroy(), HEADERS_MS).unref());
}

type Asked = { request: IncomingMessage; response: ServerResponse };

function heard({ request: { socket, headers }, response }: Asked): void {
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  clearTimeout(unheard.get(socket));
  // As every proxy does: what a request says of earlier hops is its own affair, the last one is the connection itself.
  headers['x-forwarded-for'] = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
}
