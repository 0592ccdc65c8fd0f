import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Known from './known.ts';
import type * as Remembering from './remember.ts';

/** Saved recipients: how they are added, found and changed, and by whom. */

let merchant: TestMerchant;
let web: Process;
let known: typeof Known;
let remembering: typeof Remembering;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  known = await import('./known.ts');
  remembering = await import('./remember.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

let serial = 0;

/** Makes a new valid Turkish IBAN. */
function anIban(): string {
  serial += 1;
  const account = `00062${'0'}${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  return `TR${String(98n - (BigInt(`${account}292700`) % 97n)).padStart(2, '0')}${account}`;
}

const remember = (payee: Remembering.Payee): Promise<void> =>
  web.db.inTransaction(merchant.merchantId, (tx) =>
    remembering.rememberPayee(tx, merchant.merchantId, payee),
  );
const book = async (name: string): Promise<{ name: string; numbers: string[] }[]> =>
  (
    await merchant.owner.query(
      `SELECT r.name, array_agg(p.number ORDER BY p.created_at) AS numbers FROM recipients r
        JOIN recipient_payees p ON p.recipient_id = r.id
     WHERE r.merchant_id = $1 AND r.name_fold = fold_for_search($2) GROUP BY r.id ORDER BY r.created_at`,
      [merchant.merchantId, name],
    )
  ).rows;

describe('whoever is paid', () => {
  it('is kept once, whatever i a keyboard has and however often and at once it is paid', async () => {
    const [iban, other] = [anIban(), anIban()];
    await Promise.all(
      ['Işıl Kırış', 'IŞIL KIRIŞ', 'isil kiris', 'Işıl Kırış'].map((name) =>
        remember({ number: iban, name, taxNumber: '10000000146' }),
      ),
    );
    await remember({ number: other, name: 'ışıl kırış', taxNumber: '10000000146' });
    expect((await book('ISIL KIRIS')).map(({ numbers }) => numbers)).toEqual([[iban, other]]);
  });

  it('under one name with two numbers is two people, and a wallet is an account like an IBAN', async () => {
    await remember({ number: anIban(), name: 'Deniz Ak', taxNumber: '10000000146' });
    await remember({ number: anIban(), name: 'Deniz Ak', taxNumber: '12345678950' });
    await remember({ number: '4410279999', name: 'Deniz Ak', taxNumber: '' });
    expect(await book('deniz ak')).toHaveLength(3);
    expect(
      (await known.knownRecipients(merchant.person('clerk'), 'deniz ak'))
        .map((one) => one.taxNumber)
        .toSorted(),
    ).toEqual(['10000000146', '12345678950']);
  });

  it('keeps the name that people gave it when its account is paid under another', async () => {
    const iban = anIban();
    await remember({ number: iban, name: 'Kaya Ltd', taxNumber: '1234567890' });
    await merchant.owner.query(
      `UPDATE recipients SET name = 'Kaya Limited Şirketi' WHERE merchant_id = $1 AND name = 'Kaya Ltd'`,
      [merchant.merchantId],
    );
    await remember({ number: iban, name: 'Kaya Ltd', taxNumber: '1234567890' });
    expect([await book('kaya ltd'), (await book('kaya limited sirketi')).length]).toEqual([[], 1]);
  });
});

describe('the payout form', () => {
  it('is offered each account once with its last payment, newest first, and only to preparers', async () => {
    const iban = anIban();
    await remember({ number: anIban(), name: 'Çağrı Öz', taxNumber: '10000000146' });
    await remember({ number: iban, name: 'Çağrı Özgür', taxNumber: '10000000146' });
    await storedMovement(merchant, 'COMPLETED', {}, { iban, amountMinor: 1_000n });
    await storedMovement(merchant, 'COMPLETED', {}, { iban, amountMinor: 2_000n });
    await storedMovement(merchant, 'REJECTED', {}, { iban, amountMinor: 3_000n });
    const found = await known.knownRecipients(merchant.person('clerk'), 'cagri oz');
    expect(found.map((one) => [one.name, one.last?.amount ?? null, one.bankName])).toEqual([
      ['Çağrı Özgür', '20.00', 'Garanti BBVA'],
      ['Çağrı Öz', null, 'Garanti BBVA'],
    ]);
    expect(
      (await known.knownRecipients(merchant.person('clerk'), iban.slice(-8))).map(
        (one) => one.iban,
      ),
    ).toEqual([iban]);
    expect(await known.knownPayee(merchant.person('clerk'), found[0]!.payeeId)).toEqual(found[0]);
    await expect(known.knownRecipients(merchant.person('support'), '')).rejects.toThrow(
      'not_allowed',
    );
  });
});
