import 'server-only';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';

const PREFIX = '/_next/static/';
/** The name of a static file contains a hash of its content, so it is fetched once. */
const CACHE = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.ico': 'image/x-icon',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=UTF-8',
  '.woff2': 'font/woff2',
};
/** The encodings that the build writes beside a file (`scripts/precompress.ts`), the best first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

type Kept = { body: Buffer; tag: string };
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => boolean;

/**
 * Serves the static files of a build from memory, compressed when they were built. The function
 * that it returns answers a request for one of them, and answers false for every other path.
 */
export function staticFiles(buildFolder: string): StaticFiles {
  const folder = join(buildFolder, 'static');
  const names = namesIn(folder);
  const kept = new Map<string, Promise<Kept>>();
  const read = (name: string): Promise<Kept> => {
    let one = kept.get(name);
    if (one === undefined) {
      kept.set(name, (one = keep(join(folder, name))));
      one.catch(() => kept.delete(name));
    }
    return one;
  };
  return (request, response, path) => {
    const name = path.startsWith(PREFIX) ? decodeURIComponent(path.slice(PREFIX.length)) : '';
    const type = TYPES[extname(name)];
    if (type === undefined || !names.has(name)) return false;
    if (isRefused(request, response)) return true;
    const encoding = ENCODINGS.find(
      (one) => names.has(name + one.ending) && accepts(request, one.name),
    );
    read(name + (encoding?.ending ?? '')).then(
      (file) => send(request, response, { type, encoding: encoding?.name, ...file }),
      () => response.writeHead(500, { 'Content-Length': 0 }).end(),
    );
    return true;
  };
}

/**
 * Answers 405 when a file of `folder` is asked for with another method than GET and HEAD, which the
 * framework would report as a server error; false for every other request.
 */
export function readOnlyFiles(folder: string): StaticFiles {
  const names = namesIn(folder);
  return (request, response, path) =>
    names.has(decodeURIComponent(path.slice(1))) && isRefused(request, response);
}

function isRefused({ method }: IncomingMessage, response: ServerResponse): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': 0 }).end();
  return true;
}

function namesIn(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
}

async function keep(file: string): Promise<Kept> {
  const body = await readFile(file);
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { body, tag, type, encoding }: Kept & { type: string; encoding: string | undefined },
): void {
  const headers = { 'Cache-Control': CACHE, ETag: tag, Vary: 'Accept-Encoding' };
  if (request.headers['if-none-match']?.split(/,\s*/).includes(tag) === true)
    return void response.writeHead(304, headers).end();
  response
    .writeHead(200, {
      ...headers,
      'Content-Type': type,
      'Content-Length': body.byteLength,
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    })
    .end(request.method === 'HEAD' ? undefined : body);
}

/** Whether the client accepts the encoding: it names it, and not with a weight of zero. */
function accepts({ headers }: IncomingMessage, encoding: string): boolean {
  return String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim().split(/\s*;\s*q=/))
    .some(([name, weight]) => name === encoding && Number(weight ?? 1) > 0);
}
