/**
 * Where a submitted batch stands. `waiting`: for its approval. `expired`: nobody approved it in
 * time. Pure.
 */
export type RunPhase =
  | 'waiting'
  | 'expired'
  | 'sent_back'
  | 'running'
  | 'held'
  | 'stopped'
  | 'done';

/** `fed`: every row is a movement that has left, waits for approval or has ended, or was refused. */
export type RunFacts = {
  approved: boolean;
  expired: boolean;
  sentBack: boolean;
  held: boolean;
  stopped: boolean;
  fed: boolean;
};

export function phaseOf(run: RunFacts): RunPhase {
  if (run.sentBack) return 'sent_back';
  if (run.stopped) return run.expired ? 'expired' : 'stopped';
  if (run.fed) return 'done';
  if (!run.approved) return run.expired ? 'expired' : 'waiting';
  return run.held ? 'held' : 'running';
}
