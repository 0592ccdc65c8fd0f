import { createHmac, timingSafeEqual } from 'node:crypto';
import { TENANT_ID } from '../seed/merchant.ts';
import type { World } from '../world.ts';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';

/**
 * {auth_url}/connect/token: OAuth 2 client credentials. The token carries its own expiry, on the
 * virtual clock.
 */

const base64 = (value: object | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');
const sign = (world: World, head: string): string =>
  createHmac('sha256', world.credentials.tokenKey).update(head).digest('base64url');

const oauthError = (error: string): Answer => json(400, { error }, error);

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

export function issueToken(world: World, body: string, headers: Record<string, string>): Answer {
  if (
    !(headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')
  )
    return oauthError('invalid_request');
  const form = new URLSearchParams(body);
  const { client_id: clientId, client_secret: secret, scope } = world.credentials.wallet;
  const grant = form.get('grant_type');
  if (!grant) return oauthError('invalid_request');
  // The service issues no refresh token and no authorization code.
  if (grant === 'refresh_token' || grant === 'authorization_code')
    return oauthError('invalid_grant');
  if (grant !== 'client_credentials') return oauthError('unsupported_grant_type');
  if (
    !sameText(form.get('client_id') ?? '', clientId) ||
    !sameText(form.get('client_secret') ?? '', secret)
  )
    return oauthError('invalid_client');
  if ((form.get('scope') ?? scope) !== scope) return oauthError('invalid_scope');
  const seconds = Math.floor(world.clock.now() / 1000);
  const lifetime = world.questions.token_lifetime_seconds;
  const claims = {
    iss: `http://${headers.host ?? 'sandbox'}/wallet/auth`,
    client_id: clientId,
    tenant_id: String(TENANT_ID),
    scope,
    nbf: seconds,
    iat: seconds,
    exp: seconds + lifetime,
  };
  const head = `${base64({ alg: 'HS256', typ: 'at+jwt' })}.${base64(claims)}`;
  const answer = json(200, {
    access_token: `${head}.${sign(world, head)}`,
    expires_in: lifetime,
    token_type: 'Bearer',
    scope,
  });
  return { ...answer, headers: { 'cache-control': 'no-store' } };
}

/**
 * Whether the header holds a token of this service that has not expired at `now` (virtual
 * milliseconds).
 */
export function isAuthorized(
  world: World,
  authorization: string | undefined,
  now: number,
): boolean {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const [header, payload, signature] = token.split('.');
  if (
    !header ||
    !payload ||
    !signature ||
    !sameText(signature, sign(world, `${header}.${payload}`))
  )
    return false;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
      exp: number;
    };
    // nbf is not checked: a reset moves the clock back, and tokens in use should survive it.
    return now < claims.exp * 1000;
  } catch {
    return false;
  }
}
