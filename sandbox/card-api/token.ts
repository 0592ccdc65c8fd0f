import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { turkishTime } from '../clock.ts';
import { MERCHANT_ID } from '../seed/merchant.ts';
import type { Call } from '../routes.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { done, refuse } from './answer.ts';
import { checkShape, readCall, textOf } from './fields.ts';
import type { Shape } from './fields.ts';

/**
 * POST /ccpayment/api/token: issues a token for two hours; requests are not limited. The token
 * carries its own expiry, on the virtual clock.
 */

export const TOKEN_LIFETIME_MS = 2 * 3_600_000;

export const TOKEN_SHAPE: Shape = {
  app_id: ['y', 'text'],
  app_secret: ['y', 'text'],
  app_lang: ['n', 'text'],
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/**
 * The signing key differs from the wallet service's, so that neither provider accepts a token of
 * the other.
 */
const sign = (world: World, head: string): string =>
  createHmac('sha256', `card ${world.credentials.tokenKey}`).update(head).digest('base64url');

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

export function issueCardToken(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, TOKEN_SHAPE, lang);
  if (wrong) return wrong;
  const { app_id: appId, app_secret: secret } = world.credentials.card;
  if (!sameText(textOf(fields, 'app_id'), appId) || !sameText(textOf(fields, 'app_secret'), secret))
    return refuse(30, lang);
  const expires = world.clock.now() + TOKEN_LIFETIME_MS;
  const jti = randomBytes(12).toString('hex');
  const claims = { sub: String(MERCHANT_ID), jti, exp: expires };
  const head = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64(claims)}`;
  return done(
    {
      token: `${head}.${sign(world, head)}`,
      is_3d: world.cardMerchant.is_3d,
      expires_at: turkishTime(expires),
    },
    lang,
  );
}

/**
 * Whether the header holds a token of this gateway that has not expired at `now` (virtual
 * milliseconds).
 */
export function isCardAuthorized(
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
    return (
      now < (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp: number }).exp
    );
  } catch {
    return false;
  }
}
