/** Where a submitted batch stands. Pure. */
export type RunPhase = 'running' | 'held' | 'stopped' | 'done';

/** `fed`: every row is a movement that has left, waits for approval or has ended, or was refused. */
export function phaseOf(run: { held: boolean; stopped: boolean; fed: boolean }): RunPhase {
  if (run.stopped) return 'stopped';
  if (run.fed) return 'done';
  return run.held ? 'held' : 'running';
}
