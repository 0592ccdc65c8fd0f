import { findRows, readAsked } from '../../../rows.ts';

export function GET(request: Request): Response {
  return Response.json(findRows(readAsked(new URL(request.url).searchParams)));
}
