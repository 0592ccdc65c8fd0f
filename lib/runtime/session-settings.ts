/** What every session of the product sets in PostgreSQL. Pure. */

export type DatabaseRole = 'dashboard_web' | 'dashboard_worker';

/**
 * A lock or a statement that takes longer than this is a fault
 * (docs/money-rules.md, "The database").
 */
const LIMITS = {
  TimeZone: 'UTC',
  lock_timeout: '2000',
  statement_timeout: '4000',
  idle_in_transaction_session_timeout: '10000',
};
/**
 * Under row-level security the merchant is an index condition or a function call per row: plans
 * that scan a whole index are cheaper than the default costs assume. Compiling a statement, which
 * distributions with LLVM do by default, takes longer than any statement of ours runs.
 */
const PLANS = { random_page_cost: '1.1', max_parallel_workers_per_gather: '0', jit: 'off' };
/**
 * A queue is read in the order of its index. Without statistics (a new or restored database) a plan
 * with a sort seems just as cheap, and every claim would read all due rows.
 */
const QUEUE_PLANS = { enable_sort: 'off' };

export function sessionSettings(role: DatabaseRole): [name: string, value: string][] {
  const queue = role === 'dashboard_worker' ? QUEUE_PLANS : {};
  return Object.entries({ ...LIMITS, ...PLANS, ...queue });
}
