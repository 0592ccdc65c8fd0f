import 'server-only';
import { rawInteger } from '../json.ts';
import { CREATION_CODES, CREATION_LABELS, REFUSAL_STATUSES, VALIDATION_CODE } from './codes.ts';
import type { CreationReason } from './codes.ts';
import type { Line } from './connection.ts';
import { id, openEnvelope } from './wire.ts';
import type { NewWallet, WalletCreated } from './types.ts';

/**
 * CreateWalletForBusinessAccount, one request. It carries no reference of ours (`contract`), so a
 * second request may create a second wallet: after `unclear`, check the list of wallets before
 * another request.
 */
export async function createWallet(line: Line, wallet: NewWallet): Promise<WalletCreated> {
  const exchange = await line.send({
    path: '/v1/Wallet/CreateWalletForBusinessAccount',
    body: creationBody(wallet),
    beforeWrite: () => true,
  });
  const opened = openEnvelope(exchange);
  if (opened.kind === 'unauthorized') return { kind: 'not_sent', why: 'unauthorized' };
  if (opened.kind === 'not_sent') return { kind: 'not_sent', why: opened.why };
  if (opened.kind === 'unclear') return { kind: 'unclear', why: opened.why };
  const { http, status, code, message, payload } = opened;
  if (http === 200 && status === '0' && code === '100') {
    const number = id.safeParse(payload);
    return number.success && number.data !== '0'
      ? { kind: 'created', number: number.data }
      : { kind: 'unclear', why: 'shape' };
  }
  const isRefused =
    code !== null &&
    CREATION_CODES.has(code) &&
    REFUSAL_STATUSES.has(status) &&
    (http === 200 || code === VALIDATION_CODE);
  if (!isRefused) return { kind: 'unclear', why: http === 200 ? 'unknown_code' : 'http_status' };
  return {
    kind: 'refused',
    code,
    reason: code === VALIDATION_CODE ? 'validation' : reasonIn(message),
    message,
  };
}

function reasonIn(message: string | null): CreationReason {
  const text = (message ?? '').toLowerCase().replace(/[^a-z]/g, '');
  return [...CREATION_LABELS].find(([label]) => text.includes(label))?.[1] ?? 'other';
}

/**
 * `wallet_type` and `product_type` are described as required, but no source gives the field names
 * (`assumed` names): sent only when they are set.
 */
function creationBody({
  name,
  currency,
  fastIban,
  tenantId,
  walletType,
  productType,
}: NewWallet): string {
  return JSON.stringify({
    name,
    currency_code: currency,
    use_fast_iban: fastIban,
    tenant_id: tenantId === undefined ? undefined : rawInteger(tenantId),
    wallet_type: walletType,
    product_type: productType,
  });
}
