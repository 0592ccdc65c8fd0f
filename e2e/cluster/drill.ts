/**
 * Plays a drill on the cluster that `npm run cluster -- --drill` has started (e2e/README.md).
 * CLUSTER_DRILL: `kills` or `promotion`; CLUSTER_KILLS: how often which part is killed, as JSON.
 */
import { killAll } from './kills.ts';
import { promoteAsync } from './promotion.ts';

const isRight =
  process.env['CLUSTER_DRILL'] === 'promotion'
    ? await promoteAsync()
    : await killAll(
        JSON.parse(process.env['CLUSTER_KILLS'] ?? '{}') as Record<string, number>,
        Number(process.env['CLUSTER_SEED'] ?? 1),
      );
process.exit(isRight ? 0 : 1);
