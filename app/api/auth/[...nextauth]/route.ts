import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { authOptions } from '#lib/auth.ts';
import { fromOwnOrigin } from '#lib/origin.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  return NextAuth(request, context, authOptions());
}

/** next-auth checks its own token; the origin is checked here as for every other door that changes something. */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  if (!(await fromOwnOrigin())) return Response.json({ url: null }, { status: 403 });
  return NextAuth(request, context, authOptions());
}
