import 'server-only';
import type * as z from 'zod';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { inStep } from '#lib/runtime/trace.ts';
import { callerAddress } from '#lib/runtime/origin.ts';
import type { Locale } from '#lib/values/locale.ts';
import { assertCallerMay, callerOf } from '../keys/authenticate.ts';
import type { Caller } from '../keys/authenticate.ts';
import type { KeyRight } from '../keys/rights.ts';
import type { Begun } from './begun.ts';
import { ApiRefusal, problemResponse } from './problem.ts';
import { readJson } from './read-json.ts';
import { noteRequest } from './requests.ts';
import { IDEMPOTENCY_KEY } from './schema.ts';

/**
 * The one way into the API: key → rate → right → Idempotency-Key → body → verb. A key that does not
 * work uses up nothing of what its person's other keys may do. Only the
 * `Authorization` header says who calls; cookies are never read here, so that no page of another
 * site can make a browser call it.
 */

type ApiAnswer = { status: number; body: unknown; headers?: Record<string, string> };

type Post<Body> = {
  right: KeyRight;
  schema: z.ZodType<Body>;
  bytesMax: number;
  run: (caller: Caller, idempotencyKey: string, body: Body) => Promise<Begun>;
};

export function servePost<Body>(request: Request, post: Post<Body>): Promise<Response> {
  return serve(request, post.right, async (caller) => {
    const key = idempotencyKeyOf(request);
    if (key === null) throw new Refusal('idempotency_missing');
    const read = post.schema.safeParse(await readJson(request, post.bytesMax));
    if (!read.success) throw new ApiRefusal('body_invalid', { errors: errorsOf(read.error) });
    const { answer, isRepeated } = await post.run(caller, key, read.data);
    return {
      status: 201,
      body: answer,
      ...(isRepeated && { headers: { 'idempotent-replayed': 'true' } }),
    };
  });
}

export function serveGet(
  request: Request,
  right: KeyRight,
  run: (caller: Caller) => Promise<unknown>,
): Promise<Response> {
  return serve(request, right, async (caller) => ({ status: 200, body: await run(caller) }));
}

async function serve(
  request: Request,
  right: KeyRight,
  run: (caller: Caller) => Promise<ApiAnswer>,
): Promise<Response> {
  const began = performance.now();
  const locale = localeOf(request);
  let caller: Caller | null = null;
  let code: string | null = null;
  let response: Response;
  try {
    const { ip } = await callerAddress();
    caller = await callerOf(request.headers.get('authorization'), ip);
    if (caller === null) throw new Refusal('key_unknown');
    if (caller.refusal !== null) throw new Refusal(caller.refusal);
    await countAttempt(caller.person, 'api.call');
    assertCallerMay(caller, right);
    const known = caller;
    const { status, body, headers } = await inStep({ name: 'api' }, () => run(known));
    response = Response.json(body, {
      status,
      headers: { ...headers, 'cache-control': 'no-store' },
    });
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('api_unavailable');
    if (!(error instanceof Refusal)) log.error('an API request failed', errorFields(error));
    code = refusal.code;
    response = problemResponse(refusal, locale);
  }
  if (caller !== null)
    await noteRequest(caller, {
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      code,
      idempotencyKey: idempotencyKeyOf(request),
      tookMs: performance.now() - began,
    });
  return response;
}

/** Null when it is missing or not what a key may be. */
function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key') ?? '';
  return IDEMPOTENCY_KEY.test(key) ? key : null;
}

function errorsOf(error: z.ZodError): { row?: number; field: string; code: string }[] {
  return error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    return names.map((name) =>
      placeOf([...issue.path, ...(name === null ? [] : [name])], issue.code),
    );
  });
}

/** `rows.3.iban` is the field `iban` of row 4. */
function placeOf(path: readonly PropertyKey[], code: string): ReturnType<typeof errorsOf>[number] {
  const [first, index, ...rest] = path;
  return first === 'rows' && typeof index === 'number'
    ? { row: index + 1, field: rest.map(String).join('.'), code }
    : { field: path.map(String).join('.'), code };
}

function localeOf(request: Request): Locale {
  return /^\s*tr\b/i.test(request.headers.get('accept-language') ?? '') ? 'tr' : 'en';
}
