import 'server-only';
import type { Permission } from '#lib/access/actor.ts';
import { payoutSource } from '#lib/payouts/export-source.ts';
import { transactionSource } from '#lib/reports/transactions/export-source.ts';
import { withdrawalSource } from '#lib/reports/withdrawals/export-source.ts';
import type { SourceName } from './profile.ts';
import type { Source } from './source.ts';

/** All lists that can be exported, and the permission that each needs. */
export const SOURCES: Record<SourceName, { source: Source<never>; needs: Permission }> = {
  payouts: { source: payoutSource as Source<never>, needs: 'movement.read' },
  transactions: { source: transactionSource as Source<never>, needs: 'movement.read' },
  withdrawals: { source: withdrawalSource as Source<never>, needs: 'movement.read' },
};

/** A source with its own filter, which is opaque to the caller. */
export function sourceOf(name: SourceName): Source {
  return SOURCES[name].source as unknown as Source;
}
