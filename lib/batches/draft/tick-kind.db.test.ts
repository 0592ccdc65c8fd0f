import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { makeIban } from '../file/testing/scenarios.ts';
import type * as Change from './change.ts';
import type * as Create from './create.ts';
import type * as Read from './read.ts';
import type * as Tick from './tick-kind.ts';
import type * as Kinds from './warning-kinds.ts';
import { aRow, csv } from './testing/drafts.ts';

/** One confirmation for all warnings of one kind: exactly those that the person saw. */

let merchant: TestMerchant;
let web: Process;
let change: typeof Change;
let create: typeof Create;
let read: typeof Read;
let tick: typeof Tick;
let kinds: typeof Kinds;

beforeAll(async () => {
  merchant = await testMerchant();
  const value = {
    ...{ number: '1000000001', currency: 'TRY', access: 'active', availableMinor: 100_000_000n },
    limits: { withdrawalMinor: null },
  };
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async () => ({ fresh: true, at: null, value }),
    paymentTypes: async () => [{ code: '1', description: 'Diğer', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  [change, create, read, tick, kinds] = await Promise.all([
    import('./change.ts'),
    import('./create.ts'),
    import('./read.ts'),
    import('./tick-kind.ts'),
    import('./warning-kinds.ts'),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const clerk = () => merchant.person('clerk');
const look = (id: string) => read.readDraft(clerk(), id, 'tr');
const REASON = 'Kasım ve aralık faturaları';

/** Four rows to one account with one amount: three of them are warned of. */
async function fourAlike(): Promise<Change.OfDraft & { seen: string }> {
  const iban = makeIban('00062', `${Date.now()}`);
  const rows = ['Fatura 1', 'Fatura 2', 'Fatura 3', 'Fatura 4'].map((text) => aRow({ iban, text }));
  const { id } = await create.createDraft(
    clerk(),
    { bytes: csv(rows), name: 'a.csv' },
    '1000000001',
  );
  const of = { id, version: 1 };
  const { version } = await change.chooseDefaults(clerk(), of, {
    paymentType: '1',
    description: '',
  });
  const [kind] = kinds.kindsToTick((await look(id)).rows);
  return { id, version, seen: kind!.seen };
}
const press = ({ id, version, seen }: Change.OfDraft & { seen: string }, reason = REASON) =>
  tick.tickKind(clerk(), { id, version }, { code: 'row_repeated', seen, reason }, 'tr');

describe('all warnings of one kind', () => {
  it('are confirmed with one reason, which stands with each payment', async () => {
    const draft = await fourAlike();
    await press(draft);
    const { rows, isReady } = await look(draft.id);
    expect(isReady).toBe(true);
    expect(rows.map((row) => read.formOf(row)?.overrideReason ?? null)).toEqual([
      null,
      REASON,
      REASON,
      REASON,
    ]);
    expect(rows[2]?.ticked?.keys).toHaveLength(1);
  });

  it('that are others than the page showed are confirmed by nobody', async () => {
    const draft = await fourAlike();
    // The second row is the first one now, so that the others repeat another row.
    const out = { rows: ['0:2'], out: true };
    const { version } = await change.takeRows(clerk(), draft, out);
    await expect(press({ ...draft, version })).rejects.toMatchObject({
      code: 'batch_warnings_changed',
    });
    await expect(press({ ...draft, version }, 'kısa')).rejects.toMatchObject({
      code: 'reason_needed',
    });
    expect((await look(draft.id)).batch.ticked).toEqual({});
  });

  it('of an earlier version are refused', async () => {
    const draft = await fourAlike();
    const cell = { row: '0:2', field: 'description', text: 'Fatura 5', locale: 'tr' as const };
    await change.typeIntoCell(clerk(), draft, cell);
    await expect(press(draft)).rejects.toMatchObject({ code: 'batch_changed' });
  });
});
