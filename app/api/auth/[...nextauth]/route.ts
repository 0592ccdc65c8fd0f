import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import * as z from 'zod';
import { authOptions } from '#lib/login/next-auth.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

/**
 * The only next-auth endpoints in use; its own sign-out, session and provider endpoints stay
 * closed.
 */
const DOORS = { GET: 'csrf', POST: 'callback/credentials' };

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  if (!(await isDoor(context, 'GET'))) return new Response(null, { status: 404 });
  return NextAuth(request, context, authOptions());
}

/**
 * next-auth checks its CSRF token; the origin is checked here, as for every endpoint that changes
 * something.
 */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  if (!(await isDoor(context, 'POST'))) return new Response(null, { status: 404 });
  if (!(await fromOwnOrigin())) return Response.json({ url: null }, { status: 403 });
  if (!(await isReadable(request))) return Response.json({ url: null }, { status: 400 });
  const answer = (await NextAuth(request, context, authOptions())) as Response;
  const seconds = answer.ok ? undefined : /too_many%3A(\d+)/.exec(await answer.clone().text())?.[1];
  if (seconds === undefined) return answer;
  const headers = new Headers(answer.headers);
  headers.set('retry-after', seconds);
  return new Response(answer.body, { status: 429, headers });
}

/** The fields of a form, as JSON. */
const fields = z.record(z.string(), z.string());

/**
 * Whether next-auth can read the body. Our page sends a form; next-auth accepts JSON too, and
 * throws on a malformed body and on a field that is no text.
 */
async function isReadable(request: NextRequest): Promise<boolean> {
  if (!request.headers.get('content-type')?.includes('json')) return true;
  return request
    .clone()
    .json()
    .then(
      (body: unknown) => fields.safeParse(body).success,
      () => false,
    );
}

async function isDoor({ params }: Context, method: keyof typeof DOORS): Promise<boolean> {
  return (await params).nextauth.join('/') === DOORS[method];
}
