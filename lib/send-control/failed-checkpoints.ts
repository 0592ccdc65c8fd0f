import 'server-only';
import { counter } from '#lib/runtime/metrics.ts';

/** Counts a checkpoint that could not be written beside the database. */
export const countFailedCheckpoint = counter(
  'dashboard_checkpoint_failures_total',
  'Checkpoints that could not be written beside the database: the mark, or the audit chain.',
);
