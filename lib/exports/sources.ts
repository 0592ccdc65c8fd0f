import 'server-only';
import type { Permission } from '#lib/access/actor.ts';
import { payoutSource } from '#lib/payouts/export-source.ts';
import { transactionSource } from '#lib/reports/transactions/export-source.ts';
import { withdrawalSource } from '#lib/reports/withdrawals/export-source.ts';
import type { SourceName } from './profile.ts';
import type { Source } from './source.ts';

/** Everything that can be exported, and what one has to be allowed to see for it. */
export const SOURCES: Record<SourceName, { source: Source<never>; needs: Permission }> = {
  payouts: { source: payoutSource as Source<never>, needs: 'movement.read' },
  transactions: { source: transactionSource as Source<never>, needs: 'movement.read' },
  withdrawals: { source: withdrawalSource as Source<never>, needs: 'movement.read' },
};

/** A source together with its own filter, which nobody else looks into. */
export function sourceOf(name: SourceName): Source {
  return SOURCES[name].source as unknown as Source;
}
