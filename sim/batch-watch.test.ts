import { beforeAll, expect, test } from 'vitest';
import { BatchWatch } from './batch-watch.ts';
import type { BatchApproval } from './batch-approving.ts';
import type { Batch, BatchRow } from './batches.ts';
import type { Row } from './store.ts';
import { World } from './world.ts';

/** The rules of batches, broken by hand: no patch of the product breaks what the simulator plays. */

let world: World;
let intent: Row;

beforeAll(() => {
  world = new World({ seed: 3, drill: '12' }, false);
  if (world.run().broken !== null) throw new Error('this world breaks a rule by itself');
  intent = [...world.database.rows()].find((one) => one.state === 'COMPLETED')!;
  world.database.tables.batches.clear();
});

const broken = (rule: string) => expect.objectContaining({ rule });
const row = (made: boolean): BatchRow => ({
  ...{ n: 0, id: intent.id, extId: intent.extId, need: 0, content: intent, overrides: [] },
  ...{ retryOf: null, made, refused: null },
});
function stored(given: Partial<Batch>): Batch {
  const run = { beganAt: 0, resumedAt: null, hold: null, stopped: false, fed: false };
  const approval: BatchApproval = {
    ...{ contentHash: '', leaves: [], at: 0, given: [], sentBack: null },
    asked: { needed: 0, ownersOnly: false, contentHash: '', stepUp: 'none' },
  };
  const made = { id: 'b', maker: 'ayse', parent: null, rows: [row(true)], approval };
  const batch = { ...made, ...run, ...given };
  world.database.tables.batches.set(batch.id, batch);
  return batch;
}
const commit = (watch: BatchWatch, before: Row, after: Row) =>
  watch.committed({ rows: [{ before, after }], given: [], at: 0 });

test('a row that is an intent and says it is none, and one with another amount, break M1', () => {
  const watch = new BatchWatch(world);
  stored({});
  commit(watch, intent, intent);
  stored({ rows: [row(false)] });
  expect(() => commit(watch, intent, intent)).toThrow(broken('M1'));
  stored({ rows: [{ ...row(true), content: { ...intent, amountMinor: 1n } }] });
  expect(() => commit(watch, intent, intent)).toThrow(broken('M1'));
});

test('a claim of a paused batch breaks M2, and one of a running batch does not', () => {
  const watch = new BatchWatch(world);
  const [ready, taken] = [
    { ...intent, state: 'APPROVED', everAmbiguous: false } as Row,
    { ...intent, state: 'SUBMITTING', everAmbiguous: false } as Row,
  ];
  stored({});
  commit(watch, ready, taken);
  stored({ hold: 'person' });
  expect(() => commit(watch, ready, taken)).toThrow(broken('M2'));
});

test('a retry that takes a row whose payment is open breaks M3', () => {
  const watch = new BatchWatch(world);
  stored({ fed: true });
  world.database.tables.rows.set(intent.id, { ...intent, state: 'PENDING' });
  const again = { ...row(false), id: 'other', extId: 'OTHER' };
  stored({ id: 'retry', parent: 'b', rows: [again] });
  expect(() => commit(watch, intent, intent)).toThrow(broken('M3'));
});

test('a batch that still runs at the end breaks M1', () => {
  world.database.tables.batches.clear();
  stored({});
  expect(new BatchWatch(world).unsettled()).toMatchObject({ rule: 'M1' });
  stored({ stopped: true });
  expect(new BatchWatch(world).unsettled()).toBeNull();
});
