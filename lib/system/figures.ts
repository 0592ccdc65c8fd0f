/**
 * The figures of the installation's health, and from where each raises an alarm of
 * docs/monitoring/alerts.yml. Pure.
 */

export type Unit = 'count' | 'seconds' | 'bytes';
/** `above`, `below`: the values for which Prometheus raises the alarm. */
export type Alarm = { name: string } & ({ above: number } | { below: number });
type Shown = {
  unit: Unit;
  metric: string;
  /** Which values of the metric belong to it; all of them otherwise. */
  only?: (labels: Readonly<Record<string, string | number>>) => boolean;
  /** How several values become one; the largest otherwise. */
  by?: 'sum' | 'least';
  alarm?: Alarm;
};

const HELD_BACK = [
  ...['dns', 'refused', 'connect_timeout', 'tls', 'unreachable'],
  ...['circuit_open', 'no_token'],
];
export const MOVEMENTS_QUEUE = 'movements';
/** Every send waits for its entry in the audit chain, so this queue is not among the other work. */
const ENTRIES_QUEUE = 'auditEntries';

export const FIGURES = {
  unknown: { unit: 'count', metric: 'dashboard_unknown_movements' },
  unknownOldest: {
    unit: 'seconds',
    metric: 'dashboard_unknown_oldest_seconds',
    alarm: { name: 'UnknownOutcome', above: 1_800 },
  },
  ready: { unit: 'count', metric: 'dashboard_ready_movements' },
  paymentsLate: {
    unit: 'seconds',
    metric: 'dashboard_queue_late_seconds',
    only: ({ queue }) => queue === MOVEMENTS_QUEUE,
    alarm: { name: 'PaymentsWait', above: 60 },
  },
  entriesLate: {
    unit: 'seconds',
    metric: 'dashboard_queue_late_seconds',
    only: ({ queue }) => queue === ENTRIES_QUEUE,
    alarm: { name: 'AuditEntriesWait', above: 10 },
  },
  queuesLate: {
    unit: 'seconds',
    metric: 'dashboard_queue_late_seconds',
    only: ({ queue }) => queue !== MOVEMENTS_QUEUE && queue !== ENTRIES_QUEUE,
    alarm: { name: 'QueueLate', above: 900 },
  },
  stopped: {
    unit: 'count',
    metric: 'dashboard_sending_stopped',
    by: 'sum',
    alarm: { name: 'SendingStopped', above: 0 },
  },
  workers: {
    unit: 'count',
    metric: 'dashboard_workers',
    alarm: { name: 'NoWorker', below: 1 },
  },
  heldBack: {
    unit: 'count',
    metric: 'dashboard_provider_requests_total',
    only: ({ response }) => HELD_BACK.includes(String(response)),
    by: 'sum',
    alarm: { name: 'ProviderUnreachable', above: 2 },
  },
  auditBroken: {
    unit: 'count',
    metric: 'dashboard_audit_broken',
    alarm: { name: 'AuditBroken', above: 0 },
  },
  auditAge: {
    unit: 'seconds',
    metric: 'dashboard_audit_check_age_seconds',
    alarm: { name: 'AuditUnchecked', above: 600 },
  },
  checkpoints: {
    unit: 'count',
    metric: 'dashboard_checkpoint_failures_total',
    by: 'sum',
    alarm: { name: 'CheckpointsFail', above: 0 },
  },
  recordDaysFailed: {
    unit: 'count',
    metric: 'dashboard_record_days_failed',
    alarm: { name: 'ProviderRecordsUnread', above: 0 },
  },
  recordsAge: { unit: 'seconds', metric: 'dashboard_records_age_seconds' },
  diskFree: {
    unit: 'bytes',
    metric: 'dashboard_disk_free_bytes',
    by: 'least',
    alarm: { name: 'DiskNearlyFull', below: 2e9 },
  },
} as const satisfies Record<string, Shown>;

export type FigureName = keyof typeof FIGURES;
export type Measured = {
  name: string;
  values: readonly [Readonly<Record<string, string | number>>, number][];
};
/** `value`: null while nobody reports it. `isPassed`: whether its alarm would be raised; null: unknown. */
export type Figure = {
  name: FigureName;
  unit: Unit;
  value: number | null;
  alarm: (Alarm & { isPassed: boolean | null }) | null;
};

export function figuresOf(measured: readonly Measured[]): Figure[] {
  return Object.entries(FIGURES).map(([name, shown]: [string, Shown]) => {
    const value = valueOf(shown, measured);
    const { alarm = null, unit } = shown;
    return {
      name: name as FigureName,
      unit,
      value,
      alarm:
        alarm === null
          ? null
          : { ...alarm, isPassed: value === null ? null : isPassed(alarm, value) },
    };
  });
}

function valueOf({ metric, only, by }: Shown, measured: readonly Measured[]): number | null {
  const found = measured.filter(({ name }) => name === metric);
  if (found.length === 0) return null;
  const values = found
    .flatMap((one) => one.values)
    .filter(([labels]) => only?.(labels) ?? true)
    .map(([, value]) => value);
  if (by === 'sum') return values.reduce((sum, value) => sum + value, 0);
  if (values.length === 0) return null;
  return by === 'least' ? Math.min(...values) : Math.max(...values);
}

function isPassed(alarm: Alarm, value: number): boolean {
  return 'above' in alarm ? value > alarm.above : value < alarm.below;
}
