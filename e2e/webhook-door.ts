import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from './database.ts';
import { BASE_URL, DATA_DIR } from './surroundings.ts';

/**
 * The webhook address that the provider calls. In the demo its secret segment is generated once and
 * stored in the data folder.
 */
export function doorUrl(channel: 'wallet' | 'card' = 'wallet', key = webhookKey()): string {
  return `${BASE_URL}/api/webhooks/${key}/${channel}`;
}

export function postWebhook(body: string, url = doorUrl()): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}

export type Kept = {
  id: string;
  seen: number;
  effect: string;
  hint: string | null;
  movement_id: string | null;
};

/** The stored webhook with this body. */
export async function kept(body: string): Promise<Kept | undefined> {
  const [row] = await rows<Kept>(
    `SELECT id::text, seen, effect, hint, movement_id FROM notices
      WHERE body_hash = sha256(convert_to($1, 'UTF8'))`,
    [body],
  );
  return row;
}

/**
 * A payout's webhook as the provider writes it; the caller chooses only the reference and the
 * claimed status.
 */
export function forged(
  extId: string,
  afterStatus: number,
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    tenant_id: 1042,
    amount: 1_000_000,
    currency_code: 'TRY',
    ext_transaction_id: extId,
    request_withdraw_id: 1,
    transaction_id: 6_318_204_417,
    account_type_id: 2,
    wallet_number: '4410270001',
    before_process_status: 1,
    after_process_status: afterStatus,
    response_status: 2,
    response_code: '312',
    reason: '<img src=x onerror=alert(1)>',
    ...more,
  });
}

function webhookKey(): string {
  return (
    JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')) as { WEBHOOK_KEY: string }
  ).WEBHOOK_KEY;
}
