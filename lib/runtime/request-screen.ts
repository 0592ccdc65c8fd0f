/**
 * Refuses requests before any page or route runs: unreadable addresses, unused methods, bodies
 * larger than any form of ours. Pure; `lib/runtime/http-server.ts` calls it for every request.
 */

/** The largest body of any other route: a form with a small picture. */
const BODY_BYTES_MAX = 64 * 1024;
/**
 * Webhooks read their own bodies with their own limit: a provider may send without a length. Every
 * address that matches is answered by `lib/webhooks/answer.ts`, and none by the framework.
 */
const WEBHOOK_PATH = /^\/api\/webhooks\/(?!\.|%2[eE])[^/\\]+\/(?:wallet|card)$/;
/** The one route that takes a file: payouts, of up to 10 MB (`lib/batches/file/source.ts`). */
const FILE_PATH = '/api/batches';
const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Batches of programs: 5,000 rows as JSON (`lib/programs/api/schema.ts`). */
const API_BATCH_PATH = '/api/v1/batches';
export const API_BATCH_BYTES_MAX = 4 * 1024 * 1024;
const MULTIPART = /^\s*multipart\//i;
const BOUNDARY = /;\s*boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})\s*(?:;|$)/i;
const FOREIGN_METHODS = new Set(['TRACE', 'TRACK']);
/**
 * U+0000 to U+001F and U+007F. In a query a pasted tab or line break is text; in a path they are
 * refused.
 */
// oxlint-disable-next-line no-control-regex -- what must not come in
const CONTROL = /[\u0000-\u001f\u007f]/;
// oxlint-disable-next-line no-control-regex -- what must not come in
const CONTROL_IN_QUERY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * `forwarded`: sent by the framework from this server to itself, and screened before.
 */
export type ScreenedRequest = {
  method: string;
  url: string;
  rawHeaders: readonly string[];
  forwarded: boolean;
};

/**
 * The status of the refusal, or null for an accepted request. 400: unreadable; 411: no length;
 * 413: too large.
 */
export function screenRequest({
  method,
  url,
  rawHeaders,
  forwarded,
}: ScreenedRequest): 400 | 411 | 413 | null {
  if (FOREIGN_METHODS.has(method.toUpperCase())) return 400;
  if (valuesOf(rawHeaders, 'host').length !== 1 || !url.startsWith('/')) return 400;
  const [path = '', query = ''] = splitOnce(url, '?');
  if (!isReadable(path, CONTROL) || !isReadableQuery(query)) return 400;
  if (!valuesOf(rawHeaders, 'next-router-state-tree').every(isStateTree)) return 400;
  if (forwarded || WEBHOOK_PATH.test(path)) return null;
  if (!valuesOf(rawHeaders, 'content-type').every(isReadableType)) return 400;
  return screenBody(rawHeaders, bodyMax(path));
}

function bodyMax(path: string): number {
  if (path === FILE_PATH) return FILE_BYTES_MAX;
  return path === API_BATCH_PATH ? API_BATCH_BYTES_MAX : BODY_BYTES_MAX;
}

function screenBody(rawHeaders: readonly string[], max: number): 411 | 413 | null {
  if (valuesOf(rawHeaders, 'transfer-encoding').length > 0) return 411;
  const lengths = valuesOf(rawHeaders, 'content-length');
  return lengths.some((length) => Number(length) > max) ? 413 : null;
}

/** The framework would report a form without a boundary between its fields as a server error. */
function isReadableType(type: string): boolean {
  return !MULTIPART.test(type) || BOUNDARY.test(type);
}

function isReadable(path: string, control: RegExp): boolean {
  try {
    return !control.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** A query is decoded leniently, as browsers write it: a lone percent sign is literal. */
function isReadableQuery(query: string): boolean {
  return !CONTROL_IN_QUERY.test([...new URLSearchParams(query)].flat().join(''));
}

/**
 * The framework's client sends the state of its current page; the framework would report anything
 * else as a server error.
 */
function isStateTree(written: string): boolean {
  try {
    return isBranch(JSON.parse(decodeURIComponent(written)));
  } catch {
    return false;
  }
}

/** A segment of the address, as a name or as [parameter, value, kind], and its children. */
function isBranch(tree: unknown): boolean {
  if (!Array.isArray(tree)) return false;
  const [part, below] = tree as unknown[];
  const isPart =
    typeof part === 'string' ||
    (Array.isArray(part) &&
      part.length >= 3 &&
      part.slice(0, 3).every((one) => typeof one === 'string'));
  return (
    isPart &&
    typeof below === 'object' &&
    below !== null &&
    !Array.isArray(below) &&
    Object.values(below).every(isBranch)
  );
}

/** All values of a repeated header. `rawHeaders` holds names and values in turn. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name,
  );
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
