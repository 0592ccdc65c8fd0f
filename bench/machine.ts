/** What the machine was doing meanwhile: figures without it cannot be compared. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Ticks of `/proc` a second: fixed by the kernel's interface. */
const TICKS = 100;

/** Processor time of a process so far, in milliseconds; NaN where the system does not tell (anything but Linux). */
export function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
  } catch {
    return Number.NaN;
  }
}

export function describeMachine(): string {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`;
}
