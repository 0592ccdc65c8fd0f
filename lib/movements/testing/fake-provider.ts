import { createHash } from 'node:crypto';
import type { LedgerOutcome, ReadOutcome, SendOutcome } from '../../providers/outcome.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_IDENTITY } from '../../testing/test-identity.ts';
import type { BeginPorts } from '../begin.ts';
import { workerKinds } from '../kind.ts';
import { sendAtOnce } from '../one-step.ts';
import { KIND_NAMES } from '../kinds.ts';
import type { MovementRow } from '../row.ts';
import { accepted } from './movement.ts';

/** Tests do not wait the minutes for which a database may stay unavailable. */
const RECORD_REST_MAX_MS = 1_000;

/** An in-process provider that answers as the test says and records its requests. */
export type FakeProvider = {
  order: typeof sendAtOnce;
  query(): Promise<null>;
  requestHash(movement: MovementRow): string;
  asked: { kind: 'send' | 'read' | 'ledger'; id: string; iban: string; at: number }[];
  send(movement: MovementRow, beforeWrite: () => boolean): Promise<SendOutcome>;
  read(movement: MovementRow): Promise<ReadOutcome>;
  ledger(movement: MovementRow): Promise<LedgerOutcome>;
};

type Script = {
  send?: (movement: MovementRow, beforeWrite: () => boolean) => SendOutcome | Promise<SendOutcome>;
  read?: (movement: MovementRow) => ReadOutcome | Promise<ReadOutcome>;
  requestHash?: (movement: MovementRow) => string;
  ledger?: (movement: MovementRow) => LedgerOutcome | Promise<LedgerOutcome>;
};

export function fakeProvider(script: Script = {}): FakeProvider {
  const asked: FakeProvider['asked'] = [];
  const note = (kind: 'send' | 'read' | 'ledger', movement: MovementRow) =>
    asked.push({ kind, id: movement.id, iban: movement.iban, at: performance.now() });
  return {
    asked,
    order: sendAtOnce,
    query: async () => null,
    requestHash: script.requestHash ?? requestHash,
    async send(movement, beforeWrite) {
      note('send', movement);
      return (
        (await script.send?.(movement, beforeWrite)) ??
        ({
          ...accepted(`7${movement.id.replaceAll(/\D/g, '').slice(0, 17)}`),
          extId: movement.extId,
          amountMinor: movement.amountMinor,
        } as SendOutcome)
      );
    },
    async read(movement) {
      note('read', movement);
      return (await script.read?.(movement)) ?? { kind: 'not_found', raw: '{}' };
    },
    async ledger(movement) {
      note('ledger', movement);
      return (await script.ledger?.(movement)) ?? { kind: 'not_listed', raw: '{}' };
    },
  };
}

function requestHash({ extId, amountMinor }: Pick<MovementRow, 'extId' | 'amountMinor'>): string {
  return createHash('sha256').update(`${extId} ${amountMinor}`).digest('hex');
}

/** The ports of a worker with this fake provider. */
export function fakePorts(
  merchantId: string,
  provider: FakeProvider,
  given: { quietMs?: number; monotonicNow?: () => number } = {},
) {
  return {
    merchantId,
    policy: { quietMs: given.quietMs ?? 30 * 60_000, manualAfterMs: 30 * 60_000, autoResend: true },
    random: () => 0.5,
    monotonicNow: given.monotonicNow ?? (() => performance.now()),
    kinds: workerKinds(KIND_NAMES.map((name) => ({ ...provider, name }))),
    rest: async (ms: number) => pause(Math.min(ms, RECORD_REST_MAX_MS)),
    ...beginPorts(),
  };
}

/** Ports that let every send begin, for a database bound by `testMerchant`. */
export function beginPorts(): BeginPorts {
  return {
    mark: () => ({ seq: '0', hash: '', database: { timeline: 1 } }),
    checkpointWritten: async () => true,
    identity: () => TEST_IDENTITY,
    journal: { append: async () => true },
  };
}
